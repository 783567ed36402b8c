package import HTTP

/// Frames the answer to one request of an HTTP/1.1 connection: head, body or chunks, end. Appends to the caller's
/// buffer; one value per request.
package struct ResponseWriter {
  /// What is known of a body before it is written.
  package enum Length: Equatable, Sendable {
    case known(Int)
    /// Written until `finish`: chunks, or up to the close for HTTP/1.0.
    case unknown
  }

  //   idle ── start(known) ──► counted ── finish ──► finished
  //    │ ├─── start(unknown) ─► chunks ──── finish ──►   │
  //    │ │                  └─► untilClose ─ finish ─►   │   (HTTP/1.0)
  //    │ └─── start, no body ─► silent ──── finish ──►   │   (HEAD, 204, 304)
  //    └── whole ────────────────────────────────────►   │
  private enum State {
    case idle
    case counted(left: Int)
    case chunks
    case untilClose
    case silent
    case finished
  }

  /// `HTTP/1.1 100 Continue` with its empty line: sent when the body is first asked for.
  package static let continueHead: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private var state = State.idle
  private let isHead: Bool
  private let minorVersion: Int
  /// Whether the connection goes on after this answer. False from the start after a refusal; turns false when the
  /// body did not keep its promised length or can only be ended by closing.
  package private(set) var keepsAlive: Bool

  /// nil: the answer to bytes that were no request.
  package init(to request: RequestHead?) {
    isHead = request?.method == .head
    minorVersion = request?.minorVersion ?? 1
    keepsAlive = request?.keepsAlive ?? false
  }

  /// Ends the connection after this answer. Before `start` or `whole`, so that the client is told.
  package mutating func close() { keepsAlive = false }

  /// A whole answer in one piece: head and body one behind the other, for one write. `date` is the text of HTTPDate.
  package mutating func whole(
    _ status: Status, _ fields: HeaderFields, body: [UInt8], date: [UInt8], into output: inout [UInt8]
  ) {
    output.reserveCapacity(output.count + 512 + body.count)
    start(status, fields, length: .known(body.count), date: date, into: &output)
    if case .counted = state { output.append(contentsOf: body) }
    state = .finished
  }

  /// The head of an answer whose body follows by `write`.
  package mutating func start(
    _ status: Status, _ fields: HeaderFields, length: Length, date: [UInt8], into output: inout [UInt8]
  ) {
    guard case .idle = state else { return }
    state = framing(status, length)
    if case .untilClose = state { keepsAlive = false }
    writeStatusLine(status, into: &output)
    writeFields(fields, into: &output)
    output.append(static: "date: ")
    output.append(contentsOf: date)
    output.append(static: "\r\n")
    writeFraming(status, length, into: &output)
    output.append(static: "\r\n")
  }

  /// A piece of the body. Bytes beyond a promised length are dropped, and the connection ends.
  package mutating func write(_ piece: [UInt8], into output: inout [UInt8]) {
    if piece.isEmpty { return }
    switch state {
    case .counted(let left):
      if piece.count > left { keepsAlive = false }
      output.append(contentsOf: piece.prefix(left))
      state = .counted(left: max(0, left - piece.count))
    case .chunks:
      output.append(hexadecimal: piece.count)
      output.append(static: "\r\n")
      output.append(contentsOf: piece)
      output.append(static: "\r\n")
    case .untilClose: output.append(contentsOf: piece)
    case .idle, .silent, .finished: break
    }
  }

  /// The end of the body. False when fewer bytes came than were promised: the connection must be cut.
  package mutating func finish(into output: inout [UInt8]) -> Bool {
    defer { state = .finished }
    switch state {
    case .counted(let left) where left > 0:
      keepsAlive = false
      return false
    case .chunks: output.append(static: "0\r\n\r\n")
    default: break
    }
    return true
  }

  private func framing(_ status: Status, _ length: Length) -> State {
    if isHead || status.hasNoBody { return .silent }
    switch length {
    case .known(let count): return .counted(left: max(0, count))
    case .unknown: return minorVersion == 1 ? .chunks : .untilClose
    }
  }

  private func writeStatusLine(_ status: Status, into output: inout [UInt8]) {
    switch status.code {
    case 200: output.append(static: "HTTP/1.1 200 OK\r\n")
    case 304: output.append(static: "HTTP/1.1 304 Not Modified\r\n")
    default:
      output.append(static: "HTTP/1.1 ")
      output.append(decimal: status.code)
      output.append(static: " ")
      output.append(contentsOf: status.reason.utf8)
      output.append(static: "\r\n")
    }
  }

  private func writeFields(_ fields: HeaderFields, into output: inout [UInt8]) {
    guard fields.haveFraming else { return fields.write(into: &output) }
    var rest = fields
    for name in ["content-length", "transfer-encoding", "connection", "keep-alive", "date"] { rest.remove(name) }
    rest.write(into: &output)
  }

  private func writeFraming(_ status: Status, _ length: Length, into output: inout [UInt8]) {
    if !status.hasNoBody {
      switch length {
      case .known(let count):
        output.append(static: "content-length: ")
        output.append(decimal: max(0, count))
        output.append(static: "\r\n")
      case .unknown:
        if minorVersion == 1 { output.append(static: "transfer-encoding: chunked\r\n") }
      }
    }
    if !keepsAlive {
      output.append(static: "connection: close\r\n")
    } else if minorVersion == 0 {
      output.append(static: "connection: keep-alive\r\n")
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(static text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  fileprivate mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(48 &+ UInt8(truncatingIfNeeded: number % 10))
  }

  fileprivate mutating func append(hexadecimal number: Int) {
    if number >= 16 { append(hexadecimal: number >> 4) }
    let digit = UInt8(truncatingIfNeeded: number & 15)
    append(digit < 10 ? 48 &+ digit : 87 &+ digit)
  }
}
