import Activity
import Consent
import People
import Postgres
import Support
import Synchronization
import Testing

@testable import Storage

private let today = Walks.today

@Suite struct ImportTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  @Test("a writer that was overtaken or cancelled cannot write any more; what it stored stays and counts once")
  func overtaken() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      let id = store.freshImport()
      try await store.received(hand, import: id, name: "export.zip", bytes: 9)
      let first = try await store.beginImport(try await store.claimJob(instance: "a", lease: 30)!)
      try await first.add(Walks.noons([today - 9, today - 8], 5), position: 3, records: 2)
      // The machine froze; its lease ran out.
      self.home.clock.advance(milliseconds: 60_000)
      let second = try await store.beginImport(try await store.claimJob(instance: "b", lease: 30)!)
      await #expect(throws: Problem.self) { try await first.add(Walks.noons([today - 7], 5), position: 4, records: 3) }
      try await second.add(Walks.noons([today - 9, today - 8], 5), position: 3, records: 2)
      try await second.add(Walks.noons([today - 7], 5), position: 4, records: 3)
      while try await second.count() > 0 {}
      try await second.end(.done, problem: nil)
      let claim = try await store.signIn(ada)
      let row = try store.open(try await store.importReport(claim, id), claim)?.row
      #expect(row?.counts.stored == 3 && row?.counts.duplicate == 0 && row?.counts.records == 3)
      #expect(try await store.claimJob(instance: "a", lease: 30) == nil)
    }
  }

  @Test("accounts, pauses and their end survive the loss of the COMMIT's answer, and say what is true")
  func lostAnswersOfPages() async throws {
    let proxy = try LossyProxy(target: home.database.socketFolder)
    defer { proxy.end() }
    let loop = try EventLoopForTest.start()
    defer { loop.stop() }
    try await loop.run(address: home.database.address(.web, through: proxy.folder), clock: home.clock.clock) { store in
      let losing = { proxy.armed.store(true, ordering: .relaxed) }
      let eve = NewAccount(login: "eve", displayName: "Eve", passwordHash: nil, zone: "Europe/Berlin")
      losing()
      let first = try await store.setUp(eve)
      #expect(try await store.account(login: "eve")?.account.person == first)
      await #expect(throws: Problem.self) { try await store.setUp(eve) }
      var ada = eve
      ada.login = "ada"
      losing()
      let person = try await store.createAccount(ada)
      #expect(try await store.account(login: "ada")?.account.person == person)
      await #expect(throws: Problem.self) { try await store.createAccount(ada) }
      let hand = WritePermit.onServer(for: person, client: nil)
      losing()
      try await store.pause(hand, days: (today - 9)...(today - 3), note: nil)
      await #expect(throws: Problem.self) { try await store.pause(hand, days: (today - 3)...today, note: nil) }
      losing()
      #expect(try await store.endPause(hand, from: today - 9))
      #expect(try await !store.endPause(hand, from: today - 9))
    }
    #expect(proxy.losses.load(ordering: .relaxed) == 4)
    #expect(try home.rows("SELECT count(*) FROM persons") == [["2"]])
    #expect(try home.rows("SELECT count(*) FROM audit_log") == [["2"]])
    #expect(try home.rows("SELECT count(*) FROM pauses") == [["0"]])
  }

  @Test("a login that is nobody's, or that cannot be, takes as many round trips as one that is somebody's")
  func roundTrips() async throws {
    let proxy = try LossyProxy(target: home.database.socketFolder)
    defer { proxy.end() }
    let loop = try EventLoopForTest.start()
    defer { loop.stop() }
    _ = try await home.withAda { _, ada in ada }
    try await loop.run(address: home.database.address(.web, through: proxy.folder), clock: home.clock.clock) { store in
      // Once to connect and to prepare.
      _ = try await store.account(login: "ada")
      for login in ["ada", "nobody", "", "two words"] {
        let before = proxy.requests.load(ordering: .relaxed)
        let found = try await store.account(login: login)
        #expect((found != nil) == (login == "ada"))
        #expect(proxy.requests.load(ordering: .relaxed) - before == 2, "\(login)")
      }
    }
  }

  @Test("a step of an import whose COMMIT answer is lost is repeated and counts once")
  func lostAnswers() async throws {
    let proxy = try LossyProxy(target: home.database.socketFolder)
    defer { proxy.end() }
    let ada = try await home.withAda { store, ada in
      // Something that the sweep will find missing in the next file.
      _ = try await store.importFile(ada, [Walks.noons([today - 20], 5)])
      return ada
    }
    let loop = try EventLoopForTest.start()
    defer { loop.stop() }
    let hand = WritePermit.onServer(for: ada, client: nil)
    let address = home.database.address(.web, through: proxy.folder)
    try await loop.run(address: address, clock: home.clock.clock) { store in
      let losing = { proxy.armed.store(true, ordering: .relaxed) }
      let id = store.freshImport()
      losing()
      try await store.received(hand, import: id, name: "export.zip", bytes: 9)
      let job = try await store.claimImport()
      losing()
      let writer = try await store.beginImport(job)
      for slice in 0..<3 {
        var batch = Walks.noons([today - 9 + 2 * slice, today - 8 + 2 * slice], 5)
        batch.refused = [Refusal(record: 90 + slice, reason: .negative, detail: "-1")]
        losing()
        try await writer.add(batch, position: Int64(slice), records: Int64(2 * slice + 2))
      }
      // The other half of the second slice is known already.
      try await writer.add(Walks.noons([today - 7], 5), position: 3, records: 7)
      losing()
      while try await !writer.sweep() {}
      losing()
      while try await writer.count() > 0 {}
      let row = try await store.importRow(.onServer(for: ada), id)
      #expect(row?.counts.stored == 6 && row?.counts.duplicate == 1 && row?.counts.refused == 3)
      #expect(row?.counts.removed == 1 && row?.counts.records == 7)
      losing()
      // The import was over after the first time: nobody else can have ended it so.
      _ = try? await writer.end(.done, problem: nil)
      #expect(try await store.importRow(.onServer(for: ada), id)?.state == .done)
    }
    #expect(proxy.losses.load(ordering: .relaxed) == 8)
    #expect(try home.rows("SELECT count(*) FROM samples") == [["6"]])
    #expect(try home.rows("SELECT count(*) FROM jobs") == [["0"]])
  }

  @Test("an import that is begun twice, as after an answer that was lost, is begun once")
  func begunTwice() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      let id = store.freshImport()
      try await store.received(hand, import: id, name: "export.zip", bytes: 9)
      let job = try await store.claimJob(instance: "a", lease: 30)!
      _ = try await store.beginImport(job)
      let before = try self.home.rows("SELECT * FROM imports")
      let writer = try await store.beginImport(job)
      #expect(try self.home.rows("SELECT * FROM imports") == before)
      try await writer.add(Walks.noons([today - 9], 5), position: 3, records: 1)
      while try await writer.count() > 0 {}
      try await writer.end(.done, problem: nil)
      let row = try await store.importRow(.onServer(for: ada), id)
      #expect(row?.counts.stored == 1 && row?.counts.duplicate == 0 && row?.state == .done)
    }
  }

  @Test("a cancelled import stops, and a job counts the days that it had stored")
  func cancelled() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      let id = store.freshImport()
      try await store.received(hand, import: id, name: "export.zip", bytes: 9)
      let job = try await store.claimJob(instance: "a", lease: 30)!
      let writer = try await store.beginImport(job)
      try await writer.add(Walks.noons([today - 9], 5), position: 3, records: 1)
      #expect(try await store.cancelImport(hand, id))
      await #expect(throws: Problem.self) { try await writer.add(Walks.noons([today - 8], 5), position: 4, records: 2) }
      await #expect(throws: Problem.self) { try await writer.end(.done, problem: nil) }
      #expect(try await !store.extend(job, lease: 30))
      #expect(try await store.claimJob(instance: "a", lease: 30)?.work == .recount(ada))
      while try await store.recount(hand) > 0 {}
      #expect(try await store.storedDays(of: ada).keys.map(\.iso) == [(today - 9).iso])
      #expect(try await !store.cancelImport(hand, id))
    }
  }

  @Test("of one person one import runs at a time; the other is put back")
  func one() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      for name in ["a.zip", "b.zip"] {
        try await store.received(hand, import: store.freshImport(), name: name, bytes: 9)
      }
      _ = try await store.beginImport(try await store.claimJob(instance: "a", lease: 30)!)
      let job = try await store.claimJob(instance: "a", lease: 30)!
      await #expect(throws: Problem.self) { _ = try await store.beginImport(job) }
      try await store.putBack(job, after: 2_000, error: nil, isTried: false)
      #expect(try await store.claimJob(instance: "a", lease: 30) == nil)
      try await store.takeBackJobs(of: "b")
      #expect(try await store.claimJob(instance: "a", lease: 30) == nil)
      try await store.takeBackJobs(of: "a")
      let again = try await store.claimJob(instance: "b", lease: 30)
      #expect(again != nil)
      // What another has taken meanwhile is not ours any more.
      try await store.takeBackJobs(of: "a")
      #expect(try await store.extend(again!, lease: 30))
    }
  }

  @Test("a job that is asked for again while it runs is not done yet")
  func askedAgain() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      try await store.changeManual(hand, counts: false)
      let job = try await store.claimJob(instance: "a", lease: 30)!
      try await store.changeManual(hand, counts: true)
      try await store.finish(job)
      let again = try await store.claimJob(instance: "a", lease: 30)
      #expect(again?.work == .recount(ada))
      try await store.finish(again!)
      #expect(try await store.claimJob(instance: "a", lease: 30) == nil)
    }
  }
}
