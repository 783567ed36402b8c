import Activity
import Consent
import People
import Postgres
import Support
import Synchronization
import Testing

@testable import Storage

private let today = Walks.today
private let source = Walks.source

@Suite struct PageTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  @Test("Today has seventy days, the hours that it needs, rings, facts and the import")
  func todayPage() async throws {
    try await home.withAda { store, ada in
      let days = (0..<90).map { today - $0 }
      let id = try await store.importFile(ada, [Walks.noons(days, 7_000), Walks.ringed(days, move: 500)])
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
      _ = try await store.importFile(ada, [Walks.noons(days, 100), Walks.ringed(days, move: 499)])
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
      var far = Walks.noons([today - 1], 50)
      far.samples[0].end = far.samples[0].start.advanced(hours: 20)
      far.samples[0].key = SampleKey(high: 5, low: 5)
      var farther = Walks.noons([today - 3], 60)
      farther.samples[0].end = farther.samples[0].start.advanced(hours: 70)
      _ = try await store.importFile(ada, [Walks.noons([today, today - 1], 300), far, farther])
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
      _ = try await store.importFile(ada, [Walks.noons([today], 300)])
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
      _ = try await store.importFile(ada, [Walks.noons([today], 77_123)])
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
      var slice = Walks.noons([today - 3, today - 2], 10)
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
