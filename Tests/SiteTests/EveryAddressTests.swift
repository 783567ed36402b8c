import HTTP
import Support
import Testing

@testable import Site

/// The questions that every address is asked (house.md "Tests").
struct EveryAddressTests {
  static let routes = RouteTests.every.filter {
    switch $0 {
    case .start, .signIn, .setUp, .health, .ready, .batches, .healthAutoExport: false
    default: true
    }
  }

  @Test("a visitor is sent to the sign-in and comes back to where a page was asked for")
  func visitor() async throws {
    let site = try await TestSite()
    for route in Self.routes {
      let browser = Browser(site)
      if route.methods.contains(.get) {
        let expected = Route.signIn(returnTo: route.address).address
        #expect(try await browser.landing(route.address) == expected, "GET \(route.address)")
      }
      if route.methods.contains(.post) {
        #expect(try await browser.post(route.address, [])["location"] == "/sign-in", "POST \(route.address)")
      }
    }
  }

  @Test("a wrong method is answered 405 and says which are right")
  func wrongMethod() async throws {
    let site = try await TestSite()
    for route in RouteTests.every {
      for method in [Method.put, .delete, .patch, .options, .other("PROPFIND"), .get, .post]
      where !route.methods.contains(method) {
        let answer = try await Browser(site).send(method, route.address)
        #expect(answer.status == 405, "\(method.token) \(route.address)")
        #expect(answer["allow"] == route.methods.map(\.token).joined(separator: ", "))
      }
    }
  }

  @Test("a form without its token changes nothing, with the browser's own session")
  func withoutToken() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    for route in Self.routes where route.methods.contains(.post) && route != .imports {
      #expect(try await browser.post(route.address, []).status == 403, "\(route.address)")
    }
    #expect(try await browser.get("/settings").status == 200)
  }

  @Test("a form of another kind is answered 415, one that is too large 413")
  func wrongBodies() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    let large = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
    for route in Self.routes where route.methods.contains(.post) && route != .imports {
      let json = try await browser.send(.post, route.address, [("content-type", "application/json")], body: [123, 125])
      #expect(json.status == 415, "\(route.address)")
      let oversized = try await browser.send(
        .post, route.address, [("content-type", "application/x-www-form-urlencoded")], body: large)
      #expect(oversized.status == 413, "\(route.address)")
    }
  }

  @Test("every answer carries the security headers, errors too")
  func headers() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    for address in ["/", "/today", "/settings", "/nothing", "/day/2026-99-99", "/imports", "/healthz"] {
      let answer = try await browser.get(address)
      for name in [
        "content-security-policy", "x-content-type-options", "referrer-policy", "cross-origin-opener-policy",
      ] {
        #expect(answer.values(name).count == 1, "\(address) \(name)")
      }
      #expect(answer["cache-control"] != nil, "\(address)")
    }
  }

  @Test("what is malformed or unknown is one and the same 404")
  func notFound() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    let unknown = try await browser.get("/nothing").canonical
    for address in [
      "/day/2026-02-30", "/imports/xyz", "/imports/0000000000001", "/history/month/2026-13", "/settings/x",
    ] {
      let answer = try await browser.get(address)
      #expect(answer.status == 404, "\(address)")
      #expect(answer.canonical == unknown, "\(address)")
    }
  }

  @Test("programs that ask for JSON get a problem document")
  func problemDocument() async throws {
    let site = try await TestSite()
    let answer = try await Browser(site).get("/nothing", [("accept", "application/json")])
    #expect(answer.status == 404)
    #expect(answer["content-type"] == "application/problem+json")
    #expect(answer.text.contains("\"status\":404"))
    let visitor = try await Browser(site).get("/settings", [("accept", "application/json")])
    #expect(visitor.status == 401)
  }

  @Test(
    "a host that is not configured gets 421 and is told which is",
    arguments: ["evil.example", "steps.example:8443", ""])
  func misdirected(host: String) async throws {
    let site = try await TestSite()
    let answer = try await Browser(site).get("/today", [("host", host)])
    #expect(answer.status == 421)
    #expect(answer.text.contains(TestSite.base))
    #expect(!answer.text.contains("evil"))
  }
}
