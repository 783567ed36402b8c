import Archive
import Bytes
import EventLoop
import Glibc
import HTTP
import HTTPServer
import Synchronization
import Testing

private let host = "Host: localhost\r\n"
private let page = Array(String(repeating: "<li>12,345 steps on Monday</li>\n", count: 500).utf8)

@Suite("Streams and files", .timeLimit(.minutes(1)))
struct StreamTests {
  @Test("a stream arrives in chunks, and the connection goes on")
  func chunks() async throws {
    try await withHouse(answer: { _ in
      Response(
        .ok, fields: HeaderFields([("content-type", "text/event-stream")]),
        body: .stream { writer in
          for number in 0..<5 { try await writer.write(Array("event \(number)\n".utf8)) }
          try await writer.write([])
        })
    }) { poller, house in
      let client = try await house.connect(poller)
      for _ in 0..<2 {
        try await client.send("GET / HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\n\r\n")
        let reply = try #require(try await client.reply())
        #expect(reply["transfer-encoding"] == "chunked" && reply["content-encoding"] == nil)
        #expect(reply.text == "event 0\nevent 1\nevent 2\nevent 3\nevent 4\n" && !reply.isCut)
      }
    }
  }

  @Test("the first event arrives before the stream ends")
  func live() async throws {
    let gate = Gate()
    try await withHouse(makeAnswer: { loop in
      let poller = loop.poller
      return { _ in
        Response(
          .ok,
          body: .stream { writer in
            try await writer.write(Array("first".utf8))
            await gate.pass(poller)
          })
      }
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.line(upTo: "first\r\n") != nil)
      gate.open()
      #expect(try await client.line(upTo: "0\r\n\r\n") == "")
    }
  }

  @Test("an export is compressed as it is written")
  func export() async throws {
    try await withHouse(answer: { _ in
      Response(
        .ok, fields: HeaderFields([("content-type", "text/csv")]),
        body: .stream { writer in
          for _ in 0..<10 { try await writer.write(page) }
        })
    }) { poller, house in
      let reply = try #require(
        try await house.ask(poller, "GET / HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\n\r\n"))
      #expect(reply["content-encoding"] == "gzip")
      #expect(reply.body.count < page.count)
      #expect(try GzipDecoder.decode(reply.body, limit: 1 << 22) == Array((0..<10).map { _ in page }.joined()))
      let plain = try #require(try await house.ask(poller, "GET / HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n"))
      #expect(plain["transfer-encoding"] == nil && plain.body.count == page.count * 10)
    }
  }

  @Test("a stream that fails is cut, so that the client notices")
  func failing() async throws {
    struct Broken: Error {}
    try await withHouse(answer: { _ in
      Response(
        .ok,
        body: .stream { writer in
          try await writer.write(Array("some".utf8))
          throw Broken()
        })
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      let reply = try #require(try await client.reply())
      #expect(reply.text == "some" && reply.isCut && client.isEnded)
    }
  }

  @Test("HEAD of a stream writes nothing of it")
  func head() async throws {
    let ran = Atomic<Bool>(false)
    try await withHouse(answer: { _ in
      Response(.ok, body: .stream { _ in ran.store(true, ordering: .relaxed) })
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("HEAD / HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply(isHead: true)?.status == 200)
      let hasRun = ran.load(ordering: .relaxed)
      #expect(!hasRun)
    }
  }

  @Test("a client that vanishes cancels the stream, also while it waits")
  func vanished() async throws {
    let ended = Gate()
    try await withHouse(makeAnswer: { loop in
      let poller = loop.poller
      return { _ in
        Response(
          .ok,
          body: .stream { writer in
            defer { ended.open() }
            try await writer.write(Array("first".utf8))
            try await poller.sleep(for: 60_000)
          })
      }
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      _ = try await client.line(upTo: "first")
      client.close()
      await ended.pass(poller)
    }
  }

  @Test("a stopping server ends streams whole")
  func stopping() async throws {
    try await withHouse(makeAnswer: { loop in
      let poller = loop.poller
      return { _ in
        Response(
          .ok,
          body: .stream { writer in
            try await writer.write(Array("first".utf8))
            try await poller.sleep(for: 60_000)
          })
      }
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.line(upTo: "first\r\n") != nil)
      Task { await house.server.stop() }
      #expect(try await client.line(upTo: "0\r\n\r\n") == "")
    }
  }

  @Test("a file is streamed from disk; one that is not there is a 500")
  func files() async throws {
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) }
    var name = Array("/tmp/stepwell-file-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    #expect(write(file, bytes, bytes.count) == bytes.count)
    close(file)
    let path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    defer { unlink(path) }
    try await withHouse(answer: {
      Response(.ok, body: .file(path: $0.path == "/file" ? path : "/nowhere", length: bytes.count))
    }) { poller, house in
      let client = try await house.connect(poller)
      try await client.send("GET /file HTTP/1.1\r\n\(host)\r\nHEAD /file HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.body == bytes)
      #expect(try await client.reply(isHead: true)?["content-length"] == "700000")
      try await client.send("GET /other HTTP/1.1\r\n\(host)\r\n")
      #expect(try await client.reply()?.status == 500)
    }
  }
}

@Suite("Compression and static files", .timeLimit(.minutes(1)))
struct CompressionTests {
  @Test("a large page is compressed for who takes gzip, and its tag becomes weak")
  func gzip() async throws {
    try await withHouse(answer: { request in
      var response = Response(type: "text/html; charset=utf-8", request.path == "/small" ? [1] : page)
      response.fields.append("etag", "\"abc\"")
      return response
    }) { poller, house in
      let gzip = try #require(
        try await house.ask(poller, "GET / HTTP/1.1\r\n\(host)Accept-Encoding: br, gzip;q=0.5\r\n\r\n"))
      #expect(gzip["content-encoding"] == "gzip" && gzip["vary"] == "accept-encoding" && gzip["etag"] == "W/\"abc\"")
      #expect(try GzipDecoder.decode(gzip.body, limit: 1 << 20) == page)
      let plain = try #require(
        try await house.ask(poller, "GET / HTTP/1.1\r\n\(host)Accept-Encoding: gzip;q=0\r\n\r\n"))
      #expect(plain["content-encoding"] == nil && plain["vary"] == "accept-encoding" && plain.body == page)
      #expect(plain["etag"] == "\"abc\"")
      let small = try #require(
        try await house.ask(poller, "GET /small HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\n\r\n"))
      #expect(small["content-encoding"] == nil && small["vary"] == nil)
    }
  }

  @Test("what is coded already, or no text, goes out as it is")
  func untouched() async throws {
    try await withHouse(answer: { request in
      var response = Response(type: request.path == "/png" ? "image/png" : "text/html", page)
      if request.path == "/coded" { response.fields.append("content-encoding", "br") }
      return response
    }) { poller, house in
      for path in ["/png", "/coded"] {
        let reply = try #require(
          try await house.ask(poller, "GET \(path) HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\n\r\n"))
        #expect(reply.body == page && reply["content-encoding"] != "gzip")
      }
    }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    let sum = CRC32.sum(bytes)
    return (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt32($0 % 4 * 8)) }
  }

  @Test("a static file has an address by its content, is kept for ever and answered 304 when it is known")
  func staticFiles() async throws {
    let files = StaticFiles(["stepwell.css": page, "icons/dot.png": [1, 2, 3]], hash: Self.hash)
    let address = try #require(files.address(of: "stepwell.css"))
    #expect(address.hasPrefix("/assets/") && address.hasSuffix("/stepwell.css"))
    #expect(StaticFiles(["stepwell.css": page + [1]], hash: Self.hash).address(of: "stepwell.css") != address)
    #expect(files.address(of: "nothing.css") == nil)
    try await withHouse(answer: { files.answer(to: $0) ?? Response(.notFound) }) { poller, house in
      let plain = try #require(try await house.ask(poller, "GET \(address) HTTP/1.1\r\n\(host)\r\n"))
      #expect(plain.body == page && plain["content-type"] == "text/css; charset=utf-8")
      #expect(plain["cache-control"] == "public, max-age=31536000, immutable")
      let gzip = try #require(
        try await house.ask(poller, "GET \(address) HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\n\r\n"))
      #expect(try GzipDecoder.decode(gzip.body, limit: 1 << 20) == page)
      #expect(gzip["etag"] != plain["etag"])
      for reply in [plain, gzip] {
        let tag = try #require(reply["etag"])
        let coding = reply["content-encoding"] == nil ? "" : "Accept-Encoding: gzip\r\n"
        let again = try #require(
          try await house.ask(poller, "GET \(address) HTTP/1.1\r\n\(host)\(coding)If-None-Match: \(tag)\r\n\r\n"))
        #expect(again.status == 304 && again["etag"] == tag && again.body.isEmpty)
      }
      for request in [
        "GET /assets/0000/stepwell.css", "GET /assets/", "GET \(address)/", "POST \(address)",
        "GET \(address.replacing("stepwell.css", with: "icons/dot.png"))",
      ] {
        let reply7 = try await house.ask(poller, "\(request) HTTP/1.1\r\n\(host)\r\n")
        #expect(reply7?.status == 404)
      }
    }
  }

  @Test("a folder is read with its sub-folders and without hidden files")
  func folder() throws {
    var name = Array("/tmp/stepwell-assets-XXXXXX".utf8CString)
    let folder = try #require(
      name.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } })
    defer {
      _ = ["a.css", "icons/b.svg", ".c"].map { unlink(folder + "/" + $0) } + [rmdir(folder + "/icons"), rmdir(folder)]
    }
    mkdir(folder + "/icons", 0o755)
    for file in ["a.css", "icons/b.svg", ".c"] { close(open(folder + "/" + file, O_CREAT | O_WRONLY, 0o644)) }
    let files = try StaticFiles(folder: folder, hash: Self.hash)
    #expect(Set(files.addresses.keys) == ["a.css", "icons/b.svg"])
    #expect(throws: StaticFiles.Problem.unreadable(path: folder + "/none", errno: ENOENT)) {
      try StaticFiles(folder: folder + "/none", hash: Self.hash)
    }
  }
}

@Suite("Bodies that several answers share", .timeLimit(.minutes(1)))
struct KeptBodyTests {
  @Test("a kept body goes out plain and compressed, and is compressed once")
  func kept() async throws {
    try await withHouse(makeAnswer: { _ in
      let body = KeptBody(page)
      return { _ in
        Response(
          .ok, fields: HeaderFields([("content-type", "text/html"), ("x-packed", body.gzip == nil ? "no" : "yes")]),
          body: .kept(body))
      }
    }) { poller, house in
      let client = try await house.connect(poller)
      for (number, packed) in ["no", "yes", "yes"].enumerated() {
        try await client.send("GET / HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\n\r\n")
        let reply = try #require(try await client.reply())
        #expect(reply["x-packed"] == packed, "answer \(number)")
        #expect(reply["content-encoding"] == "gzip")
        #expect(try GzipDecoder.decode(reply.body, limit: 1 << 22) == page)
      }
      try await client.send("GET / HTTP/1.1\r\n\(host)\r\n")
      let plain = try #require(try await client.reply())
      #expect(plain.body == page && plain["content-encoding"] == nil)
      #expect(plain["vary"] == "accept-encoding")
    }
  }
}
