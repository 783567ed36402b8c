import HTTP
import HTTPWire
import Testing

@Suite("Requests are read")
struct ReadingTests {
  /// Heads that must be understood, and how.
  static let valid: [(text: String, lines: [String])] = [
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", ["GET / 1.1 none keep host=h", "end \"\""]),
    ("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", ["GET / 1.1 none keep host=h", "end \"\""]),
    ("GET / HTTP/1.0\r\n\r\n", ["GET / 1.0 none ", "end \"\""]),
    ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", ["GET / 1.0 none keep connection=Keep-Alive", "end \"\""]),
    (
      "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
      ["GET / 1.0 none connection=keep-alive, close", "end \"\""]
    ),
    (
      "HEAD /a HTTP/1.1\r\nHost:h\r\nConnection: close\r\n\r\n",
      ["HEAD /a 1.1 none host=h|connection=close", "end \"\""]
    ),
    (
      "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
      [
        "GET / 1.1 none keep host=h|connection=Upgrade, HTTP2-Settings|upgrade=h2c|http2-settings=AA", "end \"\"",
      ]
    ),
    ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", ["OPTIONS * 1.1 none keep host=h", "end \"\""]),
    ("BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n", ["BREW /pot 1.1 none keep host=h", "end \"\""]),
    ("get / HTTP/1.1\r\nHost: h\r\n\r\n", ["get / 1.1 none keep host=h", "end \"\""]),
    ("GET http://H:1/x HTTP/1.1\r\nHost: h:1\r\n\r\n", ["GET /x 1.1 none keep host=h:1", "end \"\""]),
    ("GET / HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n", ["GET / 1.1 none keep host=[::1]:8443", "end \"\""]),
    (
      "GET / HTTP/1.1\r\nHost: \t h \t\r\nX-Empty:\r\nX-Text:\ta\u{20}\tb\u{FF}é \r\n\r\n",
      ["GET / 1.1 none keep host=h|x-empty=|x-text=a \tb\u{FF}é", "end \"\""]
    ),
    (
      "PUT /f HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 002\r\n\r\nab",
      ["PUT /f 1.1 length(2) keep expect host=h|expect=100-Continue|content-length=002", "end \"ab\""]
    ),
    (
      "POST /f HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
      ["POST /f 1.1 none keep host=h|expect=100-continue|content-length=0", "end \"\""]
    ),
    (
      "POST /a%20b?x=1&y=%C3%A9 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nhOST:h:80\r\n\r\n",
      [
        "POST /a b?x=1&y=%C3%A9 1.1 length(3) keep host=h|content-length=3", "end \"abc\"",
        "GET / 1.1 none keep host=h:80", "end \"\"",
      ]
    ),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n0A\r\n0123456789\r\n"
        + "000;last\r\nX: y\r\nContent-Length: 7\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      [
        "POST / 1.1 chunked keep host=h|transfer-encoding=Chunked", "end \"abc0123456789\"",
        "GET / 1.1 none keep host=h", "end \"\"",
      ]
    ),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      ["POST / 1.1 chunked keep host=h|transfer-encoding=chunked", "end \"\""]
    ),
  ]

  @Test("a table of heads", arguments: valid.indices)
  func table(index: Int) {
    #expect(Reading.of(Self.valid[index].text).lines == Self.valid[index].lines)
  }

  @Test("every head reads the same byte by byte and cut in two at every place", arguments: valid.indices)
  func everySplit(index: Int) {
    let bytes = Array(Self.valid[index].text.utf8)
    let whole = Reading.of([bytes])
    #expect(Reading.of(bytes.map { [$0] }) == whole)
    for cut in 1..<bytes.count {
      #expect(Reading.of([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
    }
  }

  @Test("a pipe with a byte budget gives the same requests", arguments: [1, 2, 3, 7, 64, 1000])
  func budget(bytes: Int) {
    let all = Array(Self.valid.map(\.text).joined().utf8)
    let pieces = stride(from: 0, to: all.count, by: bytes).map { Array(all[$0..<min(all.count, $0 + bytes)]) }
    #expect(Reading.of(pieces) == Reading.of([all]))
    #expect(Reading.of([all]).lines == Self.valid.flatMap(\.lines))
  }

  @Test("the reader says when it is idle, in a body, and gives its memory back")
  func idle() throws {
    var reader = RequestReader()
    #expect(reader.isIdle && !reader.isInBody)
    reader.receive(Array("POST / HTTP/1.1\r\nHost: h\r\n".utf8))
    guard case .wait = reader.next() else { throw Unexpected() }
    #expect(!reader.isIdle && !reader.isInBody)
    reader.receive(Array("Content-Length: 2\r\n\r\na".utf8))
    guard case .head(let head) = reader.next() else { throw Unexpected() }
    #expect(head.host == "h" && head.body.knownLength == 2 && reader.isInBody && reader.buffered == 1)
    guard case .body([97]) = reader.next(), case .wait = reader.next() else { throw Unexpected() }
    reader.receive(Array("b".utf8))
    guard case .body([98]) = reader.next(), reader.isInBody, case .end = reader.next() else { throw Unexpected() }
    #expect(reader.isIdle && !reader.isInBody)
    reader.releaseMemory()
    guard case .wait = reader.next() else { throw Unexpected() }
  }

  @Test("bytes can be taken straight into the buffer, and a failing fill leaves it as it was")
  func direct() throws {
    var reader = RequestReader()
    let text = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    for start in stride(from: 0, to: text.count, by: 5) {
      let piece = text[start..<min(start + 5, text.count)]
      let count = reader.receive(upTo: 64) { room in
        room.copyBytes(from: piece)
        return piece.count
      }
      #expect(count == piece.count)
      #expect(throws: Unexpected.self) { try reader.receive(upTo: 64) { _ throws(Unexpected) in throw Unexpected() } }
    }
    guard case .head(let head) = reader.next() else { throw Unexpected() }
    #expect(head.target.path == "/")
  }

  @Test("pieces of a body stay within their limit, and the largest body is handed on without end")
  func pieces() throws {
    var limits = WireLimits()
    limits.piece = 10
    var reader = RequestReader(limits: limits)
    reader.receive(Array("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999999999\r\n\r\n".utf8))
    guard case .head = reader.next() else { throw Unexpected() }
    reader.receive([UInt8](repeating: 1, count: 25))
    var sizes: [Int] = []
    while case .body(let piece) = reader.next() { sizes.append(piece.count) }
    #expect(sizes == [10, 10, 5])
  }
}

struct Unexpected: Error {}
