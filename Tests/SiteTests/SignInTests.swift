import Activity
import HTTP
import Support
import Testing

struct SignInTests {
  @Test("name and password lead to Today, with a cookie that only this host and no script may see")
  func works() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = Browser(site)
    let answer = try await browser.submit(
      "/sign-in", on: "/sign-in", [("email", " ADA@family.example"), ("password", Cast.ada.password)])
    #expect(answer.status == 303)
    #expect(answer["location"] == "/today")
    let cookie = try #require(answer.values("set-cookie").first { $0.hasPrefix("__Host-sw=") })
    for part in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] { #expect(cookie.contains(part)) }
    #expect(try await browser.get("/settings").status == 200)
  }

  @Test("afterwards the person goes on to where the visit began")
  func returnTo() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = Browser(site)
    let way = try await browser.landing("/settings/sessions")
    #expect(way == "/sign-in?to=/settings/sessions")
    let answer = try await browser.submit(
      "/sign-in", on: way, [("email", Cast.ada.login), ("password", Cast.ada.password), ("to", "/settings/sessions")])
    #expect(answer["location"] == "/settings/sessions")
  }

  @Test("an unknown name and a wrong password get the same page")
  func mismatch() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = Browser(site)
    let wrong = try await browser.submit(
      "/sign-in", on: "/sign-in", [("email", "ada@family.example"), ("password", "x")])
    let unknown = try await browser.submit(
      "/sign-in", on: "/sign-in", [("email", "ada@family.exampla"), ("password", "x")])
    #expect(wrong.status == 422)
    #expect(
      wrong.canonical.split(separator: "ada@family.example") == unknown.canonical.split(separator: "ada@family.exampla")
    )
  }

  @Test("the eleventh try in a row waits, also with the right password, and not for ever")
  func limit() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = Browser(site)
    for _ in 0..<10 {
      let answer = try await browser.submit("/sign-in", on: "/sign-in", [("email", Cast.ada.login), ("password", "x")])
      #expect(answer.status == 422)
    }
    let fields = [("email", Cast.ada.login), ("password", Cast.ada.password)]
    let refused = try await browser.submit("/sign-in", on: "/sign-in", fields)
    #expect(refused.status == 429)
    #expect(refused["retry-after"] != nil)
    site.clock.advance(milliseconds: 20 * 60_000)
    #expect(try await browser.submit("/sign-in", on: "/sign-in", fields).status == 303)
  }

  @Test("a form without its token signs nobody in")
  func withoutToken() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = Browser(site)
    let answer = try await browser.post("/sign-in", [("email", Cast.ada.login), ("password", Cast.ada.password)])
    #expect(answer.status == 403)
    #expect(browser[cookie: "__Host-sw"] == nil)
  }

  @Test("a form from another site is refused, and the page says what was expected and seen")
  func foreign() async throws {
    let site = try await TestSite()
    let answer = try await Browser(site).send(
      .post, "/sign-in", [("origin", "https://evil.example"), ("content-type", "application/x-www-form-urlencoded")])
    #expect(answer.status == 403)
    #expect(answer.text.contains("https://evil.example"))
    #expect(answer.text.contains(TestSite.base))
  }

  @Test("an address of another site is no place to return to")
  func openRedirect() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let answer = try await Browser(site).submit(
      "/sign-in", on: "/sign-in",
      [("email", Cast.ada.login), ("password", Cast.ada.password), ("to", "//evil.example/")])
    #expect(answer["location"] == "/today")
  }

  @Test("a page from before is answered from the browser's memory until something changes")
  func notModified() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    let first = try await browser.get("/settings/password")
    let tag = try #require(first["etag"])
    #expect(first["cache-control"] == "private, no-cache")
    #expect(try await browser.get("/settings/password", [("if-none-match", tag)]).status == 304)
    #expect(try await browser.get("/settings/password").formToken != first.formToken)
    _ = try await browser.submit("/settings/name", on: "/settings", [("name", "Adalbert")])
    #expect(try await browser.get("/settings/password", [("if-none-match", tag)]).status == 200)
    let other = try await site.browser(of: .ada)
    #expect(try await other.get("/settings/password", [("if-none-match", tag)]).status == 200)
  }

  @Test("signing out ends the session and clears the browser")
  func signOut() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    let kept = browser[cookie: "__Host-sw"]
    let answer = try await browser.submit("/sign-out", on: "/settings", [])
    #expect(answer["location"] == "/sign-in")
    #expect(answer["clear-site-data"]?.contains("cookies") == true)
    #expect(browser[cookie: "__Host-sw"] == nil)
    browser[cookie: "__Host-sw"] = kept
    #expect(try await browser.landing("/today").hasPrefix("/sign-in"))
  }

  @Test("signing out asks for the form token")
  func signOutWithoutToken() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    #expect(try await browser.post("/sign-out", []).status == 403)
    #expect(try await browser.get("/settings").status == 200)
  }

  @Test("an administrator's session ends after half an hour without use, a person's after a fortnight")
  func idle() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    try await site.add(.eve)
    let (ada, eve) = (try await site.browser(of: .ada), try await site.browser(of: .eve))
    site.clock.advance(milliseconds: 31 * 60_000)
    #expect(try await eve.landing("/settings") == "/sign-in?to=/settings")
    #expect(try await ada.get("/settings").status == 200)
    site.clock.advance(milliseconds: 14 * 86_400_000 + 60_000)
    #expect(try await ada.landing("/settings") == "/sign-in?to=/settings")
  }

  @Test("a forged cookie opens nothing", arguments: ["", "x", "sws_0000000000001" + String(repeating: "A", count: 49)])
  func forged(cookie: String) async throws {
    let site = try await TestSite()
    let browser = Browser(site)
    browser[cookie: "__Host-sw"] = cookie
    #expect(try await browser.landing("/settings") == "/sign-in?to=/settings")
  }
}
