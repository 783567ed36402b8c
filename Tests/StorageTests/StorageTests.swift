import Activity
import Consent
import People
import Postgres
import Support
import Testing

@testable import Storage

@Suite struct AccountTests {
  @Test("the first administrator is made once, whoever else asks at that moment")
  func setUp() async throws {
    let home = try Home()
    try await home.run { store in
      #expect(try await !store.isSetUp())
      let eve = try await store.setUp(
        NewAccount(login: " Eve ", displayName: "Eve", passwordHash: "x", zone: "Europe/Berlin"))
      #expect(try await store.isSetUp())
      await #expect(throws: Problem.self) {
        _ = try await store.setUp(
          NewAccount(login: "mallory", displayName: "M", passwordHash: "x", zone: "Europe/Berlin"))
      }
      let found = try await store.account(login: "EVE")
      #expect(found?.account.person == eve && found?.account.role == .administrator)
      #expect(try await store.account(login: "mallory") == nil)
      #expect(try await store.accounts().count == 1)
    }
  }

  @Test("a login is taken in every spelling that folds to it")
  func login() async throws {
    try await Home().withAda { store, _ in
      do {
        _ = try await store.createAccount(
          NewAccount(login: "ADA", displayName: "Other", passwordHash: nil, zone: "UTC"))
        Issue.record("taken twice")
      } catch let problem as Problem {
        #expect(problem.code == .conflict)
      }
    }
  }
}

@Suite struct SessionTests {
  @Test("a session opens the settings until it is signed out, over or of another")
  func session() async throws {
    let home = try Home()
    try await home.withAda { store, ada in
      let claim = try await store.signIn(ada)
      let opened = try (await store.session(claim)).opened(by: claim, at: home.clock.now)
      #expect(opened.settings.displayName == "Ada" && opened.settings.zone == "Europe/Berlin")
      #expect(opened.session.person == ada && opened.settings.zones == [DatedZone(since: nil, zone: "Europe/Berlin")])
      let other = try await store.signIn(ada)
      try await store.endSession(other)
      let ended = try await store.session(other)
      #expect(throws: Problem.self) { try ended.opened(by: other, at: home.clock.now) }
      _ = try (await store.session(claim)).opened(by: claim, at: home.clock.now)
      home.clock.set(home.clock.now.advanced(hours: 24 * 14))
      let late = try await store.session(claim)
      #expect(throws: Problem.self) { try late.opened(by: claim, at: home.clock.now) }
    }
  }
}
