import Activity
import Consent
import HTTP
import People
import Testing

@testable import Site

struct RouteTests {
  static let day = CivilDay(iso: "2026-11-22") ?? CivilDay(number: 0)
  static let every: [Route] = [
    .start, .today, .day(day), .history(from: nil, to: nil), .history(from: day, to: day + 3),
    .history(from: day, to: nil), .week(day), .month(year: 2026, month: 3), .month(year: 812, month: 12),
    .year(2026), .devices, .newDevice, .device(ClientID(7)), .deviceRemoval(ClientID(7)), .deviceToken(ClientID(7)),
    .deviceGrants(ClientID(7)), .grantRevocation(GrantID(7)), .confirm(returnTo: nil),
    .confirm(returnTo: "/devices/new"),
    .batches, .healthAutoExport, .imports, .importing(ImportID(77)), .importCancellation(ImportID(.max)), .settings,
    .displaySettings, .nameSettings, .goalSettings, .sourceOrder, .manualEntries, .pauses, .pauseRemoval(day),
    .password, .sessions, .sessionsEnd, .sessionEnd("0000000000042"), .signIn(returnTo: nil),
    .signIn(returnTo: "/day/2026-11-22?x=1&y=ü"), .signIn(returnTo: "/history?from=2026-01-01"), .signOut, .setUp,
    .health, .ready,
  ]

  @Test("every address that is printed is read back as the same route", arguments: every)
  func roundTrip(route: Route) throws {
    let target = try Target(route.address)
    // A return address in other than plain characters is dropped rather than trusted.
    let expected = route == .signIn(returnTo: "/day/2026-11-22?x=1&y=ü") ? Route.signIn(returnTo: nil) : route
    #expect(Route(segments: target.segments, query: target.query) == expected)
  }

  @Test(
    "what is no address of ours names no route",
    arguments: [
      "/nothing", "/day", "/day/2026-02-30", "/day/2026-2-3", "/day/today", "/day/2026-11-22/x",
      "/history/month/2026-13",
      "/history/month/2026", "/history/year/26", "/history/week/2026-W48", "/imports/1", "/imports/0000000000il0",
      "/imports/0000000000001/x", "/settings/x", "/settings/sessions/zz/end", "/settings/pauses/2026-11-22", "/TODAY",
    ])
  func unknown(address: String) throws {
    let target = try Target(address)
    #expect(Route(segments: target.segments, query: target.query) == nil)
  }

  @Test(
    "a return address leads nowhere else",
    arguments: [
      "//evil.example", "/\\evil.example", "https://evil.example", "today", "", "/a\r\nSet-Cookie: x", "/\u{e9}",
    ])
  func localAddress(text: String) { #expect(Route.localAddress(text) == nil) }

  @Test("every address says which methods it takes")
  func methods() {
    for route in Self.every {
      #expect(!route.methods.isEmpty)
      #expect(route.methods.contains(.get) == route.methods.contains(.head))
    }
  }
}
