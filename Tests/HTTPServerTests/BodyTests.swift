import Bytes
import EventLoop
import HTTP
import HTTPServer
import Synchronization
import Testing

private let host = "Host: localhost\r\n"

/// Reads the whole body and tells its length and sum.
@Sendable private func digest(_ request: Request) async throws -> Response {
  var (count, sum) = (0, 0 as UInt32)
  while let piece = try await request.body.read() {
    count += piece.count
    sum = CRC32.sum(piece, after: sum)
  }
  return Response(type: "text/plain", Array("\(count) \(sum)".utf8))
}

@Suite("Bodies of requests", .timeLimit(.minutes(1)))
struct RequestBodyTests {
  @Test("counted and chunked bodies arrive whole, one request after the other")
  func bodies() async throws {
    try await withHouse(answer: digest) { poller, house in
      let client = try await house.connect(poller)
      let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
      let expected = "\(body.count) \(CRC32.sum(body))"
      try await client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: \(body.count)\r\n\r\n")
      try await client.send(body)
      #expect(try await client.reply()?.text == expected)
      try await client.send("POST /b HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n")
      for start in stride(from: 0, to: body.count, by: 7_777) {
        let piece = body[start..<min(start + 7_777, body.count)]
        try await client.send("\(String(piece.count, radix: 16))\r\n")
        try await client.send(Array(piece))
        try await client.send("\r\n")
      }
      try await client.send("0\r\n\r\nGET /c HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.text == expected)
      #expect(try await client.reply()?.text == "0 0")
    }
  }

  @Test("nothing is read from the socket before the body is asked for")
  func backPressure() async throws {
    let gate = Gate()
    try await withHouse(
      plain: true,
      makeAnswer: { loop in
        let poller = loop.poller
        return { request in
          await gate.pass(poller)
          return try await digest(request)
        }
      }
    ) { poller, house in
      let client = try await house.connect(poller)
      let total = 64 << 20
      try await client.send("POST /big HTTP/1.1\r\n\(host)Content-Length: \(total)\r\n\r\n")
      // The kernel's buffers fill up, then no more is taken, however often we try.
      let block = [UInt8](repeating: 1, count: 64 << 10)
      var taken = 0
      var refused = 0
      while refused < 50, taken < total - block.count {
        if client.sendNow(block) { taken += block.count } else { refused += 1 }
        await poller.yield()
      }
      #expect(taken < total / 2)
      client.close()
      gate.open()
    }
  }

  @Test("100 Continue is sent when the body is first asked for")
  func expectContinue() async throws {
    try await withHouse(answer: digest) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      #expect(try await client.reply()?.status == 100)
      try await client.send("hello")
      #expect(try await client.reply()?.text == "5 \(CRC32.sum("hello".utf8))")
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.text == "0 0")
    }
  }

  @Test("an answer without reading the body sends no 100 and closes")
  func expectRefused() async throws {
    try await withHouse(answer: { _ in Response(.unauthorized) }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      let reply = try #require(try await client.reply())
      #expect(reply.status == 401 && reply["connection"] == "close")
      #expect(try await client.reply() == nil)
    }
  }

  @Test("a small body that nobody read is skipped, and the connection goes on")
  func skipped() async throws {
    try await withHouse { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\n")
      #expect(try await client.reply()?.text == "/a")
      try await client.send("helloGET /b HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.text == "/b")
    }
  }

  @Test("a client that is told 413 while it sends reads the answer", arguments: [true, false])
  func tooLarge(plain: Bool) async throws {
    try await withHouse(
      plain: plain,
      answer: { request in
        do throws(BodyError) {
          return Response(type: "text/plain", try await request.body.collect(limit: 100_000))
        } catch .tooLarge(let limit) {
          return Response(.contentTooLarge, fields: HeaderFields([("x-limit", "\(limit)")]))
        }
      }
    ) { poller, house in
      for framing in ["Content-Length: 20000000", "Transfer-Encoding: chunked"] {
        let client = try await house.connect(poller)
        try await client.send("POST / HTTP/1.1\r\n\(host)\(framing)\r\n\r\n")
        let block = Array("10000\r\n".utf8) + [UInt8](repeating: 2, count: 65_536) + Array("\r\n".utf8)
        for _ in 0..<100 { try await client.send(block) }
        let reply = try #require(try await client.reply())
        #expect(reply.status == 413 && reply["x-limit"] == "100000" && reply["connection"] == "close")
      }
    }
  }

  @Test("a body that stops coming ends the request; the answer says so", arguments: [true, false])
  func tooSlow(begins: Bool) async throws {
    try await withHouse(
      { $0.times.slowBody = 20 },
      answer: { request in
        do throws(BodyError) {
          return Response(type: "text/plain", try await request.body.collect(limit: 1_000))
        } catch .tooSlow {
          return Response(.requestTimeout)
        }
      }
    ) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST / HTTP/1.1\r\n\(host)Content-Length: 50\r\n\r\n" + (begins ? "half" : ""))
      #expect(try await client.reply()?.status == 408)
      #expect(try await client.reply() == nil)
    }
  }

  @Test("broken chunks are malformed, and the connection ends")
  func malformed() async throws {
    try await withHouse(
      answer: { request in
        do throws(BodyError) {
          return Response(type: "text/plain", try await request.body.collect(limit: 1_000))
        } catch {
          return Response(error == .malformed ? .badRequest : .internalServerError)
        }
      }
    ) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n")
      let reply = try #require(try await client.reply())
      #expect(reply.status == 400 && reply["connection"] == "close")
      #expect(try await client.reply() == nil)
    }
  }

  @Test("a client that vanishes in mid-body is told to the reader")
  func vanished() async throws {
    let seen = Mutex<BodyError?>(nil)
    let gate = Gate()
    try await withHouse(
      makeAnswer: { loop in
        let poller = loop.poller
        return { request in
          do throws(BodyError) {
            _ = try await request.body.collect(limit: 1_000)
          } catch {
            seen.withLock { $0 = error }
          }
          gate.open()
          _ = poller
          return Response(.ok)
        }
      }
    ) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST / HTTP/1.1\r\n\(host)Content-Length: 50\r\n\r\nhalf")
      client.close()
      await gate.pass(poller)
    }
    #expect(seen.withLock { $0 } == .disconnected)
  }

  @Test("a body that outlives its request gives nothing of the next one")
  func outlived() async throws {
    nonisolated(unsafe) var kept: RequestBody?
    try await withHouse(answer: { request in
      if request.path == "/first" {
        kept = request.body
        return Response(.ok)
      }
      do {
        _ = try await kept?.read()
        return Response(.internalServerError)
      } catch {
        return try await digest(request)
      }
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("POST /first HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc")
      #expect(try await client.reply()?.status == 200)
      try await client.send("POST /second HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nxyz")
      #expect(try await client.reply()?.text == "3 \(CRC32.sum("xyz".utf8))")
    }
    kept = nil
  }
}

/// Holds up a task of one loop until another thread opens it.
final class Gate: Sendable {
  private let isOpen = Atomic<Bool>(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func pass(_ poller: Poller) async {
    while !isOpen.load(ordering: .acquiring) {
      do throws(LoopError) { try await poller.sleep(for: 1) } catch { return }
    }
  }
}
