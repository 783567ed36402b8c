import Activity
import HTTP
import Support
import Testing

@testable import Site

struct PageMemoryTests {
  private func page(_ size: Int) -> KeptBody { KeptBody([UInt8](repeating: 65, count: size)) }

  @Test("a page is found under its tag and no other")
  func keeps() {
    let memory = PageMemory(limit: 1 << 20)
    let body = page(100)
    memory.keep(body, as: "a", at: 0)
    #expect(memory.page("a", at: 1) === body)
    #expect(memory.page("b", at: 1) == nil)
    memory.keep(page(5), as: "a", at: 2)
    #expect(memory.page("a", at: 3) === body, "the same tag is the same page")
  }

  @Test("memory stays within its limit, and what was looked at since outlives what was not")
  func bounded() {
    let memory = PageMemory(limit: 100_000)
    // With what the compressed form is counted as, eight of these fill it.
    for number in 0..<8 { memory.keep(page(10_000), as: "\(number)", at: Int64(number)) }
    #expect(memory.size <= 100_000)
    #expect(memory.page("0", at: 20) != nil)
    memory.keep(page(10_000), as: "new", at: 21)
    #expect(memory.size <= 100_000)
    #expect(memory.page("0", at: 22) != nil)
    #expect(memory.page("1", at: 22) == nil)
    for number in 100..<1_000 { memory.keep(page(number * 10), as: "\(number)", at: Int64(number)) }
    #expect(memory.size <= 100_000)
  }

  @Test("a page that would fill the room is not kept, and a limit of 0 keeps none")
  func tooLarge() {
    let memory = PageMemory(limit: 100_000)
    memory.keep(page(25_000), as: "large", at: 0)
    #expect(memory.page("large", at: 0) == nil)
    #expect(memory.size == 0)
    let none = PageMemory(limit: 0)
    none.keep(page(1), as: "a", at: 0)
    #expect(none.page("a", at: 0) == nil)
  }

  @Test("what nobody asked for in a quarter of an hour is forgotten")
  func patience() {
    let memory = PageMemory(limit: 1 << 20)
    memory.keep(page(100), as: "old", at: 100_000)
    memory.keep(page(100), as: "used", at: 100_000)
    _ = memory.page("used", at: 500_000)
    memory.keep(page(100), as: "new", at: 100_000 + PageMemory.patience)
    #expect(memory.page("old", at: 1_000_001) == nil)
    #expect(memory.page("used", at: 1_000_001) != nil)
  }
}

/// Pages of days are a function of what was read: nothing that changes them may be missed.
struct KeptPageTests {
  private func withData() async throws -> (TestSite, Browser) {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    _ = try await browser.upload(ImportTests.export, named: "export.xml")
    try await site.work()
    return (site, browser)
  }

  private static let addresses = [
    "/history", "/history/week/2026-11-23", "/history/month/2026-11", "/history/year/2026", "/day/2026-11-25",
  ]

  @Test("an unchanged page is the same page, or none when the browser has it", arguments: addresses)
  func unchanged(address: String) async throws {
    let (_, browser) = try await withData()
    let (first, second) = (try await browser.get(address), try await browser.get(address))
    #expect(first.status == 200)
    #expect(first.bytes == second.bytes)
    let tag = try #require(first["etag"])
    #expect(second["etag"] == tag)
    let again = try await browser.get(address, [("if-none-match", tag)])
    #expect(again.status == 304)
    #expect(again.bytes.isEmpty)
  }

  @Test("new data, other settings and another day make another page", arguments: addresses)
  func changed(address: String) async throws {
    let (site, browser) = try await withData()
    var seen = [try #require(try await browser.get(address)["etag"])]
    func expectAnother(_ what: Comment) async throws {
      let page = try await browser.get(address, [("if-none-match", seen.joined(separator: ", "))])
      #expect(page.status == 200, what)
      seen.append(try #require(page["etag"], what))
    }
    let dark = [("zone", "Europe/Berlin"), ("week", "0"), ("theme", "2")]
    _ = try await browser.submit("/settings/display", on: "/settings", dark)
    try await expectAnother("theme")
    _ = try await browser.submit("/settings/name", on: "/settings", [("name", "Ada Lovelace")])
    try await expectAnother("name")
    let more = String(decoding: ImportTests.export, as: UTF8.self).replacing("08:00:00", with: "07:00:00")
      .replacing("value=\"1234\"", with: "value=\"1300\"")
    _ = try await browser.upload(Array(more.utf8), named: "export.xml")
    try await site.work()
    try await expectAnother("data")
    _ = try await browser.submit("/settings/goals", on: "/settings", [("steps", "12,500")])
    try await expectAnother("goal")
    _ = try await browser.submit("/settings/pauses", on: "/settings", [("from", "2026-11-25"), ("to", "2026-11-26")])
    try await expectAnother("pause")
    _ = try await browser.submit(
      "/settings/display", on: "/settings",
      [("zone", "Asia/Tokyo"), ("since", "always"), ("week", "0"), ("theme", "2")])
    try await expectAnother("zone, with days that are still to be counted")
    try await site.work()
    try await expectAnother("counted")
    site.commons.replace(interior: Commons.Interior(views: site.commons.interior.views, zones: ZoneTable(files: [:])))
    try await expectAnother("zone data")
    site.commons.replace(interior: Commons.Interior(views: site.commons.interior.views, zones: site.zones))
    site.clock.advance(milliseconds: 24 * 3_600_000)
    try await expectAnother("tomorrow")
  }

  @Test("what one session has is no page of another, and after signing out there is none")
  func sessions() async throws {
    let (site, browser) = try await withData()
    let other = try await site.browser(of: .ada)
    let (one, two) = (try await browser.get("/history"), try await other.get("/history"))
    #expect(one.bytes == two.bytes)
    #expect(one["etag"] != two["etag"])
    let cookie = browser[cookie: "__Host-sw"]
    _ = try await browser.submit("/sign-out", on: "/settings", [])
    browser[cookie: "__Host-sw"] = cookie
    let after = try await browser.get("/history", [("if-none-match", one["etag"] ?? "")])
    #expect(after.status == 303)
    #expect(!after.text.contains("1,234"))
  }
}
