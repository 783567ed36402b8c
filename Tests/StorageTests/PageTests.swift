import Activity
import Consent
import People
import Postgres
import Support
import Synchronization
import Testing

@testable import Storage

private let source = Source(key: "apple:iPhone", sourceClass: .phone, device: "iPhone")

/// Walks of `count` steps at noon UTC on each of `days`.
private func noons(_ days: [CivilDay], _ count: Double) -> Batch {
  var batch = Batch(feed: .apple)
  batch.sources = [source]
  batch.samples = days.map { day in
    let start = Instant(seconds: Int64(day.number) * 86_400 + 12 * 3_600)
    return Sample(
      start: start, end: start.advanced(milliseconds: 600_000), count: count,
      key: SampleKey(high: UInt64(UInt32(bitPattern: day.number)) << 20 | UInt64(count), low: 1), source: 0)
  }
  return batch
}

private func ringed(_ days: [CivilDay], move: Double) -> Batch {
  var batch = Batch(feed: .apple)
  batch.summaries = days.map { day in
    ActivitySummary(
      day: day, moveMode: .energy, move: RingValue(value: move, goal: 500), exercise: RingValue(value: 30, goal: 30),
      stand: nil)
  }
  return batch
}

private let today = CivilDay(year: 2026, month: 11, day: 26)!

@Suite struct PageTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  @Test("Today has seventy days, the hours that it needs, rings, facts and the import")
  func todayPage() async throws {
    try await home.withAda { store, ada in
      let days = (0..<90).map { today - $0 }
      let id = try await store.importFile(ada, [noons(days, 7_000), ringed(days, move: 500)])
      let claim = try await store.signIn(ada)
      let page = try store.open(try await store.today(claim, around: today), claim)
      #expect(page.days.count == 72 && page.days.last?.day == today && page.days.last?.shown == 7_000)
      #expect(page.hours[today]?.map(\.share).reduce(0, +) == 7_000)
      #expect(page.hours[today]?.first { $0.share > 0 }?.label == "13")
      #expect(page.hours[today - 7] != nil && page.hours[today - 4] == nil)
      #expect(page.summaries.count == 72)
      #expect(page.context.firstDay == days.last && page.context.firstRings == days.last)
      #expect(page.context.lastUpdate == self.home.clock.now)
      #expect(page.senders.isEmpty, "a file is no sender")
      #expect(page.lastImport?.id == id && page.lastImport?.state == .done)
      let rings = page.facts.streak(.allRings, today: today) { _ in false }
      #expect(rings.length == 90 && page.facts.streak(.steps, today: today) { _ in false }.length == 0)
    }
  }

  @Test("History gives a range with its rings; above 410 days it says no")
  func history() async throws {
    try await home.withAda { store, ada in
      let days = (0..<40).map { today - $0 }
      _ = try await store.importFile(ada, [noons(days, 100), ringed(days, move: 499)])
      let claim = try await store.signIn(ada)
      let page = try store.open(try await store.history(claim, days: today - 30...today), claim)
      #expect(page.days.map(\.day) == Array(today - 30...today))
      #expect(page.summaries.count == 31 && page.summaries.first?.move?.value == 499)
      await #expect(throws: Problem.self) { _ = try await store.history(claim, days: today - 411...today) }
      #expect(try store.open(try await store.history(claim, days: today - 410...today), claim).days.count == 40)
    }
  }

  @Test("a day has its hours, sources and samples")
  func day() async throws {
    try await home.withAda { store, ada in
      var far = noons([today - 1], 50)
      far.samples[0].end = far.samples[0].start.advanced(hours: 20)
      far.samples[0].key = SampleKey(high: 5, low: 5)
      var farther = noons([today - 3], 60)
      farther.samples[0].end = farther.samples[0].start.advanced(hours: 70)
      _ = try await store.importFile(ada, [noons([today, today - 1], 300), far, farther])
      let claim = try await store.signIn(ada)
      let page = try store.open(try await store.day(claim, today), claim)
      #expect(page.total?.bySource.first?.source == page.sources.first?.number)
      #expect(page.samples?.count == 4)
      #expect(page.samples?.map(\.start) == page.samples?.map(\.start).sorted())
      // The page can draw the day again from its samples.
      let merge = Merge(
        sources: Dictionary(uniqueKeysWithValues: page.sources.map { ($0.number, $0.source) }),
        history: ZoneHistory([DatedZone(since: nil, zone: "Europe/Berlin")], in: TestZones.table))
      #expect(merge.days(page.samples ?? [], in: today...today)[today] == page.total)
    }
  }

  @Test("a day with more samples than a page takes has none of them: a part would be a wrong picture")
  func denseDay() async throws {
    try await home.withAda { store, ada in
      _ = try await store.importFile(ada, [noons([today], 300)])
      let claim = try await store.signIn(ada)
      let more = { (number: Int) in
        try self.home.script(
          """
          INSERT INTO samples (person_id, started_at, duration_ms, value, recorded_at, sample_key, source_id, client_no, type)
          SELECT s.person_id, s.started_at + n * interval '1 millisecond', 1, 1, s.recorded_at,
            md5('\(number)-' || n)::uuid, s.source_id, s.client_no, s.type
          FROM samples s, generate_series(1, \(number)) AS n WHERE s.value = 300
          """)
      }
      try more(19_999)
      #expect(try store.open(try await store.day(claim, today), claim).samples?.count == 20_000)
      try more(1)
      let page = try store.open(try await store.day(claim, today), claim)
      #expect(page.samples == nil && page.total?.shown == 300)
    }
  }

  @Test("nobody reads a page without a session that is valid at that moment and their own")
  func strangers() async throws {
    try await home.withAda { store, ada in
      _ = try await store.importFile(ada, [noons([today], 77_123)])
      let dan = try await store.createAccount(
        NewAccount(login: "dan", displayName: "Dan", passwordHash: "x", zone: "UTC"))
      let claim = try await store.signIn(ada)
      let dans = try await store.signIn(dan)
      #expect(try store.open(try await store.today(dans, around: today), dans).days.isEmpty)
      let other = try await store.today(dans, around: today)
      #expect(throws: Problem.self) { try other.opened(by: claim, at: self.home.clock.now) }
      try await store.endSession(claim)
      let own = claim.parameters(at: self.home.clock.now)
      let range: [Parameter] = [.date(0), .date(99_999)]
      let statements: [(Statement, [Parameter])] = [
        (PageSQL.days, range), (PageSQL.recentDays, [.date(today.number)]), (PageSQL.summaries, range),
        (PageSQL.context, range), (PageSQL.facts, []), (PageSQL.sources, []), (PageSQL.total, [.date(today.number)]),
        (PageSQL.samples, [.instant(0), .instant(.max - 1), .instant(0)]), (PageSQL.login, []), (PageSQL.sessions, []),
        (PageSQL.imports, [.int64(9)]),
        (PageSQL.lastImport, []),
      ]
      for (statement, more) in statements {
        let rows = try await store.pool.query(statement, own + more)
        #expect(rows.isEmpty, "\(statement.name)")
      }
      let after = try await store.today(claim, around: today)
      #expect(throws: Problem.self) { try after.opened(by: claim, at: self.home.clock.now) }
    }
  }

  @Test("an import is listed with its counts, its period and the records that were not taken")
  func importReport() async throws {
    try await home.withAda { store, ada in
      var slice = noons([today - 3, today - 2], 10)
      slice.samples.append(slice.samples[0])
      slice.refused = [Refusal(record: 4, reason: .badUnit, detail: "km"), Refusal(record: 9, reason: .future)]
      let id = try await store.importFile(ada, [slice])
      let claim = try await store.signIn(ada)
      let report = try store.open(try await store.importReport(claim, id), claim)
      #expect(report?.row.counts.stored == 2 && report?.row.counts.duplicate == 1 && report?.row.counts.refused == 2)
      #expect(report?.row.period?.lowerBound == slice.samples[0].start)
      #expect(report?.refused == slice.refused)
      #expect(report?.row.counts.days == 2 && report?.row.counts.daysCounted == 2)
      #expect(try store.open(try await store.imports(claim), claim).map(\.id) == [id])
      #expect(try store.open(try await store.importReport(claim, ImportID(5)), claim) == nil)
    }
  }
}

@Suite struct SettingsTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  @Test("a goal holds from its day on, and the facts of streaks follow")
  func goals() async throws {
    try await home.withAda { store, ada in
      let hand = WritePermit.onServer(for: ada, client: nil)
      let days = (0..<5).map { today - $0 }
      _ = try await store.importFile(ada, [noons(days, 7_000)])
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
      _ = try await store.importFile(ada, [noons((1..<100).map { today - $0 }, 40)])
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
      try await first.add(noons([today - 9, today - 8], 5), position: 3, records: 2)
      // The machine froze; its lease ran out.
      self.home.clock.advance(milliseconds: 60_000)
      let second = try await store.beginImport(try await store.claimJob(instance: "b", lease: 30)!)
      await #expect(throws: Problem.self) { try await first.add(noons([today - 7], 5), position: 4, records: 3) }
      try await second.add(noons([today - 9, today - 8], 5), position: 3, records: 2)
      try await second.add(noons([today - 7], 5), position: 4, records: 3)
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
      _ = try await store.importFile(ada, [noons([today - 20], 5)])
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
        var batch = noons([today - 9 + 2 * slice, today - 8 + 2 * slice], 5)
        batch.refused = [Refusal(record: 90 + slice, reason: .negative, detail: "-1")]
        losing()
        try await writer.add(batch, position: Int64(slice), records: Int64(2 * slice + 2))
      }
      // The other half of the second slice is known already.
      try await writer.add(noons([today - 7], 5), position: 3, records: 7)
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
      try await writer.add(noons([today - 9], 5), position: 3, records: 1)
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
      try await writer.add(noons([today - 9], 5), position: 3, records: 1)
      #expect(try await store.cancelImport(hand, id))
      await #expect(throws: Problem.self) { try await writer.add(noons([today - 8], 5), position: 4, records: 2) }
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
