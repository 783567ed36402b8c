import Activity
import Support
import Testing

struct SettingsTests {
  private func adasBrowser() async throws -> (TestSite, Browser) {
    let site = try await TestSite()
    try await site.add(.ada)
    return (site, try await site.browser(of: .ada))
  }

  @Test("a new name stands on every page")
  func name() async throws {
    let (_, browser) = try await adasBrowser()
    let page = try await browser.submit("/settings/name", on: "/settings", [("name", " Ada <Berg> ")], following: true)
    #expect(page.text.contains("Your name is saved"))
    #expect(page.text.contains("Ada &lt;Berg&gt;"))
    #expect(!page.text.contains("<Berg>"))
  }

  @Test("an empty name is refused beside its field")
  func emptyName() async throws {
    let (_, browser) = try await adasBrowser()
    let page = try await browser.submit("/settings/name", on: "/settings", [("name", "  ")])
    #expect(page.status == 422)
    #expect(page.text.contains("id=\"dn-e\""))
  }

  @Test(
    "a goal holds from today; what is no goal is refused",
    arguments: [
      ("12,500", 303), ("12500", 303), (" 12 500 ", 303), ("12.500", 303), ("0", 422), ("x", 422), ("999999999", 422),
      ("10.5", 422), ("12,5,00", 422), ("1,2500", 422), ("-12500", 422), ("１２", 422), ("", 422), ("12.500,00", 422),
    ])
  func goal(typed: String, status: Int) async throws {
    let (_, browser) = try await adasBrowser()
    let answer = try await browser.submit("/settings/goals", on: "/settings", [("steps", typed)])
    #expect(answer.status == status)
    #expect(try await browser.get("/settings").text.contains(status == 303 ? "value=\"12,500\"" : "value=\"10,000\""))
  }

  @Test("zone, week and theme are kept; an unknown zone is refused")
  func display() async throws {
    let (_, browser) = try await adasBrowser()
    let fields = [("zone", "Asia/Tokyo"), ("week", "5"), ("theme", "2"), ("since", "now")]
    let page = try await browser.submit("/settings/display", on: "/settings", fields, following: true)
    #expect(page.text.contains("data-theme=\"dark\""))
    #expect(page.text.contains("<option selected>Asia/Tokyo</option>"))
    #expect(page.text.contains("<option value=\"5\" selected>"))
    #expect(page.text.contains("Times in Asia/Tokyo"))
    let wrong = try await browser.submit("/settings/display", on: "/settings", [("zone", "../etc/passwd")])
    #expect(wrong.status == 422)
  }

  @Test("a pause is listed, may not overlap another, and can be taken back")
  func pauses() async throws {
    let (_, browser) = try await adasBrowser()
    let first = [("from", "2026-11-02"), ("to", "2026-11-08")]
    let page = try await browser.submit("/settings/pauses", on: "/settings", first, following: true)
    #expect(page.text.contains("7 days"))
    let overlap = try await browser.submit(
      "/settings/pauses", on: "/settings", [("from", "2026-11-08"), ("to", "2026-11-09")])
    #expect(overlap.status == 409)
    for wrong in [[("from", "2026-11-09"), ("to", "2026-11-08")], [("from", "x"), ("to", "2026-11-08")], []] {
      #expect(try await browser.submit("/settings/pauses", on: "/settings", wrong).status == 422)
    }
    let back = try await browser.submit("/settings/pauses/2026-11-02/removal", on: "/settings", [], following: true)
    #expect(!back.text.contains("7 days"))
    let again = try await browser.submit("/settings/pauses/2026-11-02/removal", on: "/settings", [])
    #expect(again.status == 404)
  }

  @Test("a changed password ends all other sessions and opens the next one")
  func password() async throws {
    let (site, browser) = try await adasBrowser()
    let other = try await site.browser(of: .ada)
    let new = "a stair of nine sandstones"
    let answer = try await browser.submit(
      "/settings/password", on: "/settings/password", [("current", Cast.ada.password), ("new", new)])
    #expect(answer.status == 303)
    #expect(try await browser.get("/settings").status == 200)
    #expect(try await other.landing("/settings") == "/sign-in?to=/settings")
    let fresh = Browser(site)
    let old = [("email", Cast.ada.login), ("password", Cast.ada.password)]
    #expect(try await fresh.submit("/sign-in", on: "/sign-in", old).status == 422)
    #expect(
      try await fresh.submit("/sign-in", on: "/sign-in", [("email", Cast.ada.login), ("password", new)]).status == 303)
  }

  @Test(
    "the old password must be right and the new one good",
    arguments: [("wrong", "a stair of nine sandstones"), ("right", "short")])
  func badPassword(current: String, new: String) async throws {
    let (_, browser) = try await adasBrowser()
    let answer = try await browser.submit(
      "/settings/password", on: "/settings/password",
      [("current", current == "right" ? Cast.ada.password : current), ("new", new)])
    #expect(answer.status == 422)
    #expect(answer.text.contains("class=\"err\""))
  }

  @Test("sessions are listed and can be ended, one or all others")
  func sessions() async throws {
    let (site, browser) = try await adasBrowser()
    let (phone, tablet) = (try await site.browser(of: .ada), try await site.browser(of: .ada))
    let page = try await browser.get("/settings/sessions")
    #expect(page.text.contains("3 open sessions"))
    let end = try #require(page.text.firstMatch(of: /action="(\/settings\/sessions\/[0-9a-z]{13}\/end)"/)?.1)
    #expect(try await browser.submit(String(end), on: "/settings/sessions", []).status == 303)
    #expect(try await browser.submit(String(end), on: "/settings/sessions", []).status == 404)
    #expect(try await browser.get("/settings/sessions").text.contains("2 open sessions"))
    #expect(try await browser.submit("/settings/sessions/end", on: "/settings/sessions", []).status == 303)
    #expect(try await browser.get("/settings/sessions").text.contains("1 open session"))
    for gone in [phone, tablet] { #expect(try await gone.landing("/today").hasPrefix("/sign-in")) }
  }

  @Test("somebody else's session cannot be ended")
  func strangersSession() async throws {
    let (site, browser) = try await adasBrowser()
    _ = try await site.browser(of: .ada)
    let page = try await browser.get("/settings/sessions")
    let end = try #require(page.text.firstMatch(of: /action="(\/settings\/sessions\/[0-9a-z]{13}\/end)"/)?.1)
    try await site.add(.dan)
    let dan = try await site.browser(of: .dan)
    #expect(try await dan.submit(String(end), on: "/settings", []).status == 404)
    #expect(try await browser.get("/settings/sessions").text.contains("2 open sessions"))
  }

  @Test("the order of devices and manual entries change the numbers of days")
  func sources() async throws {
    let (site, browser) = try await adasBrowser()
    let file = try Repository.bytes("Tests/Fixtures/cases/01-overlap-phone-watch-same-interval/export.xml")
    _ = try await browser.upload(file, named: "export.xml")
    try await site.work()
    #expect(try await browser.get("/day/2025-06-10").text.contains("1,250"))
    let page = try await browser.get("/settings")
    let sources = page.text.matches(of: /name="source" value="([^"]+)"/).map { String($0.1) }
    #expect(sources.count == 2)
    let raised = try await browser.submit(
      "/settings/sources", on: "/settings", [("source", sources.last ?? ""), ("move", "up")])
    #expect(raised.status == 303)
    try await site.work()
    #expect(try await browser.get("/day/2025-06-10").text.contains("1,220"))
    _ = try await browser.submit("/settings/sources", on: "/settings", [("move", "reset")])
    try await site.work()
    #expect(try await browser.get("/day/2025-06-10").text.contains("1,250"))
    let unknown = try await browser.submit("/settings/sources", on: "/settings", [("source", "x"), ("move", "up")])
    #expect(unknown.status == 404)
  }
}
