import Activity
import Consent
import EventLoop
import HTTP
import People
import Storage
import Support
import Testing

@testable import Site

/// Today as it is heard: what reaches an open page, when, and when it ends.
@Suite(.timeLimit(.minutes(3)))
struct LiveTests {
  private func ada(at now: String = "2026-11-26T15:42:00Z") async throws -> (TestSite, Browser) {
    let site = try await TestSite(at: now)
    try await site.add(.ada)
    return (site, try await site.browser(of: .ada))
  }

  /// A phone's batch, committed as an upload would: `steps` in the hour from `start` on.
  private func upload(_ steps: Double, from start: String, to site: TestSite) async throws {
    let begin = Instant(utc: start)
    try await site.onStore { store in
      let account = try #require(try await store.account(login: Cast.ada.login))
      let hand = WritePermit.onServer(for: account.account.person, client: nil)
      let client = try await store.addClient(hand, name: "phone", feed: .healthKit)
      let source = Source(key: "phone", sourceClass: .phone, device: "Phone")
      var batch = Batch(feed: .healthKit)
      batch.sources = [source]
      batch.samples = [
        Sample(
          start: begin, end: begin.advanced(hours: 1), count: steps, recorded: begin.advanced(hours: 1),
          key: SampleKey(high: UInt64.random(in: 0 ... .max), low: 1), source: 0, zone: nil, type: .stepCount)
      ]
      let number = (high: UInt64.random(in: 0 ... .max), low: UInt64(1))
      _ = try await store.receive(
        batch, Storage.Upload(batch: number, bodyHash: [1]),
        permit: .onServer(for: account.account.person, client: client)
      ) { _ in [] }
    }
  }

  @Test("the current value comes first, then each change after its commit", arguments: [true, false])
  func changes(announced: Bool) async throws {
    let (site, browser) = try await ada()
    try await upload(1_200, from: "2026-11-26T08:00:00Z", to: site)
    try await site.watch(listening: announced)
    let page = try await browser.get("/today")
    let tag = try #require(page.text.firstMatch(of: /data-tag="([^"]+)"/)?.1)
    try await browser.listen("/today/live") { ears in
      let first = try await ears.event(containing: "\"steps\":1200")
      #expect(first.contains("id: \(tag)\n"), "the page knows that it shows this already")
      #expect(first.contains("\"date\":\"2026-11-26\"") && first.contains("\"type\":\"stepCount\""))
      try await upload(300, from: "2026-11-26T10:00:00Z", to: site)
      _ = try await ears.event(containing: "\"steps\":1500")
    }
    try await browser.listen("/today/live") { ears in _ = try await ears.event(containing: "\"steps\":1500") }
  }

  @Test("late data for yesterday changes the page and never today's number")
  func yesterday() async throws {
    let (site, browser) = try await ada()
    try await upload(1_200, from: "2026-11-26T08:00:00Z", to: site)
    try await site.watch(listening: true)
    try await browser.listen("/today/live") { ears in
      let first = try await ears.event(containing: "\"steps\":1200")
      try await upload(9_999, from: "2026-11-25T08:00:00Z", to: site)
      let second = try await ears.event(containing: "\"steps\":1200", otherThan: first)
      #expect(second.contains("\"date\":\"2026-11-26\""))
    }
  }

  @Test("at the owner's midnight the new day comes by itself, with nothing known yet")
  func midnight() async throws {
    // 23:59:59 in Berlin.
    let (site, browser) = try await ada(at: "2026-11-26T22:59:59Z")
    try await upload(1_200, from: "2026-11-26T08:00:00Z", to: site)
    try await browser.listen("/today/live") { ears in
      _ = try await ears.event(containing: "\"date\":\"2026-11-26\"")
      site.clock.advance(milliseconds: 1_500)
      let next = try await ears.event(containing: "\"date\":\"2026-11-27\"")
      #expect(next.contains("\"steps\":null"))
    }
  }

  @Test("a page whose session ends hears nothing more", arguments: [true, false])
  func signedOut(announced: Bool) async throws {
    let (site, browser) = try await ada()
    try await site.watch(listening: announced)
    try await browser.listen("/today/live") { ears in
      _ = try await ears.event(containing: "event: today")
      _ = try await browser.submit("/sign-out", on: "/settings", [])
      try await ears.end()
      try await upload(1_200, from: "2026-11-26T08:00:00Z", to: site)
      #expect(!ears.text.contains("1200"))
    }
    #expect(site.commons.live.count == 0)
  }

  @Test("visitors and programs without a session are refused, other methods too")
  func refused() async throws {
    let (site, browser) = try await ada()
    #expect(try await Browser(site).get("/today/live").status == 303)
    #expect(try await Browser(site).get("/today/live", [("accept", "application/json")]).status == 401)
    #expect(try await browser.post("/today/live", []).status == 405)
    let head = try await browser.send(.head, "/today/live")
    #expect(head.status == 200 && head["content-type"] == "text/event-stream; charset=utf-8")
    #expect(site.commons.live.count == 0)
  }

  @Test("the number of open pages has a limit, which is said in words, and places come back")
  func limit() async throws {
    let (site, browser) = try await ada()
    try await browser.listen("/today/live", times: LiveHub.mostOfPerson) { ears in
      _ = try await ears.event(containing: "event: today")
      let answer = try await browser.get("/today/live", [("accept", "text/event-stream, application/json")])
      #expect(answer.status == 429)
      #expect(answer.text.contains("\"limit\":12") && answer.text.contains("Too many pages of yours are open"))
    }
    #expect(site.commons.live.count == 0)
    try await browser.listen("/today/live") { ears in _ = try await ears.event(containing: "event: today") }
  }

  @Test("a silent stream says now and then that it is there, and looks at nothing")
  func heartbeat() async throws {
    let (_, browser) = try await ada()
    try await browser.listen("/today/live") { ears in
      _ = try await ears.event(containing: ":\n\n")
      #expect(ears.text.ranges(of: "event: today").count == 1)
    }
  }

  @Test("what a phone has sent is the last update, also where no file was ever imported")
  func lastUpdate() async throws {
    let (site, browser) = try await ada()
    try await upload(1_200, from: "2026-11-26T08:00:00Z", to: site)
    site.clock.advance(milliseconds: 180_000)
    let page = try await browser.get("/today")
    #expect(page.text.contains("<b>phone</b><span>Sends by itself</span>"))
    #expect(page.text.contains("3 min ago"))
    #expect(!page.text.contains("Nothing has arrived yet"))
  }

  @Test("loaded again only when asked for, and a reload that changes nothing is a 304")
  func again() async throws {
    let (site, browser) = try await ada()
    try await upload(1_200, from: "2026-11-26T08:00:00Z", to: site)
    let page = try await browser.get("/today")
    #expect(page["refresh"] == nil && page.text.contains("href=\"/today?every=60\""))
    #expect(page.text.contains("href=\"/today\">Update"))
    let asked = try await browser.get("/today?every=60")
    #expect(asked["refresh"] == "60" && asked.text.contains("href=\"/today\">Stop loading again"))
    let tag = try #require(page["etag"])
    #expect(try await browser.get("/today", [("if-none-match", tag)]).status == 304)
    try await upload(1, from: "2026-11-26T09:00:00Z", to: site)
    let fresh = try await browser.get("/today", [("if-none-match", tag)])
    #expect(fresh.status == 200 && fresh.text.contains("1,201"))
  }
}
