import HTTP
import HTTPWire
import Testing

/// Requests that two readers could understand differently, and requests beyond the limits: each is refused with the
/// reason that the log will show.
@Suite("Smuggling corpus")
struct SmugglingTests {
  struct Case: CustomTestStringConvertible {
    let title: String
    let text: String
    let refusal: Refusal
    var testDescription: String { title }

    init(_ title: String, _ text: String, _ refusal: Refusal) {
      self.title = title
      self.text = text
      self.refusal = refusal
    }

    /// POST to a good host with these further field lines.
    static func post(_ title: String, _ fields: String, body: String = "", _ refusal: Refusal) -> Case {
      Case(title, "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)", refusal)
    }

    static func chunks(_ title: String, _ body: String, _ refusal: Refusal) -> Case {
      post(title, "Transfer-Encoding: chunked", body: body, refusal)
    }
  }

  static let chunked = "Transfer-Encoding: chunked\r\n"

  static let framing: [Case] = [
    .post("length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked", .lengthAndChunks),
    .post("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 4", .lengthAndChunks),
    .post("chunks and length 0", "Transfer-Encoding: chunked\r\nContent-Length: 0", .lengthAndChunks),
    .post("two lengths", "Content-Length: 4\r\nContent-Length: 5", .repeatedContentLength),
    .post("the same length twice", "Content-Length: 4\r\nContent-Length: 4", .repeatedContentLength),
    .post("a list of lengths", "Content-Length: 4, 4", .badContentLength),
    .post("length with sign", "Content-Length: +4", .badContentLength),
    .post("negative length", "Content-Length: -4", .badContentLength),
    .post("hexadecimal length", "Content-Length: 0x4", .badContentLength),
    .post("length with a fraction", "Content-Length: 4.0", .badContentLength),
    .post("length with a blank", "Content-Length: 4 4", .badContentLength),
    .post("empty length", "Content-Length:", .badContentLength),
    .post("length beyond every number", "Content-Length: 99999999999999999999", .badContentLength),
    .post("length that wraps", "Content-Length: 18446744073709551620", .badContentLength),
    .post("Arabic digits", "Content-Length: ٤", .badContentLength),
    .post("vertical tab before chunked", "Transfer-Encoding: \u{0B}chunked", .controlCharacter),
    .post("xchunked", "Transfer-Encoding: xchunked", .badTransferEncoding),
    .post("chunked and identity", "Transfer-Encoding: chunked, identity", .badTransferEncoding),
    .post("identity", "Transfer-Encoding: identity", .badTransferEncoding),
    .post("gzip, chunked", "Transfer-Encoding: gzip, chunked", .badTransferEncoding),
    .post("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .badTransferEncoding),
    .post("chunked and cow", "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow", .badTransferEncoding),
    .post("quoted chunked", "Transfer-Encoding: \"chunked\"", .badTransferEncoding),
    .post("chunked with a parameter", "Transfer-Encoding: chunked;q=1", .badTransferEncoding),
    .post("empty transfer encoding", "Transfer-Encoding:", .badTransferEncoding),
    .post("a comma before chunked", "Transfer-Encoding: ,chunked", .badTransferEncoding),
    Case(
      "chunks in HTTP/1.0", "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      .chunksInOldVersion),
  ]

  static let lines: [Case] = [
    .post("blank before the colon", "Content-Length : 4", .badFieldName),
    .post("tab before the colon", "Transfer-Encoding\t: chunked", .badFieldName),
    .post("blank in the name", "Content Length: 4", .badFieldName),
    .post("folded line", "Transfer-Encoding: chunked\r\n , identity", .foldedLine),
    .post("folded with a tab", "X: a\r\n\tb", .foldedLine),
    Case("blank before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", .foldedLine),
    .post("no colon", "Content-Length", .fieldWithoutColon),
    .post("empty name", ": 4", .badFieldName),
    .post("name beyond ASCII", "Contént-Length: 4", .badFieldName),
    .post("name with a bracket", "X(: 4", .badFieldName),
    .post("NUL in a value", "X: a\0b", .controlCharacter),
    .post("NUL in a name", "X\0: a", .controlCharacter),
    .post("bare CR in a value", "X: a\rTransfer-Encoding: chunked", .badLineEnd),
    .post("bare LF in a value", "X: a\nTransfer-Encoding: chunked", .badLineEnd),
    .post("two CR", "X: a\r\r\nY: b", .badLineEnd),
    .post("delete in a value", "X: a\u{7F}", .controlCharacter),
    .post("escape in a value", "X: \u{1B}[0m", .controlCharacter),
    Case("bare LF everywhere", "GET / HTTP/1.1\nHost: h\n\n", .badLineEnd),
    Case("bare LF as the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\n", .badLineEnd),
    Case("two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .badRequestLine),
    Case("empty line with LF before", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .badLineEnd),
  ]

  static let hosts: [Case] = [
    Case("no host", "GET / HTTP/1.1\r\n\r\n", .missingHost),
    Case("two hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: g\r\n\r\n", .repeatedHost),
    Case("the same host twice", "GET / HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n", .repeatedHost),
    Case("two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: h\r\nHost: g\r\n\r\n", .repeatedHost),
    Case("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", .badHost),
    Case("a list of hosts", "GET / HTTP/1.1\r\nHost: h, g\r\n\r\n", .badHost),
    Case("host with a path", "GET / HTTP/1.1\r\nHost: h/x\r\n\r\n", .badHost),
    Case("host with a user", "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", .badHost),
    Case("host with a bad port", "GET / HTTP/1.1\r\nHost: h:80x\r\n\r\n", .badHost),
    Case("host with a long port", "GET / HTTP/1.1\r\nHost: h:000080\r\n\r\n", .badHost),
    Case("host with an open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .badHost),
    Case("absolute target of another host", "GET http://g/ HTTP/1.1\r\nHost: h\r\n\r\n", .hostDisagrees),
    Case("absolute target of another port", "GET http://h:81/ HTTP/1.1\r\nHost: h:80\r\n\r\n", .hostDisagrees),
  ]

  static let requestLines: [Case] = [
    Case("HTTP/0.9", "GET /\r\n", .badRequestLine),
    Case("HTTP/0.9 in words", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", .badVersion),
    Case("HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", .badVersion),
    Case("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .badVersion),
    Case("HTTP/1.10", "GET / HTTP/1.10\r\nHost: h\r\n\r\n", .badRequestLine),
    Case("lower-case http", "GET / http/1.1\r\nHost: h\r\n\r\n", .badVersion),
    Case("no version", "GET / \r\nHost: h\r\n\r\n", .badRequestLine),
    Case("two blanks after the method", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("two blanks before the version", "GET /  HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("tab after the method", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", .badRequestLine),
    Case("blank behind the version", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", .badRequestLine),
    Case("blank before the method", " GET / HTTP/1.1\r\nHost: h\r\n\r\n", .badRequestLine),
    Case("a second request in the target", "GET / HTTP/1.1\r\n/x HTTP/1.1\r\nHost: h\r\n\r\n", .badFieldName),
    Case("blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("target beyond ASCII", "GET /é HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("escaped slash", "GET /a%2Fb HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("dots", "GET /a/../b HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("star for GET", "GET * HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("relative target", "GET a HTTP/1.1\r\nHost: h\r\n\r\n", .badTarget),
    Case("method with brackets", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n", .badRequestLine),
    Case("long method", "ABCDEFGHIJKLMNOPQRSTUVWXY / HTTP/1.1\r\nHost: h\r\n\r\n", .badMethod),
    Case("CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", .connectRefused),
    Case("TRACE", "TRACE / HTTP/1.1\r\nHost: h\r\n\r\n", .traceRefused),
    Case("TLS where HTTP is spoken", "\u{16}\u{03}\u{01}\u{02}", .controlCharacter),
    .post("another expectation", "Expect: 200-ok", .unknownExpectation),
  ]

  static let bodies: [Case] = [
    .chunks("chunk size with 0x", "0x3\r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("negative chunk size", "-3\r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("chunk size with sign", "+3\r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("chunk size that wraps", "10000000000000003\r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("chunk size with many zeros", "0000000000000003\r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("chunk size with underscore", "1_0\r\n", .badChunkSize),
    .chunks("empty chunk size", "\r\nabc", .badChunkSize),
    .chunks("extension without size", ";a\r\nabc", .badChunkSize),
    .chunks("blank before the size", " 3\r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("blank after the size", "3 \r\nabc\r\n0\r\n\r\n", .badChunkSize),
    .chunks("bare LF after the size", "3\nabc\r\n0\r\n\r\n", .badLineEnd),
    .chunks("bare LF in an extension", "3;a\nabc\r\n0\r\n\r\n", .badLineEnd),
    .chunks("bare CR in an extension", "3;a\rb\r\nabc\r\n0\r\n\r\n", .badLineEnd),
    .chunks("NUL in an extension", "3;a\0\r\nabc\r\n0\r\n\r\n", .controlCharacter),
    .chunks("bare LF after the data", "3\r\nabc\n0\r\n\r\n", .badChunkEnd),
    .chunks("CR and something after the data", "3\r\nabc\rx0\r\n\r\n", .badChunkEnd),
    .chunks("data longer than its size", "3\r\nabcd\r\n0\r\n\r\n", .badChunkEnd),
    .chunks("data shorter than its size", "5\r\nabc\r\n0\r\n\r\n", .badChunkEnd),
    .chunks("long extension", "3;\(String(repeating: "x", count: 256))\r\nabc\r\n0\r\n\r\n", .chunkExtensionTooLong),
    .chunks("endless extension", "3;\(String(repeating: "x", count: 400))", .chunkExtensionTooLong),
    .chunks(
      "many extensions", String(repeating: "1;\(String(repeating: "x", count: 200))\r\na\r\n", count: 90),
      .chunkExtensionTooLong),
    .chunks("bare LF after the last chunk", "0\r\n\n", .badLineEnd),
    .chunks("folded trailer", "0\r\n X: y\r\n\r\n", .foldedLine),
    .chunks("trailer without colon", "0\r\nX\r\n\r\n", .fieldWithoutColon),
    .chunks("trailer with a blank before the colon", "0\r\nX : y\r\n\r\n", .badFieldName),
    .chunks("long trailer", "0\r\nX: \(String(repeating: "y", count: 9000))", .trailerTooLarge),
    .chunks("many trailers", "0\r\n\(String(repeating: "X: y\r\n", count: 101))\r\n", .trailerTooLarge),
  ]

  static let limits: [Case] = [
    Case("long target", "GET /\(String(repeating: "a", count: 8200)) HTTP/1.1\r\n", .requestLineTooLong),
    Case("endless request line", String(repeating: "a", count: 8200), .requestLineTooLong),
    .post("many fields", String(repeating: "A: b\r\n", count: 101) + "C: d", .tooManyFields),
    .post("long field", "A: \(String(repeating: "b", count: 33_000))", .headerTooLarge),
    Case(
      "endless field", "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "b", count: 33_000))", .headerTooLarge),
    .post(
      "many long fields", String(repeating: "A: \(String(repeating: "b", count: 990))\r\n", count: 40) + "C: d",
      .headerTooLarge),
  ]

  static let all = framing + lines + hosts + requestLines + bodies + limits

  @Test("is refused in one piece", arguments: all)
  func refused(attack: Case) {
    #expect(Reading.of(attack.text).refusal == attack.refusal)
  }

  @Test("is refused byte by byte and cut in two at every place", arguments: all)
  func everySplit(attack: Case) {
    let bytes = Array(attack.text.utf8)
    #expect(Reading.of(bytes.map { [$0] }).refusal == attack.refusal)
    guard bytes.count < 1_000 else { return }
    for cut in 1..<bytes.count {
      #expect(Reading.of([Array(bytes[..<cut]), Array(bytes[cut...])]).refusal == attack.refusal, "cut at \(cut)")
    }
  }

  @Test("nothing that comes after a refusal is read")
  func stays() {
    var reader = RequestReader()
    reader.receive(Array("GET / HTTP/1.1\n".utf8))
    reader.receive(Array("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    for _ in 0..<3 {
      guard case .refuse(.badLineEnd) = reader.next() else {
        Issue.record("read on")
        return
      }
    }
  }

  @Test("refusals are answered with the status that names their kind")
  func statuses() {
    #expect(Refusal.requestLineTooLong.status.code == 414)
    #expect(Refusal.headerTooLarge.status.code == 431)
    #expect(Refusal.tooManyFields.status.code == 431)
    #expect(Refusal.connectRefused.status.code == 501)
    #expect(Refusal.traceRefused.status.code == 405)
    #expect(Refusal.unknownExpectation.status.code == 417)
    #expect(Refusal.allCases.filter { $0.status == .badRequest }.count == Refusal.allCases.count - 7)
  }

  @Test("the corpus is large and covers every refusal")
  func coverage() {
    #expect(Self.all.count >= 100)
    #expect(Set(Self.all.map(\.refusal)) == Set(Refusal.allCases))
  }

  @Test("exactly at the limits a request is still read")
  func atTheLimits() {
    let path = String(repeating: "a", count: 8 * 1024 - "GET / HTTP/1.1".count)
    #expect(Reading.of("GET /\(path) HTTP/1.1\r\nHost: h\r\n\r\n").refusal == nil)
    let fields = String(repeating: "A: b\r\n", count: 99)
    #expect(Reading.of("GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n").refusal == nil)
    let value = String(repeating: "b", count: 32 * 1024 - "Host: h\r\nA: \r\n".utf8.count)
    #expect(Reading.of("GET / HTTP/1.1\r\nHost: h\r\nA: \(value)\r\n\r\n").refusal == nil)
    let chunk = "3;\(String(repeating: "x", count: 255))\r\nabc\r\n0\r\n\r\n"
    #expect(Reading.of("PUT / HTTP/1.1\r\nHost: h\r\n\(Self.chunked)\r\n\(chunk)").lines.last == "end \"abc\"")
  }
}
