// rooms: Bytes HTTP HTTPWire
import HTTP
import HTTPWire

/// HTTP/1.1 requests. Besides not stopping: the same bytes mean the same whatever way they are split; heads survive
/// being written again; an answer's chunks are read as the body that was written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let cut = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = readAll([bytes])
  let first = bytes.isEmpty ? 0 : Int(cut) % bytes.count
  checkSame(readAll([Array(bytes[..<first]), Array(bytes[first...])]), whole, "cut in two at \(first)")
  let step = Int(cut) % 7 + 1
  let pieces = stride(from: 0, to: bytes.count, by: step).map { Array(bytes[$0..<min(bytes.count, $0 + step)]) }
  checkSame(readAll(pieces), whole, "pieces of \(step)")
  roundTrip(bytes, step)
  return 0
}

private struct Reading: Equatable {
  var heads: [String] = []
  var bodies: [[UInt8]] = []
  var body: [UInt8] = []
  var refusal: Refusal?
}

private func readAll(_ pieces: [[UInt8]]) -> Reading {
  var reader = RequestReader()
  var reading = Reading()
  for piece in pieces {
    reader.receive(piece)
    loop: while true {
      switch reader.next() {
      case .wait: break loop
      case .head(let head): reading.heads.append(describe(head))
      case .body(let bytes):
        check(!bytes.isEmpty && bytes.count <= 65_536)
        reading.body += bytes
      case .end:
        reading.bodies.append(reading.body)
        reading.body = []
      case .refuse(let refusal):
        // How much of a body was handed out before a later fault depends on the pieces.
        reading.refusal = refusal
        return reading
      }
    }
  }
  return reading
}

private func describe(_ head: RequestHead) -> String {
  let path = head.target.path
  check(head.target.isAsterisk || path.hasPrefix("/"))
  let segments = head.target.segments
  check(!segments.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("/") || $0.contains("\0") })
  check(head.minorVersion == 0 || head.host != nil)
  var wire: [UInt8] = []
  head.fields.write(into: &wire)
  return "\(head.method) \(path) \(segments) \(head.target.query.encoded) \(head.minorVersion) \(head.body) "
    + "\(head.keepsAlive) \(head.expectsContinue) \(head.host ?? "-") \(Cookie.value(of: "__Host-sw", in: head.fields) ?? "-") "
    + "\(AcceptEncoding.allows("gzip", head.fields)) \(EntityTag("a").isNamed(by: head.fields)) "
    + String(decoding: wire, as: UTF8.self)
}

private func roundTrip(_ body: [UInt8], _ step: Int) {
  var writer = ResponseWriter(to: nil)
  var output: [UInt8] = []
  writer.start(.ok, HeaderFields(), length: .unknown, date: [], into: &output)
  output = Array("POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n".utf8)
  for start in stride(from: 0, to: body.count, by: step * 9) {
    writer.write(Array(body[start..<min(body.count, start + step * 9)]), into: &output)
  }
  check(writer.finish(into: &output))
  check(readAll([output]).bodies == [body])
}
