import Bytes
import EventLoop
import HTTP
import HTTPServer
import TLS
import Testing

private let host = "Host: localhost\r\n"

@Suite("An exchange over TLS", .timeLimit(.minutes(1)))
struct ExchangeTests {
  @Test("a connection serves one request after the other")
  func keepAlive() async throws {
    try await withHouse { poller, house in
      let client = try await house.connect(poller)
      for number in 0..<20 {
        try await client.send("GET /\(number) HTTP/1.1\r\n\(host)\r\n")
        let reply = try #require(try await client.reply())
        #expect(reply.status == 200 && reply.text == "/\(number)")
        #expect(reply["connection"] == nil && reply["date"] != nil && reply["server"] == nil)
      }
      #expect(house.server.counts.connections == 1)
      #expect(house.server.counts.requests == 20)
    }
  }

  @Test("requests sent ahead are answered in order")
  func pipelined() async throws {
    try await withHouse { poller, house in
      let client = try await house.connect(poller)
      try await client.send((0..<100).map { "GET /\($0) HTTP/1.1\r\n\(host)\r\n" }.joined())
      for number in 0..<100 { #expect(try await client.reply()?.text == "/\(number)") }
    }
  }

  @Test("a head may come byte by byte")
  func byteByByte() async throws {
    try await withHouse { poller, house in
      let client = try await house.connect(poller)
      for byte in "GET /slow HTTP/1.1\r\n\(host)\r\n".utf8 { try await client.send([byte]) }
      #expect(try await client.reply()?.text == "/slow")
    }
  }

  @Test("HEAD has the fields of GET and no body, and the connection goes on")
  func head() async throws {
    try await withHouse { poller, house in
      let client = try await house.connect(poller)
      try await client.send("HEAD /abc HTTP/1.1\r\n\(host)\r\nGET /d HTTP/1.1\r\n\(host)\r\n")
      let head = try #require(try await client.reply(isHead: true))
      #expect(head.status == 200 && head["content-length"] == "4")
      #expect(try await client.reply()?.text == "/d")
    }
  }

  @Test("connection: close and HTTP/1.0 end the connection after the answer")
  func closing() async throws {
    try await withHouse { poller, house in
      let closing = try await house.connect(poller)
      try await closing.send("GET /a HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
      #expect(try await closing.reply()?["connection"] == "close")
      #expect(try await closing.reply() == nil)
      let old = try await house.connect(poller)
      try await old.send("GET /b HTTP/1.0\r\n\r\n")
      #expect(try await old.reply()?.text == "/b")
      #expect(try await old.reply() == nil)
    }
  }

  @Test("a large answer arrives whole at a client that reads slowly")
  func large() async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try await withHouse(answer: { _ in Response(type: "application/octet-stream", bytes) }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\nGET / HTTP/1.1\r\n\(host)\r\n")
      for _ in 0..<20 { await poller.yield() }
      for _ in 0..<2 { #expect(try await client.reply()?.body == bytes) }
    }
  }

  @Test("what throws is answered 500 with the request's number, and the connection goes on")
  func failing() async throws {
    struct Broken: Error {}
    try await withHouse(answer: { if $0.path == "/broken" { throw Broken() } else { Response(.noContent) } }) {
      poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET /broken HTTP/1.1\r\n\(host)\r\n")
      let reply = try #require(try await client.reply())
      #expect(reply.status == 500 && reply.text.contains("request 1"))
      try await client.send("GET /fine HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.status == 204)
    }
  }

  @Test("plain HTTP on the TLS port gets a sentence that says what to do")
  func plainOnTLS() async throws {
    try await withHouse { poller, house in
      let client = try await Client(poller, port: house.server.port, trust: nil)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      let reply = try #require(try await client.reply())
      #expect(reply.status == 400 && reply.text.contains("https://"))
    }
  }

  @Test("a name that the server is not configured for is answered 421")
  func misdirected() async throws {
    try await withHouse({ $0.hosts = ["steps.example", "[::1]"] }) { poller, house in
      for (name, status) in [
        ("steps.example", 200), ("STEPS.example:8443", 200), ("[::1]:8443", 200), ("other.example", 421),
        ("steps.example.", 421),
      ] {
        let reply1 = try await house.ask(poller, "GET / HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        #expect(reply1?.status == status)
      }
    }
  }

  @Test("the client's address is the socket's; a trusted proxy's last hop counts")
  func addresses() async throws {
    @Sendable func echo(_ request: Request) -> Response {
      Response(type: "text/plain", Array(request.remoteAddress.utf8))
    }
    let request = "GET / HTTP/1.1\r\n\(host)X-Forwarded-For: 198.51.100.1, 203.0.113.9\r\n\r\n"
    try await withHouse(answer: echo) { poller, house in
      let reply2 = try await house.ask(poller, request)
      #expect(reply2?.text == "127.0.0.1")
    }
    try await withHouse({ $0.trustedProxies = ["127.0.0.1"] }, answer: echo) { poller, house in
      let reply3 = try await house.ask(poller, request)
      #expect(reply3?.text == "203.0.113.9")
      let forged = request.replacing("203.0.113.9", with: "<script>")
      let reply4 = try await house.ask(poller, forged)
      #expect(reply4?.text == "127.0.0.1")
    }
  }

  @Test("without TLS the same walk works")
  func plain() async throws {
    try await withHouse(plain: true) { poller, house in
      let reply5 = try await house.ask(poller, "GET /plain HTTP/1.1\r\n\(host)\r\n")
      #expect(reply5?.text == "/plain")
    }
  }

  @Test("after a reload new connections see the new certificate, and the old one goes on")
  func reload() async throws {
    try await withHouse { poller, house in
      let before = try await house.connect(poller)
      let fresh = try #require(SelfSignedCertificate(host: "localhost"))
      try house.tls?.reload(chain: fresh.chain, key: fresh.key)
      let trust = try TLSContext(trusting: fresh.chain)
      let after = try await Client(poller, port: house.server.port, trust: trust)
      #expect(after.certificate == fresh.chain)
      for client in [before, after] {
        try await client.send("GET /x HTTP/1.1\r\n\(host)\r\n")
        #expect(try await client.reply()?.text == "/x")
      }
    }
  }

  @Test("the log has one line per request: template, status, number; no address, no query")
  func log() async throws {
    let lines = try await withHouse(answer: { request in
      var response = Response(.ok)
      response.route = "/people/{id}"
      response.account = "p1"
      return response
    }) { poller, house in
      _ = try await house.ask(poller, "GET /people/7?secret=1 HTTP/1.1\r\n\(host)\r\n")
      _ = try await house.ask(poller, "nonsense\r\n\r\n")
      await house.server.stop()
      return house.log.lines.map(String.init)
    }
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix(#"{"event":"request","method":"GET","route":"/people/{id}","status":200,"us":"#) == true)
    #expect(lines.first?.hasSuffix(#""request":1,"account":"p1"}"#) == true)
    #expect(lines.last == #"{"event":"refused","reason":"badRequestLine","status":400}"#)
    #expect(!lines.joined().contains("secret") && !lines.joined().contains("127.0.0.1"))
  }
}
