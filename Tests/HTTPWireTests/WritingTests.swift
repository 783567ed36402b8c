import HTTP
import HTTPWire
import Testing

@Suite("Answers are framed")
struct WritingTests {
  static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)

  static func head(_ method: String = "GET", version: String = "1.1", fields: String = "") throws -> RequestHead {
    var reader = RequestReader()
    reader.receive(Array("\(method) / HTTP/\(version)\r\nHost: h\r\n\(fields)\r\n".utf8))
    guard case .head(let head) = reader.next() else { throw Unexpected() }
    return head
  }

  static func whole(_ status: Status, to head: RequestHead?, fields: HeaderFields = HeaderFields(), body: String = "")
    -> (text: String, keepsAlive: Bool)
  {
    var writer = ResponseWriter(to: head)
    var output: [UInt8] = []
    writer.whole(status, fields, body: Array(body.utf8), date: date, into: &output)
    return (String(decoding: output, as: UTF8.self), writer.keepsAlive)
  }

  @Test("head and body lie behind each other in one buffer")
  func plain() throws {
    let answer = Self.whole(
      .ok, to: try Self.head(), fields: HeaderFields([("Content-Type", "text/plain")]), body: "hi")
    #expect(
      answer.text
        == "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\ncontent-length: 2\r\n\r\nhi"
    )
    #expect(answer.keepsAlive)
  }

  @Test("no body follows HEAD, 204 and 304")
  func noBody() throws {
    let date = "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
    #expect(
      Self.whole(.ok, to: try Self.head("HEAD"), body: "hello").text
        == "HTTP/1.1 200 OK\r\n\(date)content-length: 5\r\n\r\n")
    #expect(
      Self.whole(.noContent, to: try Self.head(), body: "hello").text == "HTTP/1.1 204 No Content\r\n\(date)\r\n")
    #expect(
      Self.whole(.notModified, to: try Self.head(), body: "hello").text
        == "HTTP/1.1 304 Not Modified\r\n\(date)\r\n")
    var writer = ResponseWriter(to: try Self.head("HEAD"))
    var output: [UInt8] = []
    writer.start(.ok, HeaderFields(), length: .unknown, date: Self.date, into: &output)
    let length = output.count
    writer.write([1, 2, 3], into: &output)
    let isComplete = writer.finish(into: &output)
    #expect(isComplete && output.count == length && writer.keepsAlive)
  }

  @Test("an answer without a length is chunked, or ends with the connection in HTTP/1.0")
  func streamed() throws {
    var output: [UInt8] = []
    var writer = ResponseWriter(to: try Self.head())
    writer.start(.ok, HeaderFields(), length: .unknown, date: Self.date, into: &output)
    output = []
    for piece in ["a", "", String(repeating: "b", count: 26)] { writer.write(Array(piece.utf8), into: &output) }
    let isComplete = writer.finish(into: &output)
    #expect(isComplete)
    #expect(
      String(decoding: output, as: UTF8.self) == "1\r\na\r\n1a\r\n\(String(repeating: "b", count: 26))\r\n0\r\n\r\n")
    #expect(writer.keepsAlive)

    output = []
    writer = ResponseWriter(to: try Self.head(version: "1.0", fields: "Connection: keep-alive\r\n"))
    writer.start(.ok, HeaderFields(), length: .unknown, date: Self.date, into: &output)
    writer.write([97], into: &output)
    let isEnded = writer.finish(into: &output)
    #expect(isEnded && !writer.keepsAlive)
    #expect(String(decoding: output, as: UTF8.self).hasSuffix("connection: close\r\n\r\na"))
  }

  @Test("a body that does not keep its promised length ends the connection")
  func promises() throws {
    var output: [UInt8] = []
    var short = ResponseWriter(to: try Self.head())
    short.start(.ok, HeaderFields(), length: .known(3), date: Self.date, into: &output)
    short.write([1, 2], into: &output)
    let finished = short.finish(into: &output)
    #expect(!finished && !short.keepsAlive)

    var long = ResponseWriter(to: try Self.head())
    output = []
    long.start(.ok, HeaderFields(), length: .known(3), date: Self.date, into: &output)
    let start = output.count
    long.write([1, 2], into: &output)
    long.write([3, 4], into: &output)
    #expect(Array(output[start...]) == [1, 2, 3])
    let complete = long.finish(into: &output)
    #expect(complete && !long.keepsAlive)
  }

  @Test("the connection's fate is told to the client")
  func connection() throws {
    #expect(Self.whole(.badRequest, to: nil).text.contains("\r\nconnection: close\r\n"))
    #expect(Self.whole(.ok, to: try Self.head(fields: "Connection: close\r\n")).text.contains("connection: close"))
    let old = Self.whole(.ok, to: try Self.head(version: "1.0", fields: "Connection: keep-alive\r\n"))
    #expect(old.keepsAlive && old.text.contains("connection: keep-alive"))
    #expect(!Self.whole(.ok, to: try Self.head(version: "1.0")).keepsAlive)
    var writer = ResponseWriter(to: try Self.head())
    writer.close()
    var output: [UInt8] = []
    writer.whole(.ok, HeaderFields(), body: [], date: Self.date, into: &output)
    #expect(String(decoding: output, as: UTF8.self).contains("connection: close"))
  }

  @Test("framing fields of the product are replaced, never sent twice")
  func framingFields() throws {
    let fields = HeaderFields([
      ("content-length", "999"), ("Transfer-Encoding", "gzip"), ("connection", "x"), ("date", "y"), ("etag", "\"a\""),
    ])
    #expect(
      Self.whole(.ok, to: try Self.head(), fields: fields, body: "hi").text
        == "HTTP/1.1 200 OK\r\netag: \"a\"\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\ncontent-length: 2\r\n\r\nhi")
  }

  @Test("chunks that are written are read again as the same body")
  func roundTrip() throws {
    var state: UInt64 = 9
    func next(_ limit: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % limit)
    }
    for _ in 0..<50 {
      var writer = ResponseWriter(to: try Self.head())
      var output: [UInt8] = []
      writer.start(.ok, HeaderFields(), length: .unknown, date: Self.date, into: &output)
      output = Array("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
      var body: [UInt8] = []
      for _ in 0..<next(8) {
        let piece = (0..<next(300)).map { _ in UInt8(next(256)) }
        body += piece
        writer.write(piece, into: &output)
      }
      let isComplete = writer.finish(into: &output)
      #expect(isComplete)
      var reader = RequestReader()
      var read: [UInt8] = []
      var ended = false
      for start in stride(from: 0, to: output.count, by: 17) {
        reader.receive(Array(output[start..<min(output.count, start + 17)]))
        loop: while true {
          switch reader.next() {
          case .wait: break loop
          case .head: continue
          case .body(let piece): read += piece
          case .end:
            ended = true
            break loop
          case .refuse(let refusal):
            Issue.record("\(refusal)")
            return
          }
        }
      }
      #expect(read == body && ended)
    }
  }

  @Test("fields that are written are read again")
  func fieldsRoundTrip() throws {
    let fields = HeaderFields([
      ("a", "b"), ("x-long", String(repeating: "é ", count: 50) + "."), ("empty", ""), ("a", "c\td"),
    ])
    var wire = Array("GET / HTTP/1.1\r\nhost: h\r\n".utf8)
    fields.write(into: &wire)
    wire += Array("\r\n".utf8)
    var reader = RequestReader()
    reader.receive(wire)
    guard case .head(let head) = reader.next() else { throw Unexpected() }
    var read = head.fields
    read.remove("host")
    #expect(read == fields)
    var again: [UInt8] = []
    head.fields.write(into: &again)
    #expect(again.count == wire.count - "GET / HTTP/1.1\r\n\r\n".utf8.count)
  }
}
