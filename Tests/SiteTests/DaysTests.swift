import Activity
import HTTP
import Support
import Testing

/// Today, History and Day as addresses; what the pages look like is tested apart.
struct DaysTests {
  private func withData() async throws -> (TestSite, Browser) {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    _ = try await browser.upload(ImportTests.export, named: "export.xml")
    try await site.work()
    return (site, browser)
  }

  @Test("before anything has arrived Today shows the ways in")
  func emptyToday() async throws {
    let site = try await TestSite()
    try await site.add(.ada)
    let page = try await site.browser(of: .ada).get("/today")
    #expect(page.status == 200)
    #expect(page.text.contains("href=\"/imports\""))
  }

  @Test("every page of days answers, and its days are links")
  func pages() async throws {
    let (_, browser) = try await withData()
    for address in [
      "/today", "/history", "/history?from=2026-11-20&to=2026-11-26", "/history?from=2026-11-26&to=2026-11-20",
      "/history?from=2026-11-20", "/history?to=2026-11-26", "/history/week/2026-11-23", "/history/month/2026-11",
      "/history/year/2026", "/day/2026-11-25", "/day/2026-11-26",
    ] {
      let page = try await browser.get(address)
      #expect(page.status == 200, "\(address)")
      #expect(page["etag"] != nil, "\(address)")
      #expect(page.text.contains("</html>"), "\(address)")
    }
    #expect(try await browser.get("/history/month/2026-11").text.contains("href=\"/day/2026-11-25\""))
  }

  @Test("a phone that is in an export and sends by itself is one device on the day, and its steps are told once")
  func twoFeeds() async throws {
    let (_, browser) = try await withData()
    let phone = try await TestPhone.add(browser)
    let batch = """
      {"batch":"00000000-0000-4000-8000-000000000001","added":[{"uuid":"00000001-AAAA-4000-8000-000000000001",\
      "type":"stepCount","value":1234,"unit":"count","start":"2026-11-25T07:00:00Z","end":"2026-11-25T08:00:00Z",\
      "source":{"name":"Ada’s iPhone","bundle":"com.apple.health.1"}}]}
      """
    #expect(try await phone.send(batch).status == 200)
    let day = try await browser.get("/day/2026-11-25").text
    #expect(day.contains("Counted by Ada’s iPhone") && day.contains("1,234"))
    #expect(!day.contains("2,468"))
    let devices = try await browser.get("/devices").text
    #expect(devices.contains("Phone · from exports") && devices.contains("Phone · sent by itself"))
  }

  @Test("a week lives at its first day, by the person's own start of the week")
  func week() async throws {
    let (_, browser) = try await withData()
    #expect(try await browser.landing("/history/week/2026-11-25") == "/history/week/2026-11-23")
    _ = try await browser.submit("/settings/display", on: "/settings", [("week", "6")])
    #expect(try await browser.landing("/history/week/2026-11-23") == "/history/week/2026-11-22")
  }

  @Test(
    "a day before the first data or in the future has no page",
    arguments: ["2026-11-24", "2026-11-27", "1970-01-01", "9999-12-31"])
  func noDay(day: String) async throws {
    let (_, browser) = try await withData()
    #expect(try await browser.get("/day/\(day)").status == 404)
  }

  @Test("a day whose end never arrived says so once nobody waits for it any more")
  func incomplete() async throws {
    let (site, browser) = try await withData()
    // The newest sample ends at nine on the 25th. A week later the phone may still deliver the rest.
    site.clock.advance(milliseconds: 6 * 86_400_000)
    #expect(try await browser.get("/history/month/2026-11").text.contains("waiting for data"))
    site.clock.advance(milliseconds: 2 * 86_400_000)
    let list = try await browser.get("/history/month/2026-11")
    #expect(list.text.contains("<small class=\"rem\">incomplete</small>"))
    let day = try await browser.get("/day/2026-11-25")
    #expect(day.text.contains("Data for the end of the day never arrived."))
  }

  @Test(
    "absurd ranges and years are answered calmly",
    arguments: [
      "/history?from=0001-01-01&to=9999-12-31", "/history?from=9999-12-31", "/history?to=0001-01-01",
      "/history?from=x&to=y", "/history/year/0001", "/history/year/9999", "/history/month/9999-12",
      "/history/month/0001-01",
      "/history/week/9999-12-31", "/history/week/0001-01-01",
    ])
  func absurd(address: String) async throws {
    let (_, browser) = try await withData()
    let answer = try await browser.get(address, following: true)
    #expect([200, 404].contains(answer.status))
  }

  @Test("nobody sees another person's days under any address of days")
  func stranger() async throws {
    let (site, _) = try await withData()
    try await site.add(.dan)
    let dan = try await site.browser(of: .dan)
    for address in ["/today", "/history", "/history/month/2026-11", "/history/year/2026", "/devices", "/imports"] {
      let page = try await dan.get(address)
      #expect(page.status == 200, "\(address)")
      #expect(!page.text.contains("1,234"), "\(address)")
      #expect(!page.text.contains("Ada’s"), "\(address)")
    }
    #expect(try await dan.get("/day/2026-11-25").status == 404)
  }

  @Test("HEAD answers as GET does", arguments: ["/today", "/history", "/day/2026-11-25", "/settings"])
  func head(address: String) async throws {
    let (_, browser) = try await withData()
    let (get, head) = (try await browser.get(address), try await browser.send(.head, address))
    #expect(head.status == get.status)
    #expect(head["etag"] == get["etag"])
  }
}
