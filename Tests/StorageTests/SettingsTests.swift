import Activity
import Consent
import People
import Postgres
import Support
import Synchronization
import Testing

@testable import Storage

private let today = Walks.today

@Suite struct SettingsTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  @Test("a goal holds from its day on, and the facts of streaks follow")
  func goals() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      let days = (0..<5).map { today - $0 }
      _ = try await store.importFile(ada, [Walks.noons(days, 7_000)])
      let claim = try await store.signIn(ada)
      func streak() async throws -> Int {
        let page = try store.open(try await store.today(claim, around: today), claim)
        return page.facts.streak(.steps, today: today) { _ in false }.length
      }
      var length = try await streak()
      #expect(length == 0)
      try await store.setGoal(hand, Goal(type: .stepCount, since: today - 2, value: 6_000))
      length = try await streak()
      #expect(length == 3)
      try await store.pause(hand, days: today - 3...today - 3, note: "ill")
      try await store.setGoal(hand, Goal(type: .stepCount, since: today - 4, value: 7_000))
      length = try await streak()
      #expect(length == 4)
      await #expect(throws: Problem.self) { try await store.pause(hand, days: today - 5...today - 3, note: nil) }
      let settings = try store.open(try await store.settings(claim), claim)
      #expect(settings.pauses.map(\.note) == ["ill"] && settings.goals.entries.count == 2 && settings.login == "ada")
      #expect(try await store.endPause(hand, from: today - 3))
      length = try await streak()
      #expect(length == 5)
      await #expect(throws: Problem.self) {
        try await store.setGoal(hand, Goal(type: .stepCount, since: today, value: 0))
      }
    }
  }

  @Test("looks change one by one; a name that cannot be is refused")
  func look() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      try await store.changeLook(hand, weekStart: .sunday, theme: .dark)
      try await store.changeLook(hand, displayName: " Ada L. ")
      await #expect(throws: Problem.self) { try await store.changeLook(hand, displayName: " ") }
      let claim = try await store.signIn(ada)
      let opened = try (await store.session(claim)).opened(by: claim, at: self.home.clock.now)
      #expect(opened.settings.displayName == "Ada L." && opened.settings.theme == .dark)
      #expect(opened.settings.weekStart == .sunday && opened.settings.language == "en")
    }
  }

  @Test("a new zone counts the days again, with the zone as the reason; an unknown one is refused")
  func zone() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      _ = try await store.importFile(ada, [Walks.noons((1..<100).map { today - $0 }, 40)])
      await #expect(throws: Problem.self) { try await store.changeZone(hand, to: "Mars/Olympus", since: nil) }
      #expect(try await store.changeZone(hand, to: "Pacific/Apia", since: nil))
      #expect(try await !store.changeZone(hand, to: "Pacific/Apia", since: nil), "nothing to count again")
      let job = try await store.claimJob(instance: "a", lease: 30)
      #expect(job?.work == .recount(ada))
      while try await store.recount(hand) > 0 {}
      try await store.finish(job!)
      #expect(try await store.claimJob(instance: "a", lease: 30) == nil)
      // Noon in UTC is one in the morning of the next day there.
      let days = try await store.storedDays(of: ada)
      #expect(days.count == 99 && days.keys.max() == today && days.keys.min() == today - 98)
      let reasons = try self.home.rows("SELECT DISTINCT reason FROM day_revisions")
      #expect(reasons == [["3"]])
    }
  }

  @Test("sessions are listed and ended one by one or all but one; a new password ends the others")
  func sessions() async throws {
    try await home.withAda { store, ada in
      let here = try await store.signIn(ada)
      let there = try await store.signIn(ada)
      let settings = try store.open(try await store.settings(here), here)
      #expect(settings.sessions.count == 2)
      let id = settings.sessions.first { $0.tokenHash == there.tokenHash }!.id
      #expect(try await store.endSession(of: ada, id: id))
      #expect(try await !store.endSession(of: ada, id: id))
      _ = try await store.signIn(ada)
      try await store.changePassword(of: ada, hash: "new", keeping: here.tokenHash)
      #expect(try store.open(try await store.settings(here), here).sessions.count == 1)
      #expect(try await store.account(of: ada)?.passwordHash == "new")
    }
  }

  @Test("a session that is used lives on, up to its absolute end")
  func touch() async throws {
    try await home.withAda { store, ada in
      let claim = try await store.signIn(ada)
      for _ in 0..<9 {
        self.home.clock.advance(milliseconds: 10 * 86_400_000)
        guard let opened = try? (await store.session(claim)).opened(by: claim, at: self.home.clock.now) else { break }
        #expect(opened.session.wantsTouch(at: self.home.clock.now))
        try await store.touch(opened.session)
      }
      let over = try await store.session(claim)
      #expect(throws: Problem.self) { try over.opened(by: claim, at: self.home.clock.now) }
    }
  }
}
