import Bytes
import EventLoop
import HTTP
import HTTPServer
import Synchronization
import TLS
import Testing

/// A server on a loop of its own, a client's loop, and what both know of each other.
struct House: Sendable {
  let server: Server
  let serverLoop: EventLoop
  let tls: TLSContext?
  let trust: TLSContext?
  let log: Log

  func connect(_ poller: Poller, from source: String = "127.0.0.1") async throws -> Client {
    try await Client(poller, port: server.port, trust: trust, from: source)
  }

  /// One request on one connection.
  func ask(_ poller: Poller, _ request: String, isHead: Bool = false) async throws -> Reply? {
    let client = try await connect(poller)
    try await client.send(request)
    return try await client.reply(isHead: isHead)
  }
}

/// The lines that the server logged.
final class Log: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func add(_ lines: [UInt8]) { bytes.withLock { $0 += lines } }
  var lines: [Substring] { bytes.withLock { $0.text }.split(separator: "\n") }
}

/// Runs `body` on a client's loop beside a running server; everything is stopped afterwards.
func withHouse<T: Sendable>(
  plain: Bool = false, _ adjust: (inout ServerSettings) -> Void = { _ in },
  answer: @escaping @Sendable (Request) async throws -> Response = {
    Response(type: "text/plain", Array($0.path.utf8))
  },
  _ body: @escaping @Sendable (Poller, House) async throws -> T
) async throws -> T {
  try await withHouse(plain: plain, adjust, makeAnswer: { _ in answer }, body)
}

/// The same with an answer that knows its loop.
func withHouse<T: Sendable>(
  plain: Bool = false, _ adjust: (inout ServerSettings) -> Void = { _ in },
  makeAnswer: @escaping @Sendable (isolated EventLoop) async throws -> Answer,
  _ body: @escaping @Sendable (Poller, House) async throws -> T
) async throws -> T {
  let made = try #require(SelfSignedCertificate(host: "localhost"))
  let log = Log()
  var settings = ServerSettings()
  settings.listen = "127.0.0.1"
  settings.log = { log.add($0) }
  adjust(&settings)
  let (serverLoop, clientLoop) = (try EventLoop.start(named: "server"), try EventLoop.start(named: "client"))
  let tls = plain ? nil : try TLSContext(chain: made.chain, key: made.key)
  let server = try await Server.start(on: [serverLoop], settings: settings, tls: tls, makeAnswer: makeAnswer)
  let house = House(
    server: server, serverLoop: serverLoop, tls: tls, trust: plain ? nil : try TLSContext(trusting: made.chain),
    log: log)
  let result: Result<T, any Error>
  do {
    result = .success(try await clientLoop.run { try await body($0.poller, house) })
  } catch {
    result = .failure(error)
  }
  await server.stop()
  for loop in [serverLoop, clientLoop] {
    loop.stop()
    loop.join()
  }
  return try result.get()
}
