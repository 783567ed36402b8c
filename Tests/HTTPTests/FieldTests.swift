import HTTP
import Testing

@Suite("Fields, cookies, tags, encodings, types")
struct FieldTests {
  @Test("fields are found in any case, kept in order, replaced and removed")
  func fields() {
    var fields = HeaderFields([("Host", "h"), ("X-A", "1"), ("x-a", "2")])
    #expect(fields["HOST"] == "h")
    #expect(fields["x-A"] == "1")
    #expect(fields.values("X-a") == ["1", "2"])
    #expect(fields.map(\.name) == ["host", "x-a", "x-a"])
    fields["x-a"] = "3"
    #expect(fields.values("x-a") == ["3"])
    fields["host"] = nil
    #expect(!fields.contains("host") && fields.count == 1)
    var wire: [UInt8] = []
    fields.write(into: &wire)
    #expect(String(decoding: wire, as: UTF8.self) == "x-a: 3\r\n")
  }

  @Test("no value and no name can start another field")
  func injection() {
    let fields = HeaderFields([("location", "/a\r\nSet-Cookie: x=1\0"), ("na:me\r\n", "v")])
    var wire: [UInt8] = []
    fields.write(into: &wire)
    #expect(String(decoding: wire, as: UTF8.self) == "location: /a  Set-Cookie: x=1 \r\nna-me--: v\r\n")
  }

  @Test("slots outside the head are dropped instead of trapping")
  func foreignSlots() {
    let fields = HeaderFields(head: [97, 58], slots: [.init(name: 0, nameLength: 1, value: 1, valueLength: 9)])
    #expect(fields.isEmpty && fields["a"] == nil)
  }

  @Test("a token is found among the elements of all fields of a name")
  func tokens() {
    let fields = HeaderFields([("connection", "Upgrade ,\tCLOSE"), ("connection", "x")])
    #expect(fields.has(token: "close", in: "Connection"))
    #expect(fields.has(token: "x", in: "connection"))
    #expect(!fields.has(token: "clos", in: "connection"))
    #expect(!fields.has(token: "close", in: "upgrade"))
  }

  @Test("a cookie is found by its exact name in any field")
  func cookies() {
    let fields = HeaderFields([("cookie", "a=1; __Host-sw=\"tok=en\" ;b"), ("cookie", "c=; a=2")])
    #expect(Cookie.value(of: "__Host-sw", in: fields) == "tok=en")
    #expect(Cookie.value(of: "a", in: fields) == "1")
    #expect(Cookie.value(of: "c", in: fields) == "")
    #expect(Cookie.value(of: "A", in: fields) == nil)
    #expect(Cookie.value(of: "b", in: fields) == nil)
    #expect(Cookie.parse("a=1;;=x; b = 2 ;nothing").pairs == Form([("a", "1"), ("b", "2")]).pairs)
    #expect(Cookie.parse(String(repeating: "a=1;", count: 500)).pairs.count == 100)
  }

  @Test("a cookie that is set is always bound to this host, and comes back")
  func setCookie() {
    let cookie = SetCookie("sw", "abc.DEF-1", maxAge: 60)
    #expect(cookie.text == "__Host-sw=abc.DEF-1; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax")
    #expect(
      SetCookie("__Host-sw", "x", sameSite: .strict).text == "__Host-sw=x; Path=/; Secure; HttpOnly; SameSite=Strict")
    #expect(SetCookie.removal(of: "__Host-sw").text.contains("Max-Age=0"))
    #expect(SetCookie("s w", "a;b\r\nc\"d,e").text.hasPrefix("__Host-sw=abcde; Path"))
    var random = Seeded(state: 3)
    let characters = Array("abcXYZ019!#$%&'()*+-./:<=>?@[]^_`{|}~".unicodeScalars)
    for _ in 0..<200 {
      let value = random.text(from: characters, upTo: 40)
      let sent = SetCookie("sw", value).text.split(separator: ";")[0]
      #expect(Cookie.value(of: "__Host-sw", in: HeaderFields([("cookie", "a=b; \(sent)")])) == value)
    }
  }

  @Test(
    "a tag is named by If-None-Match weakly, by list and by star",
    arguments: [
      ("\"a\"", true), ("W/\"a\"", true), ("*", true), ("\"b\", W/\"a\"", true), ("\"b\",,\"a\"", true),
      ("\"b\"", false), ("a", false), ("\"a", false), ("w/\"a\"", false), ("\"a\" \"b\"", false), ("", false),
      ("\"A\"", false), ("\"x\", *", false),
    ])
  func entityTags(field: String, isNamed: Bool) {
    let fields = HeaderFields([("if-none-match", field)])
    #expect(EntityTag("a").isNamed(by: fields) == isNamed)
    #expect(EntityTag("a", isWeak: true).isNamed(by: fields) == isNamed)
  }

  @Test("tags come back as written")
  func tagRoundTrip() {
    let tags = [EntityTag("x"), EntityTag("", isWeak: true), EntityTag("a,b;é")]
    let text = tags.map(\.text).joined(separator: ", ")
    #expect(EntityTag.parse(list: Array(text.utf8)[...]) == tags)
    #expect(EntityTag("a\"b\r\n").text == "\"ab\"")
  }

  @Test(
    "gzip is sent only to those who take it",
    arguments: [
      ("gzip", true), ("gzip, deflate, br", true), ("deflate, GZIP;q=0.5", true), ("*", true),
      ("br;q=1, *;q=0.1", true),
      ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip;q=0, *", false), ("*;q=0", false), ("br", false),
      ("identity", false), ("", false), ("gzip;q=x", false), ("gzip;q=1.001", true), ("*;q=0, gzip", true),
      ("xgzip", false), ("gzip;level=1", false),
    ])
  func encodings(field: String, allowed: Bool) {
    #expect(AcceptEncoding.allows("gzip", HeaderFields([("accept-encoding", field)])) == allowed)
    #expect(!AcceptEncoding.allows("gzip", HeaderFields()))
  }

  @Test("media types with parameters")
  func contentTypes() {
    let type = ContentType.parse("Multipart/Form-Data ; Boundary=\"a b\\\"c\";charset=utf-8; ;x=1")
    #expect(type?.essence == "multipart/form-data")
    #expect(type?.parameters["boundary"] == "a b\"c")
    #expect(type?.parameters["charset"] == "utf-8")
    for broken in [
      "", "text", "text/", "/html", "text/html; a", "text/html; a=\"b", "a/b/c", "text/html; a=1; A=2", "te xt/x",
    ] {
      #expect(ContentType.parse(broken) == nil, "\(broken)")
    }
  }

  @Test("media types come back as written")
  func contentTypeRoundTrip() {
    var random = Seeded(state: 11)
    let characters = Array("ab \"\\;=é/".unicodeScalars)
    for _ in 0..<200 {
      let type = ContentType(
        essence: "text/x",
        parameters: Form([("a", random.text(from: characters)), ("b", random.text(from: characters))]))
      #expect(ContentType.parse(type.text) == type)
    }
  }
}
