import Archive
import EventLoop
import HTTP
import HTTPClient
import HTTPServer
import TLS
import Testing

/// A server of our own in this process, and whom its clients believe.
struct House: Sendable {
  let server: Server
  let certificate: [UInt8]
  let isPlain: Bool

  var base: String { "\(isPlain ? "http" : "https")://localhost:\(server.port)" }

  func client(_ adjust: (inout ClientSettings) -> Void = { _ in }) -> HTTPClient {
    var settings = ClientSettings()
    settings.trust = .only(pem: certificate)
    adjust(&settings)
    return HTTPClient(settings)
  }
}

/// Runs `body` beside a running server.
func withHouse(
  plain: Bool = false, answer: @escaping @Sendable (Request) async throws -> Response,
  _ body: (House) async throws -> Void
) async throws {
  let made = try #require(SelfSignedCertificate(host: "localhost"))
  var settings = ServerSettings()
  settings.listen = "127.0.0.1"
  let loop = try EventLoop.start(named: "server")
  let server = try await Server.start(
    on: [loop], settings: settings, tls: plain ? nil : try TLSContext(chain: made.chain, key: made.key),
    makeAnswer: { _ in answer })
  let result: Result<Void, any Error>
  do {
    try await body(House(server: server, certificate: made.chain, isPlain: plain))
    result = .success(())
  } catch {
    result = .failure(error)
  }
  await server.stop()
  loop.stop()
  loop.join()
  try result.get()
}

/// Says what came: method, path, coding, a hash of nothing but the body's length, and the body.
private let echo: @Sendable (Request) async throws -> Response = { request in
  let body = try await request.body.collect(limit: 1 << 22)
  let coding = request.fields["content-encoding"] ?? "identity"
  let plain = coding == "gzip" ? try GzipDecoder.decode(body, limit: 1 << 22) : body
  var reply = Response(type: "text/plain", plain)
  let type = request.fields["content-type"] ?? "none"
  reply.fields.append("x-seen", "\(request.method.token) \(request.path) \(coding) \(type) \(plain.count)")
  reply.fields.append("x-token", request.fields["authorization"] ?? "none")
  return reply
}

@Suite("Requests that go out", .timeLimit(.minutes(1)))
struct HTTPClientTests {
  @Test("what is sent over TLS arrives, and the answer comes back", arguments: [false, true])
  func exchange(plain: Bool) async throws {
    try await withHouse(plain: plain, answer: echo) { house in
      let client = house.client()
      let got = try await client.send(ClientRequest(.get, house.base + "/hello"))
      #expect(got.status == .ok && got.fields["X-Seen"] == "GET /hello identity none 0" && got.body.isEmpty)
      let posted = try await client.send(
        ClientRequest(
          .post, house.base + "/api/batches",
          fields: [("Authorization", "Bearer swu_1"), ("Content-Type", "application/json")], body: Array("{}".utf8)))
      #expect(posted.fields["x-seen"] == "POST /api/batches identity application/json 2")
      #expect(posted.fields["x-token"] == "Bearer swu_1" && posted.body == Array("{}".utf8))
      #expect(house.server.counts.connections == 1, "the connection was not kept")
      let put = try client.perform(ClientRequest(.put, house.base + "/x", body: [1]))
      #expect(put.fields["x-seen"] == "PUT /x identity none 1")
      let head = try client.perform(ClientRequest(.head, house.base + "/x"))
      #expect(head.fields["x-seen"] == "HEAD /x identity none 0" && head.body.isEmpty)
    }
  }

  @Test("a large body goes out packed, a small one and one that does not shrink as they are")
  func packing() async throws {
    try await withHouse(answer: echo) { house in
      let client = house.client()
      let large = Array(String(repeating: "{\"steps\":120},", count: 5000).utf8)
      let reply = try await client.send(ClientRequest(.post, house.base + "/", body: large))
      #expect(reply.fields["x-seen"] == "POST / gzip none \(large.count)" && reply.body == large)
      let small = try await client.send(ClientRequest(.post, house.base + "/", body: Array(large.prefix(4096))))
      #expect(small.fields["x-seen"] == "POST / identity none 4096")
      var random = SystemRandomNumberGenerator()
      let noise = (0..<9000).map { _ in UInt8.random(in: 0...255, using: &random) }
      let rough = try await client.send(ClientRequest(.post, house.base + "/", body: noise))
      #expect(rough.fields["x-seen"] == "POST / identity none 9000" && rough.body == noise)
    }
  }

  @Test("a certificate that is not the trusted one, or is for another host, ends before the request is sent")
  func untrusted() async throws {
    let other = try #require(SelfSignedCertificate(host: "localhost"))
    try await withHouse(answer: echo) { house in
      for trust in [ClientSettings.Trust.system, .only(pem: other.chain), .only(pem: Array("no PEM".utf8))] {
        let client = house.client { $0.trust = trust }
        await #expect { try await client.send(ClientRequest(.get, house.base)) } throws: {
          if case .untrusted = $0 as? HTTPClientError { true } else { false }
        }
      }
      // 127.0.0.2 is ours, but the certificate does not name it.
      let elsewhere = house.base.replacing("localhost", with: "127.0.0.2")
      await #expect(throws: HTTPClientError.self) { try await house.client().send(ClientRequest(.get, elsewhere)) }
      #expect(house.server.counts.requests == 0)
    }
  }

  @Test("nobody there, no such host, a bad address and bad fields are told apart")
  func failures() async throws {
    var base = ""
    try await withHouse(plain: true, answer: echo) { base = $0.base }
    let client = HTTPClient()
    #expect { try client.perform(ClientRequest(.get, base)) } throws: {
      if case .unreachable = $0 as? HTTPClientError { true } else { false }
    }
    for address in ["", "ftp://localhost/", "http://local host/", "https://localhost:99999/", "http://a\r\nb/"] {
      #expect(throws: HTTPClientError.self, "\(address)") { try client.perform(ClientRequest(.get, address)) }
    }
    for field in [("a b", "c"), ("a", "b\r\nc: d"), ("", "x"), ("a:", "x")] {
      #expect {
        try client.perform(ClientRequest(.get, base, fields: [(name: field.0, value: field.1)]))
      } throws: {
        $0 as? HTTPClientError == .badRequest("the field \(field.0)")
      }
    }
  }

  @Test("an answer that does not come, or does not end, or is too large, is given up")
  func limits() async throws {
    try await withHouse(answer: { request in
      switch request.path {
      case "/large": return Response(type: "text/plain", [UInt8](repeating: 65, count: 70_000))
      case "/cut":
        struct Broken: Error {}
        return Response(
          .ok,
          body: .stream { writer in
            try await writer.write([1, 2, 3])
            throw Broken()
          })
      default:
        return Response(
          .ok, body: .stream { writer in while true { try await writer.write(Array("still here".utf8)) } })
      }
    }) { house in
      let client = house.client {
        $0.largestAnswer = 50_000
        $0.timeout = 5000
      }
      await #expect(throws: HTTPClientError.tooLarge) {
        try await client.send(ClientRequest(.get, house.base + "/large"))
      }
      await #expect(throws: HTTPClientError.tooLarge) {
        try await client.send(ClientRequest(.get, house.base + "/endless"))
      }
      await #expect {
        try await client.send(ClientRequest(.get, house.base + "/cut"))
      } throws: {
        if case .broken = $0 as? HTTPClientError { true } else { false }
      }
    }
  }

  @Test("time runs out when nothing comes")
  func silence() async throws {
    try await withHouse(
      plain: true,
      answer: { request in
        _ = try await request.body.collect(limit: 10)
        return Response(.ok, body: .stream { _ in try await Task.sleep(for: .seconds(60)) })
      }
    ) { house in
      let client = house.client { $0.timeout = 300 }
      await #expect(throws: HTTPClientError.timedOut) { try await client.send(ClientRequest(.get, house.base)) }
    }
  }

  @Test("Retry-After is read as seconds and as a date, which counts from the server's own")
  func retryAfter() {
    func reply(_ fields: [(String, String)]) -> Int? {
      ClientReply(status: .serviceUnavailable, fields: HeaderFields(fields), body: []).retryAfter
    }
    let noon = ("date", "Sun, 06 Nov 1994 12:00:00 GMT")
    #expect(reply([]) == nil && reply([("retry-after", "soon")]) == nil)
    #expect(reply([("retry-after", "120")]) == 120 && reply([("retry-after", "-5")]) == 0)
    #expect(reply([("retry-after", "Sun, 06 Nov 1994 12:01:30 GMT"), noon]) == 90)
    #expect(reply([("retry-after", "Sun, 06 Nov 1994 11:00:00 GMT"), noon]) == 0)
    #expect(reply([("retry-after", "Sun, 06 Nov 1994 12:01:30 GMT")]) == nil)
  }

  @Test("many requests at once all come back, over few connections; no redirect is followed")
  func many() async throws {
    try await withHouse(answer: { request in
      guard request.path != "/there" else {
        return Response(.seeOther, fields: HeaderFields([("location", "https://example.invalid/")]))
      }
      return try await echo(request)
    }) { house in
      let client = house.client()
      #expect(try await client.send(ClientRequest(.get, house.base + "/there")).status == .seeOther)
      let paths = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await client.send(ClientRequest(.post, house.base + "/\(number)", body: [1])).fields["x-seen"]
          }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(paths.count == 40)
      #expect(house.server.counts.connections <= 5)
    }
  }
}
