import HTTP
import Testing

@Suite("Uploaded forms")
struct MultipartTests {
  static let boundary = "----Form7Xb"
  static let file = Array("PK\r\n\r\n--\r\n----Form7X\r\n------Form7X\0\u{FF}\r\r\n".utf8)
  static let form: [UInt8] = [
    Array("a preamble\r\n------Form7Xb \t\r\ncontent-disposition: form-data; name=\"zone\"\r\n\r\nEurope/Berlin".utf8),
    Array("\r\n------Form7Xb\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n".utf8),
    Array(
      "\r\n------Form7Xb\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\x\\Übung %22a%22.zip\"".utf8),
    Array("\r\nContent-Type: application/zip\r\nX-Other: 1\r\n\r\n".utf8), file,
    Array("\r\n------Form7Xb--\r\nepilogue".utf8),
  ].flatMap { $0 }

  static let expected = [
    "part zone nil nil", "\"Europe/Berlin\"", "part empty nil nil", "\"\"",
    "part file \"Übung \\\"a\\\".zip\" application/zip", String(decoding: file, as: UTF8.self).debugDescription, "end",
  ]

  /// What the reader says about a form that comes in these pieces; contents joined.
  static func read(_ pieces: [ArraySlice<UInt8>], boundary: String = boundary) throws -> [String] {
    var reader = try #require(MultipartReader(boundary: boundary))
    var lines: [String] = []
    var content: [UInt8] = []
    for piece in pieces {
      reader.receive(Array(piece))
      loop: while true {
        switch reader.next() {
        case .wait: break loop
        case .part(let part):
          let fileName = part.fileName.map(\.debugDescription) ?? "nil"
          lines.append("part \(part.name) \(fileName) \(part.contentType?.text ?? "nil")")
        case .content(let bytes):
          #expect(!bytes.isEmpty)
          content += bytes
        case .partEnd:
          lines.append(String(decoding: content, as: UTF8.self).debugDescription)
          content = []
        case .end: return lines + ["end"]
        case .refuse(let error): return lines + ["\(error)"]
        }
      }
    }
    return lines + ["wait"]
  }

  @Test("a form reads the same in one piece, byte by byte and cut in two at every place")
  func everySplit() throws {
    let form = MultipartTests.form
    #expect(try MultipartTests.read([form[...]]) == MultipartTests.expected)
    #expect(try MultipartTests.read(form.indices.map { form[$0...$0] }) == MultipartTests.expected)
    for cut in 1..<form.count {
      #expect(try MultipartTests.read([form[..<cut], form[cut...]]) == MultipartTests.expected, "cut at \(cut)")
    }
  }

  @Test("every shorter form waits for more, and its truncation is told")
  func truncated() async throws {
    let closing = MultipartTests.form.count - "\r\nepilogue".utf8.count
    for cut in 0..<closing {
      #expect(try MultipartTests.read([MultipartTests.form[..<cut]]).last == "wait", "cut at \(cut)")
    }
    let form = try Multipart(Self.request(Array(MultipartTests.form[..<(closing - 10)])))
    await #expect(throws: MultipartError.truncated) { while try await form.next() != nil {} }
  }

  static func request(_ body: [UInt8], pieces: Int = 7, type: String = "multipart/form-data; boundary=\(boundary)")
    throws -> Request
  {
    Request(
      method: .post, target: try Target("/imports"), fields: HeaderFields([("Content-Type", type)]),
      body: RequestBody(bytes: body, pieceSize: pieces))
  }

  @Test("parts are pulled from a body; content that nobody wants is read over")
  func pulled() async throws {
    let form = try Multipart(Self.request(MultipartTests.form))
    #expect(try await form.next()?.name == "zone")
    #expect(try await form.text() == "Europe/Berlin")
    #expect(try await form.next()?.name == "empty")
    #expect(try await form.next()?.fileName == "Übung \"a\".zip")
    var content: [UInt8] = []
    while let piece = try await form.read() { content += piece }
    #expect(content == MultipartTests.file)
    #expect(try await form.next() == nil)
    #expect(try await form.next() == nil)
    let skipped = try Multipart(Self.request(MultipartTests.form))
    var names: [String] = []
    while let part = try await skipped.next() { names.append(part.name) }
    #expect(names == ["zone", "empty", "file"])
  }

  @Test("a large file passes in pieces no larger than what came in, and pulls no further than asked")
  func backPressure() async throws {
    let piece = [UInt8](repeating: 13, count: 65_536)
    var pulled = 0
    let head = Array("--b\r\ncontent-disposition: form-data; name=f; filename=x\r\n\r\n".utf8)
    let body = RequestBody(length: nil) { () throws(BodyError) -> [UInt8]? in
      pulled += 1
      return pulled == 1 ? head : pulled <= 20 ? piece : pulled == 21 ? Array("\r\n--b--".utf8) : nil
    }
    let form = try Multipart(
      Request(
        method: .post, target: try Target("/"),
        fields: HeaderFields([("content-type", "multipart/form-data; boundary=b")]), body: body))
    #expect(try await form.next()?.fileName == "x")
    #expect(pulled == 1)
    var total = 0
    while let content = try await form.read() {
      total += content.count
      #expect(content.count <= 65_536 + 8)
      #expect(total >= (pulled - 2) * 65_536)
    }
    #expect(total == 19 * 65_536)
  }

  @Test(
    "broken forms are refused",
    arguments: [
      ("--b\r\n\r\nx\r\n--b--", "malformed"),
      ("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", "malformed"),
      ("--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--", "malformed"),
      ("--b\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\n", "malformed"),
      ("--b\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n", "malformed"),
      ("--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--b--", "malformed"),
      ("--b\r\nContent-Disposition: form-data; name=a\n\r\n\r\nx\r\n--b--", "malformed"),
      ("--b\r\nContent-Disposition form-data; name=a\r\n\r\nx\r\n--b--", "malformed"),
      ("--b\nContent-Disposition: form-data; name=a\n\nx\n--b--", "malformed"),
      ("--bx\r\n", "malformed"), ("--b-x", "malformed"),
    ])
  func broken(form: String, answer: String) throws {
    #expect(try MultipartTests.read([Array(form.utf8)[...]], boundary: "b").last == answer)
  }

  @Test("long preambles, long headers and too many parts are refused")
  func limits() throws {
    let preamble = [UInt8](repeating: 112, count: 5_000)
    #expect(try MultipartTests.read([preamble[...]], boundary: "b").last == "malformed")
    let header = Array("--b\r\nX: ".utf8) + [UInt8](repeating: 104, count: 9_000)
    #expect(try MultipartTests.read([header[...]], boundary: "b").last == "tooLarge(limit: 8192)")
    let part = Array("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n".utf8)
    let parts = Array(repeatElement(part, count: 1_001).joined())
    #expect(try MultipartTests.read([parts[...]], boundary: "b").last == "tooLarge(limit: 1000)")
  }

  @Test(
    "file names in all spellings",
    arguments: [
      ("filename=\"a b.zip\"", "a b.zip"), ("filename=plain.zip", "plain.zip"),
      ("filename=\"a\\\"b\\\\c.zip\"", "c.zip"), ("filename=\"a\\\"b.zip\"", "a\"b.zip"),
      ("filename=\"x.zip\"; filename*=UTF-8''na%C3%AFve%20%F0%9F%91%A3.zip", "naïve 👣.zip"),
      ("filename*=utf-8'de'%C3%9Cbung.zip; filename=x", "Übung.zip"),
      ("filename*=iso-8859-1''%DC.zip; filename=fallback.zip", "fallback.zip"),
      ("filename*=UTF-8''%zz; filename=fallback.zip", "fallback.zip"),
      ("filename=\"../../etc/passwd\"", "passwd"), ("filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
      ("filename=\"C:\\Users\\ada\\export.zip\"", "export.zip"), ("filename=\"\"", ""),
      ("filename=\"导出.zip\"", "导出.zip"), ("filename=\"a%0D%0Ab%2F\"", "a  b%2F"),
      ("filename=\"\(String(repeating: "é", count: 200))\"", String(repeating: "é", count: 127)),
    ])
  func fileNames(given: String, name: String) throws {
    let body = Array("--b\r\nContent-Disposition: form-data; name=f; \(given)\r\n\r\n".utf8)
    var reader = try #require(MultipartReader(boundary: "b"))
    reader.receive(body)
    guard case .part(let part) = reader.next() else {
      Issue.record("no part")
      return
    }
    #expect(part.fileName == name)
  }

  @Test(
    "other types and impossible boundaries are refused before anything is read",
    arguments: [
      "text/plain", "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=b",
      "multipart/form-data; boundary=\"a;b\"", "multipart/form-data; boundary=é",
      "multipart/form-data; boundary=\(String(repeating: "b", count: 71))",
    ])
  func wrongType(type: String) throws {
    #expect(throws: MultipartError.wrongType) { _ = try Multipart(Self.request([], type: type)) }
  }
}
