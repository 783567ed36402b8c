import Bytes
import EventLoop
import Glibc
import HTTP
import HTTPServer
import Testing

private let host = "Host: localhost\r\n"

@Suite("Limits", .timeLimit(.minutes(1)))
struct LimitTests {
  @Test("an idle connection is closed without a word")
  func idle() async throws {
    try await withHouse({ $0.times.idle = 30 }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET /a HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.text == "/a")
      #expect(try await client.rest() == "")
    }
  }

  @Test("an idle connection gives its buffers back and still answers")
  func rest() async throws {
    try await withHouse({ $0.times.rest = 5 }) { poller, house in
      let client = try await house.connect(poller)
      for number in 0..<3 {
        try await client.send("GET /\(number) HTTP/1.1\r\n\(host)\r\n")
        #expect(try await client.reply()?.text == "/\(number)")
        try await poller.sleep(for: 15)
      }
    }
  }

  @Test("a head that does not come to an end is answered 408")
  func slowHead() async throws {
    try await withHouse({ $0.times.header = 30 }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET /a HTTP/1.1\r\nHost: loc")
      #expect(try await client.reply()?.status == 408)
      #expect(try await client.reply() == nil)
    }
  }

  @Test("what the server refuses by itself carries the fields that it was given")
  func ownFields() async throws {
    let policy = HeaderFields([("content-security-policy", "default-src 'none'"), ("cache-control", "no-cache")])
    try await withHouse({
      $0.ownFields = policy
      $0.hosts = ["localhost"]
    }) { poller, house in
      for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n", 421), ("NONSENSE\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431),
      ] {
        let reply = try #require(try await house.ask(poller, request))
        #expect(reply.status == status)
        #expect(reply["content-security-policy"] == "default-src 'none'", "\(status)")
        #expect(reply["cache-control"] == "no-store", "\(status)")
      }
    }
  }

  @Test("dripping bytes does not lengthen the time for a head")
  func drip() async throws {
    try await withHouse({ $0.times.header = 40 }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET /a HTTP/1.1\r\nX: ")
      var sent = 0
      while !client.isEnded, sent < 200 {
        try await client.send("x")
        sent += 1
        try await poller.sleep(for: 5)
        if house.server.counts.openConnections == 0 { break }
        if sent > 30 { break }
      }
      #expect(try await client.reply()?.status == 408)
    }
  }

  @Test("a handshake that does not come to an end is given up")
  func slowHandshake() async throws {
    try await withHouse({ $0.times.handshake = 30 }) { poller, house in
      let client = try await Client(poller, port: house.server.port, trust: nil)
      try await client.send([0x16, 0x03, 0x01])
      #expect(try await client.rest() == "")
    }
  }

  @Test(
    "what is too large is refused by its own status and closed",
    arguments: [
      ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\(host)\r\n", 414),
      ("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\n\(host)\(String(repeating: "X: 1\r\n", count: 101))\r\n", 431),
      ("GET / HTTP/1.1\r\n\r\n", 400), ("TRACE / HTTP/1.1\r\n\(host)\r\n", 405), ("hello\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ])
  func refused(request: String, status: Int) async throws {
    try await withHouse { poller, house in
      let client = try await house.connect(poller)
      try await client.send(request)
      let reply = try #require(try await client.reply())
      #expect(reply.status == status && reply["connection"] == "close")
      #expect(try await client.reply() == nil)
      // The server goes on.
      let reply6 = try await house.ask(poller, "GET /on HTTP/1.1\r\n\(host)\r\n")
      #expect(reply6?.text == "/on")
    }
  }

  @Test("a request that takes too long is cancelled and answered 503")
  func late() async throws {
    try await withHouse(
      {
        $0.times.request = 20
        $0.times.sweep = 10
      },
      makeAnswer: { loop in
        let poller = loop.poller
        return { _ in
          try await poller.sleep(for: 60_000)
          return Response(.ok)
        }
      }
    ) { poller, house in
      let reply = try #require(try await house.ask(poller, "GET / HTTP/1.1\r\n\(host)\r\n"))
      #expect(reply.status == 503 && reply["connection"] == "close")
    }
  }

  @Test("more connections from one address than allowed are told so, others are served")
  func perAddress() async throws {
    try await withHouse({ $0.connectionsPerAddress = 3 }) { poller, house in
      var clients: [Client] = []
      for _ in 0..<3 { clients.append(try await house.connect(poller)) }
      for client in clients {
        try await client.send("GET /a HTTP/1.1\r\n\(host)\r\n")
        #expect(try await client.reply()?.status == 200)
      }
      let reply = try #require(try await house.ask(poller, "GET /a HTTP/1.1\r\n\(host)\r\n"))
      #expect(reply.status == 503 && reply["retry-after"] != nil)
      let other = try await house.connect(poller, from: "127.0.0.2")
      try await other.send("GET /b HTTP/1.1\r\n\(host)\r\n")
      #expect(try await other.reply()?.text == "/b")
      // Far beyond the limit a connection is closed at once.
      var turnedAway = 0
      for _ in 0..<30 {
        let client = try await house.connect(poller)
        if client.isEnded { turnedAway += 1 } else { clients.append(client) }
      }
      #expect(turnedAway > 0)
      clients.first?.close()
      clients = []
    }
  }

  @Test("a client that does not read its answer is given up")
  func slowReader() async throws {
    try await withHouse(
      { $0.times.stall = 30 },
      answer: { _ in Response(type: "application/octet-stream", [UInt8](repeating: 7, count: 30_000_000)) }
    ) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      while house.server.counts.openConnections > 0 { try await poller.sleep(for: 5) }
      #expect(try await client.reply()?.isCut == true)
    }
  }

  @Test("when the server is full, the next is told so, and is welcome when another has left")
  func full() async throws {
    try await withHouse({ $0.connections = 2 }) { poller, house in
      let first = try await house.connect(poller)
      let second = try await house.connect(poller)
      let turnedDown = try await house.ask(poller, "GET /a HTTP/1.1\r\n\(host)\r\n")
      #expect(turnedDown?.status == 503)
      first.close()
      while house.server.counts.openConnections > 1 { try await poller.sleep(for: 2) }
      let welcome = try await house.ask(poller, "GET /b HTTP/1.1\r\n\(host)\r\n")
      #expect(welcome?.text == "/b")
      second.close()
    }
  }

  @Test("a thousand idle connections cost little memory")
  func idleMemory() async throws {
    try await withHouse({
      $0.connectionsPerAddress = 0
      $0.times.rest = 5
    }) { poller, house in
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(7), &limit)
      let count = min(1_000, (Int(clamping: limit.rlim_cur) - 200) / 2)
      var clients: [Client] = []
      let before = residentKiB()
      for _ in 0..<count {
        let client = try await house.connect(poller)
        try await client.send("GET /a HTTP/1.1\r\n\(host)\r\n")
        #expect(try await client.reply()?.status == 200)
        clients.append(client)
      }
      try await poller.sleep(for: 30)
      #expect(house.server.counts.openConnections == count)
      // Both ends live in this process: a client's OpenSSL session costs as much as the server's.
      #expect((residentKiB() - before) / max(1, count) < 250)
      for client in clients { client.close() }
    }
  }
}

/// Memory of this process that is in RAM.
private func residentKiB() -> Int {
  let file = open("/proc/self/statm", O_RDONLY)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = read(file, &bytes, bytes.count)
  let fields = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
  return fields.count > 1 ? Int(fields[1].decimalNumber ?? 0) * 4 : 0
}

@Suite("Stopping", .timeLimit(.minutes(1)))
struct DrainTests {
  @Test("a stopping server finishes the request under way, closes idle connections and takes no new ones")
  func drain() async throws {
    let (entered, gate) = (Gate(), Gate())
    try await withHouse(
      makeAnswer: { loop in
        let poller = loop.poller
        return { request in
          if request.path == "/long" {
            entered.open()
            await gate.pass(poller)
          }
          return Response(type: "text/plain", Array(request.path.utf8))
        }
      }
    ) { poller, house in
      let idle = try await house.connect(poller)
      try await idle.send("GET /idle HTTP/1.1\r\n\(host)\r\n")
      #expect(try await idle.reply()?.status == 200)
      let busy = try await house.connect(poller)
      try await busy.send("GET /long HTTP/1.1\r\n\(host)\r\n")
      await entered.pass(poller)
      let stopped = Gate()
      Task {
        await house.server.stop()
        stopped.open()
      }
      #expect(try await idle.rest() == "")
      let late = try? await house.connect(poller)
      #expect(late?.isEnded ?? true)
      gate.open()
      let reply = try #require(try await busy.reply())
      #expect(reply.text == "/long" && reply["connection"] == "close")
      _ = try await busy.rest()
      busy.close()
      await stopped.pass(poller)
      #expect(house.server.counts.openConnections == 0)
    }
  }

  @Test("a request that does not end in time is cut")
  func cut() async throws {
    let entered = Gate()
    try await withHouse(
      { $0.times.drain = 20 },
      makeAnswer: { loop in
        let poller = loop.poller
        return { _ in
          entered.open()
          try await poller.sleep(for: 60_000)
          return Response(.ok)
        }
      }
    ) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET /long HTTP/1.1\r\n\(host)\r\n")
      await entered.pass(poller)
      await house.server.stop()
      #expect(house.server.counts.openConnections == 0)
      #expect(try await client.rest() == "")
    }
  }

  @Test("an address that cannot be listened on is an error that names it")
  func badAddress() async throws {
    let loop = try EventLoop.start(named: "bad")
    var settings = ServerSettings()
    settings.listen = "not an address"
    await #expect(throws: ServerError.badAddress("not an address")) {
      _ = try await Server.start(on: [loop], settings: settings, tls: nil) { _ in { _ in Response(.ok) } }
    }
    settings.listen = "192.0.2.1"
    await #expect(throws: ServerError.listen(address: "192.0.2.1", port: 0, errno: EADDRNOTAVAIL)) {
      _ = try await Server.start(on: [loop], settings: settings, tls: nil) { _ in { _ in Response(.ok) } }
    }
    loop.stop()
    loop.join()
  }

  @Test("two loops share one port")
  func twoLoops() async throws {
    let loops = [try EventLoop.start(named: "one"), try EventLoop.start(named: "two")]
    var settings = ServerSettings()
    settings.listen = "127.0.0.1"
    settings.connectionsPerAddress = 0
    let server = try await Server.start(on: loops, settings: settings, tls: nil) { loop in
      let isFirst = loop === loops[0]
      return { _ in Response(type: "text/plain", Array((isFirst ? "one" : "two").utf8)) }
    }
    let client = try EventLoop.start(named: "client")
    let seen = try await client.run { loop in
      var seen: Set<String> = []
      for _ in 0..<200 where seen.count < 2 {
        let client = try await Client(loop.poller, port: server.port, trust: nil)
        try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
        seen.insert(try await client.reply()?.text ?? "nothing")
      }
      return seen
    }
    #expect(seen == ["one", "two"])
    await server.stop()
    for loop in loops + [client] {
      loop.stop()
      loop.join()
    }
  }
}
