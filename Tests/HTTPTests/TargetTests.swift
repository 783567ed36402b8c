import HTTP
import Testing

@Suite("Targets, queries, forms")
struct TargetTests {
  @Test("a path is decoded and cut into segments")
  func path() throws {
    let target = try Target("/people/%41da/caf%C3%A9%20x?from=2026-11-01&q=a+b%26c&q=%F0%9F%91%A3&flag&&=v")
    #expect(target.path == "/people/Ada/café x")
    #expect(target.segments == ["people", "Ada", "café x"])
    #expect(target.query["from"] == "2026-11-01")
    #expect(target.query.values("q") == ["a b&c", "👣"])
    #expect(target.query["flag"] == "")
    #expect(target.query[""] == "v")
    #expect(target.query["none"] == nil)
    #expect(target.text.hasPrefix("/people/%41da"))
    #expect(try Target("/").segments.isEmpty)
    #expect(try Target("/a/").segments == ["a"])
    #expect(try Target("/a+b").path == "/a+b")
    #expect(try Target("/a:b@c;d=e,f!$&'()*~_-.").path == "/a:b@c;d=e,f!$&'()*~_-.")
    #expect(try Target("/.well-known/...").segments == [".well-known", "..."])
    #expect(try Target("/?").query.isEmpty)
    #expect(try Target("/a?b?c/..//").query.pairs.map(\.name) == ["b?c/..//"])
  }

  @Test("other forms of target")
  func forms() throws {
    let absolute = try Target("HTTP://Example.org:8443/a?b")
    #expect(absolute.authority == "Example.org:8443")
    #expect(absolute.text == "/a?b")
    #expect(try Target("https://[::1]:80/").authority == "[::1]:80")
    #expect(try Target("*").isAsterisk)
    #expect(try Target("*").path == "*")
    #expect(try Target("*").segments.isEmpty)
  }

  @Test(
    "unsafe targets are refused",
    arguments: [
      ("", TargetError.unsupportedForm), ("a", .unsupportedForm), ("ftp://h/", .unsupportedForm),
      ("http://h", .unsupportedForm), ("http:///x", .unsupportedForm), ("http://u@h/", .badCharacter),
      ("example.org:443", .unsupportedForm), ("**", .unsupportedForm),
      ("/a b", .badCharacter), ("/a\tb", .badCharacter), ("/a#b", .badCharacter), ("/é", .badCharacter),
      ("/a\\b", .badCharacter), ("/?a#", .badCharacter), ("/?é", .badCharacter), ("/\u{7F}", .badCharacter),
      ("/%", .badEscape), ("/%4", .badEscape), ("/%zz", .badEscape), ("/%4g", .badEscape), ("/?a=%", .badEscape),
      ("/?%u0041", .badEscape), ("/%00", .forbiddenEscape), ("/?a=%00", .forbiddenEscape),
      ("/a%2Fb", .forbiddenEscape), ("/a%2fb", .forbiddenEscape), ("/a%5Cb", .forbiddenEscape),
      ("/a%0Ab", .forbiddenEscape), ("/a%7f", .forbiddenEscape),
      ("/.", .dotSegment), ("/..", .dotSegment), ("/a/../b", .dotSegment), ("/a/./b", .dotSegment),
      ("/%2e", .dotSegment), ("/%2E%2e/x", .dotSegment), ("/.%2e", .dotSegment), ("/a/%2e.", .dotSegment),
      ("//", .emptySegment), ("//evil.example/", .emptySegment), ("/a//b", .emptySegment),
      ("/%C3", .notUTF8), ("/%C3%28", .notUTF8), ("/%ED%A0%80", .notUTF8), ("/?a=%FF", .notUTF8),
      ("/%C0%AF", .notUTF8),
    ])
  func refused(text: String, error: TargetError) {
    #expect(throws: error) { try Target(text) }
  }

  @Test("a form comes back as it was written")
  func formRoundTrip() throws {
    var random = Seeded(state: 7)
    for _ in 0..<500 {
      let form = Form(
        (0..<Int(random.next() % 6)).map { _ in (random.text(from: Seeded.awkward), random.text(from: Seeded.awkward)) }
      )
      let nonEmpty = form.pairs.filter { !($0.name.isEmpty && $0.value.isEmpty) }
      let again = try Form.parse(Array(form.encoded.utf8))
      #expect(again.pairs.filter { !($0.name.isEmpty && $0.value.isEmpty) } == nonEmpty)
      let target = try Target("/" + (form.isEmpty ? "" : "?\(form.encoded)"))
      #expect(target.query == again)
    }
  }

  @Test("forms beyond their limits and broken forms are refused")
  func formLimits() throws {
    #expect(throws: FormError.tooLarge(limit: 1 << 20)) {
      try Form.parse([UInt8](repeating: 97, count: (1 << 20) + 1))
    }
    let thousand = String(repeating: "a&", count: 1000)
    #expect(try Form.parse(Array(thousand.utf8)).pairs.count == 1000)
    #expect(throws: FormError.tooManyFields(limit: 1000)) { try Form.parse(Array((thousand + "a").utf8)) }
    for broken in ["a=%", "%zz=1", "a=%00", "a=%FF"] {
      #expect(throws: FormError.malformed) { try Form.parse(Array(broken.utf8)) }
    }
    #expect(throws: FormError.malformed) { try Form.parse([97, 61, 0xFF]) }
    #expect(throws: FormError.malformed) { try Form.parse([97, 61, 0]) }
  }

  @Test("the form of a request is read from its body, of the right type, up to the limit")
  func formBody() async throws {
    let type = ("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
    let request = try Request(.post, "/sign-in", [type], body: Array("name=ada&password=a+b".utf8))
    #expect(try await Form.read(request)["password"] == "a b")
    let json = try Request(.post, "/sign-in", [("Content-Type", "application/json")])
    await #expect(throws: FormError.wrongType) { try await Form.read(json) }
    let long = try Request(.post, "/sign-in", [type], body: Array("name=ada".utf8))
    await #expect(throws: FormError.tooLarge(limit: 4)) { try await Form.read(long, limit: 4) }
  }

  @Test("a segment comes back through its escape")
  func segment() throws {
    for text in ["a b", "é/", "100%", "?#&=", "👣"] where !text.contains("/") {
      #expect(try Target("/" + Percent.encode(text)).segments == [text])
    }
  }
}

/// A small repeatable source of randomness.
struct Seeded: RandomNumberGenerator {
  static let awkward = Array("ab=&+% ;?#/\"'é👣\n~.".unicodeScalars)

  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func text(from scalars: [Unicode.Scalar], upTo length: UInt64 = 8) -> String {
    var view = String.UnicodeScalarView()
    for _ in 0..<(next() % (length + 1)) { view.append(scalars[Int(next() % UInt64(scalars.count))]) }
    return String(view)
  }
}
