import Activity
import People
import Secrets
import Support
import Testing

@testable import Consent

@Suite struct ClaimTests {
  private let now = Instant(seconds: 1_780_000_000)

  private func session(_ claim: OwnClaim, expires: Int64 = 60) -> Session {
    Session(
      person: claim.person, tokenHash: claim.tokenHash, role: .person, created: now, seen: now,
      expires: now.advanced(milliseconds: expires * 1000), confirmed: nil, formKey: [], agent: "")
  }

  private let settings = PersonSettings(
    displayName: "Ada", zones: [DatedZone(since: nil, zone: "UTC")], weekStart: .monday, theme: .system, language: "en",
    includeManual: true)

  private func claim(_ person: Int64) -> OwnClaim {
    OwnClaim(cookie: Token(.session, person: person, random: .system).text)!
  }

  @Test("only a session's token makes a claim")
  func tokens() {
    for kind in Token.Kind.allCases {
      let claim = OwnClaim(cookie: Token(kind, person: 7, random: .system).text)
      #expect((claim != nil) == (kind == .session))
    }
    #expect(OwnClaim(cookie: "") == nil)
  }

  @Test("what was read opens for its own valid session and gives an own permit")
  func opens() throws {
    let claim = claim(7)
    let guarded = Guarded(session: session(claim), settings: settings, value: 77_123)
    let opened = try guarded.opened(by: claim, at: now)
    #expect(opened.value == 77_123)
    #expect(opened.permit.owner == PersonID(7) && opened.permit.viewer == PersonID(7) && opened.permit.detail == .hours)
    #expect(WritePermit.own(opened).owner == PersonID(7) && WritePermit.own(opened).client == nil)
  }

  @Test("it stays shut without a session, after its end, for another session and for another person")
  func shut() {
    let ada = claim(7)
    let guards = [
      (Guarded(session: nil, settings: settings, value: 1), ada),
      (Guarded(session: session(ada, expires: 0), settings: settings, value: 1), ada),
      (Guarded(session: session(ada), settings: settings, value: 1), claim(7)),
      (Guarded(session: session(ada), settings: settings, value: 1), claim(8)),
    ]
    for (guarded, asker) in guards {
      do {
        _ = try guarded.opened(by: asker, at: now)
        Issue.record("it opened")
      } catch { #expect(error.code == .unauthenticated) }
    }
  }

  @Test("permits for the server's own work are asked for by jobs and the program only, never by pages")
  func onServer() throws {
    for path in try Repository.files(under: "Sources") where path.hasSuffix(".swift") {
      guard try Repository.text(path).contains(".onServer(") else { continue }
      let allowed = ["Sources/Product/Jobs/", "Sources/Product/Storage/", "Sources/stepwell/"]
      #expect(allowed.contains { path.hasPrefix($0) }, "\(path)")
    }
  }
}
