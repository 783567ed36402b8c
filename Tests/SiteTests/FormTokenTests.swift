import HTTP
import Secrets
import Testing

@testable import Site

struct FormTokenTests {
  let token = FormToken(key: [1, 2, 3])

  @Test("a token is masked anew each time and accepted each time")
  func masked() {
    let one = String(decoding: token.masked(.system), as: UTF8.self)
    let other = String(decoding: token.masked(.system), as: UTF8.self)
    #expect(one != other)
    #expect(one.utf8.count == FormToken.length)
    #expect(token.accepts(one))
    #expect(token.accepts(other))
  }

  @Test(
    "another session's token is refused, and so is anything else",
    arguments: ["", "x", String(repeating: "A", count: 43)])
  func refused(text: String) {
    #expect(!token.accepts(text))
    #expect(!token.accepts(nil))
    #expect(!token.accepts(String(decoding: FormToken(key: [3, 2, 1]).masked(.system), as: UTF8.self)))
  }

  @Test("the slot of a page is filled wherever it stands")
  func slot() {
    let slot = FormSlot(random: .system)
    var page = Array("<\(slot.text)> slot \(slot.text)".utf8)
    let filled = Array(String(repeating: "x", count: FormToken.length).utf8)
    slot.fill(&page, with: filled)
    let x = String(repeating: "x", count: FormToken.length)
    #expect(String(decoding: page, as: UTF8.self) == "<\(x)> slot \(x)")
  }
}

struct OriginCheckTests {
  let check = OriginCheck(base: "https://steps.example:8443")

  @Test("a form of this site passes")
  func own() {
    let fields = HeaderFields([("origin", "https://steps.example:8443"), ("sec-fetch-site", "same-origin")])
    #expect(check.refusal(of: fields) == nil)
    #expect(check.refusal(of: HeaderFields()) == nil)
  }

  @Test("a form from elsewhere is refused, and what was seen is said")
  func foreign() {
    #expect(check.refusal(of: HeaderFields([("origin", "https://steps.example")])) == "https://steps.example")
    #expect(check.refusal(of: HeaderFields([("origin", "null")])) == "null")
    #expect(check.refusal(of: HeaderFields([("sec-fetch-site", "cross-site")])) != nil)
    #expect(
      check.refusal(of: HeaderFields([("sec-fetch-site", "same-site"), ("origin", "https://steps.example:8443")]))
        != nil)
  }

  @Test("localhost has three names, a real host one")
  func hosts() {
    #expect(OriginCheck(base: "https://localhost:8443").knows(host: "127.0.0.1:8443"))
    #expect(check.knows(host: "Steps.Example:8443"))
    #expect(!check.knows(host: "127.0.0.1:8443"))
    #expect(!check.knows(host: "steps.example"))
  }
}

struct SecurityHeaderTests {
  @Test("HSTS is sent for a real name only")
  func hsts() {
    for (base, expected) in [
      ("https://steps.example", true), ("https://localhost:8443", false), ("https://192.0.2.1", false),
      ("https://[2001:db8::1]:8443", false),
    ] {
      var response = Response(.ok)
      SecurityHeaders(base: base).add(to: &response)
      #expect(response.fields.contains("strict-transport-security") == expected)
      #expect(response.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    }
  }
}

struct SignInKeyTests {
  @Test("addresses of one IPv6 network count as one")
  func networks() {
    #expect(Site.network(of: "2001:db8:1:2:3:4:5:6") == "2001:db8:1:2")
    #expect(Site.network(of: "2001:db8::6") == "2001:db8:0:0")
    #expect(Site.network(of: "::1") == "0:0:0:0")
    #expect(Site.network(of: "fe80::1%eth0") == "fe80:0:0:0")
  }
}
