import Bytes
import CLinux
import EventLoop
import Glibc
import TLS

/// What a client was answered, taken apart.
struct Reply {
  var status = 0
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// The body broke off before its end.
  var isCut = false

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
  var text: String { body.text }
}

/// A client that sends exactly the bytes it is told to, on a loop of its own. Waits at most ten seconds for anything.
final class Client {
  private let poller: Poller
  private let descriptor: Int32
  private let watch: Watch
  private let session: TLSSession?
  private var buffer: [UInt8] = []
  private(set) var isEnded = false

  init(_ poller: Poller, port: UInt16, trust: TLSContext?, from source: String = "127.0.0.1") async throws {
    self.poller = poller
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    self.descriptor = descriptor
    var here = address(source, 0)
    _ = withUnsafePointer(to: &here) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 16) }
    }
    var there = address("127.0.0.1", port)
    _ = withUnsafePointer(to: &there) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, 16) }
    }
    watch = try poller.watch(descriptor)
    session = try trust.map { try TLSSession($0, descriptor: descriptor, output: TLSOutput(), host: "localhost") }
    try await watch.writable(until: limit)
    guard let session else { return }
    while true {
      switch session.handshake() {
      case .done: return
      case .wantsRead: try await watch.readable(until: limit)
      case .wantsWrite: try await watch.writable(until: limit)
      default:
        isEnded = true
        return
      }
    }
  }

  deinit { close() }

  private var limit: LoopTime { poller.now + 10_000 }

  var certificate: [UInt8]? { session?.peerCertificate }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Sends all; gives up silently when the server has closed.
  func send(_ bytes: [UInt8]) async throws {
    var start = 0
    while start < bytes.count {
      switch write(bytes[start...]) {
      case .bytes(let count): start += count
      case .wantsWrite: try await watch.writable(until: limit)
      default: return
      }
    }
    while let session, session.hasUnsent {
      try await watch.writable(until: limit)
      if session.flush() == .closed { return }
    }
  }

  /// As much as the socket takes at once; false when it is full.
  func sendNow(_ bytes: [UInt8]) -> Bool {
    if case .bytes = write(bytes[...]) { return session.map { !$0.hasUnsent } ?? true }
    return false
  }

  private func write(_ bytes: ArraySlice<UInt8>) -> TLSOutcome {
    bytes.withUnsafeBytes { bytes in
      if let session { return session.write(bytes) }
      let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      return count >= 0 ? .bytes(count) : errno == EAGAIN ? .wantsWrite : .closed
    }
  }

  /// Reads until there are more bytes; false at the end of the connection.
  func more() async throws -> Bool {
    while true {
      var room = [UInt8](repeating: 0, count: 64 * 1024)
      let outcome = room.withUnsafeMutableBytes { read(into: $0) }
      switch outcome {
      case .bytes(let count):
        buffer += room[..<count]
        return true
      case .wantsRead: try await watch.readable(until: limit)
      default:
        isEnded = true
        return false
      }
    }
  }

  private func read(into room: UnsafeMutableRawBufferPointer) -> TLSOutcome {
    if let session { return session.read(into: room) }
    let count = recv(descriptor, room.baseAddress, room.count, 0)
    return count > 0 ? .bytes(count) : count < 0 && errno == EAGAIN ? .wantsRead : .closed
  }

  /// Everything up to the end of the connection.
  func rest() async throws -> String {
    while try await more() {}
    defer { buffer = [] }
    return buffer.text
  }

  /// The next answer; nil if the connection ended before one began. `isHead`: no body follows.
  func reply(isHead: Bool = false) async throws -> Reply? {
    var reply = Reply()
    guard let head = try await line(upTo: "\r\n\r\n") else { return nil }
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    reply.status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      reply.fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
    }
    if isHead || reply.status == 304 || reply.status == 204 || reply.status < 200 { return reply }
    if reply["transfer-encoding"] == "chunked" {
      try await readChunks(into: &reply)
    } else if let length = reply["content-length"].flatMap({ Int($0) }) {
      try await readCounted(length, into: &reply)
    } else {
      reply.body = Array(try await rest().utf8)
    }
    return reply
  }

  /// The next line or head without its end.
  func line(upTo end: String) async throws -> String? {
    while true {
      if let range = buffer.firstRange(of: Array(end.utf8)) {
        defer { buffer.removeSubrange(..<range.upperBound) }
        return buffer[..<range.lowerBound].text
      }
      if !(try await more()) { return nil }
    }
  }

  private func readCounted(_ length: Int, into reply: inout Reply) async throws {
    while buffer.count < length, try await more() {}
    reply.isCut = buffer.count < length
    reply.body += buffer.prefix(length)
    buffer.removeFirst(min(length, buffer.count))
  }

  private func readChunks(into reply: inout Reply) async throws {
    while true {
      guard let size = try await line(upTo: "\r\n").flatMap({ Int($0, radix: 16) }) else { break }
      if size > 0 { try await readCounted(size, into: &reply) }
      guard try await line(upTo: "\r\n") == "" else { break }
      if size == 0 { return }
    }
    reply.isCut = true
  }

  /// Ends our direction only.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes at once, without a good-bye.
  func close() {
    guard !watch.isCancelled else { return }
    watch.cancel()
    Glibc.close(descriptor)
  }
}

private func address(_ text: String, _ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  inet_pton(AF_INET, text, &address.sin_addr)
  return address
}
