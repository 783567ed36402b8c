package import Activity
package import Consent
package import People
import Postgres

// What each page reads: one pipeline, one round trip, answered as `Guarded`. The session stands first in each.

extension Store {
  /// Today. `around` is the present date anywhere (UTC's will do): the person's own is at most a day beside it.
  package func today(_ claim: OwnClaim, around: CivilDay) async throws(Problem) -> Guarded<TodayRows> {
    let own = claim.parameters(at: clock.now())
    let window: [Parameter] = [.date((around - 71).number), .date((around + 1).number)]
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(PageSQL.recentDays, own + [.date(around.number)])
      $0.add(PageSQL.summaries, own + window)
      $0.add(PageSQL.context, own + window)
      $0.add(PageSQL.facts, own)
      $0.add(PageSQL.senders, own)
      $0.add(PageSQL.lastImport, own)
    }
    let value = try reading { () throws(PostgresError) in
      var hours: [CivilDay: [Slot]] = [:]
      for row in rows[1] where !row.isNull(3) { hours[CivilDay(number: row.date(0))] = [Slot](row, from: 3) }
      return TodayRows(
        days: try rows[1].map(StoredDay.init), hours: hours, summaries: try rows[2].map { ActivitySummary($0) },
        context: try DayContext(rows[3], session: rows[0]),
        facts: DayFacts(try rows[4].map { YearFacts(year: Int($0.int16(0)), bytes: $0.bytes(1)) }),
        senders: try rows[5].map { Sender(name: $0.text(0), seen: Instant(microseconds: $0.instant(1))) },
        lastImport: try rows[6].first { ImportRow($0) })
    }
    return try guarded(claim, rows, value, isPage: true)
  }

  /// Days of a range; ranges above 410 days throw `invalid`: the longest list, and what its means rest on.
  package func history(
    _ claim: OwnClaim, days: ClosedRange<CivilDay>
  ) async throws(Problem) -> Guarded<HistoryRows> {
    guard days.upperBound - days.lowerBound <= 410 else {
      throw Problem(.invalid, "That is more than 400 days. Choose a shorter range.", limit: 400)
    }
    let own = claim.parameters(at: clock.now())
    let window: [Parameter] = [.date(days.lowerBound.number), .date(days.upperBound.number)]
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(PageSQL.days, own + window)
      $0.add(PageSQL.summaries, own + window)
      $0.add(PageSQL.context, own + window)
    }
    let value = try reading { () throws(PostgresError) in
      HistoryRows(
        days: try rows[1].map(StoredDay.init), summaries: try rows[2].map { ActivitySummary($0) },
        context: try DayContext(rows[3], session: rows[0]))
    }
    return try guarded(claim, rows, value, isPage: true)
  }

  /// One day with its hours, sources and samples.
  package func day(_ claim: OwnClaim, _ day: CivilDay) async throws(Problem) -> Guarded<DayRows> {
    let own = claim.parameters(at: clock.now())
    let only: [Parameter] = [.date(day.number), .date(day.number)]
    // Every instant that has this date anywhere: 14 hours before UTC's day to 12 after it, and two for old zones.
    let midnight = Instant(seconds: Int64(day.number) &* 86_400)
    let from = midnight.advanced(hours: -16 - 6).microseconds
    let until = midnight.advanced(hours: 24 + 16).microseconds
    let far = midnight.advanced(hours: -16).advanced(milliseconds: -Sample.longest).microseconds
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(PageSQL.total, own + [.date(day.number)])
      $0.add(PageSQL.revisions, own + [.date(day.number)])
      $0.add(PageSQL.summaries, own + only)
      $0.add(PageSQL.context, own + only)
      $0.add(PageSQL.sources, own)
      $0.add(PageSQL.zones, own)
      $0.add(PageSQL.samples, own + [.instant(from), .instant(until), .instant(far)])
    }
    let value = try reading { () throws(PostgresError) in
      DayRows(
        total: try rows[1].first { DayTotal($0, from: 0) }, revisions: try rows[2].map(DayRevision.init),
        summary: try rows[3].first { ActivitySummary($0) }, context: try DayContext(rows[4], session: rows[0]),
        sources: try rows[5].map(StoredSource.init),
        samples: rows[7].count > PageSQL.mostSamples ? nil : try rows[7].map { Sample($0, type: .stepCount) },
        zones: Dictionary(
          try rows[6].map { ($0.int16(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first }))
    }
    return try guarded(claim, rows, value, isPage: true)
  }

  /// The settings page.
  package func settings(_ claim: OwnClaim) async throws(Problem) -> Guarded<SettingsRows> {
    let own = claim.parameters(at: clock.now())
    let none: [Parameter] = [.date(0), .date(0)]
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(PageSQL.login, own)
      $0.add(PageSQL.sources, own)
      $0.add(PageSQL.context, own + none)
      $0.add(PageSQL.sessions, own)
      $0.add(PageSQL.staleCount, own)
    }
    let value = try reading { () throws(PostgresError) in
      let context = try DayContext(rows[3], session: rows[0])
      return SettingsRows(
        login: try rows[1].first { $0.text(0) } ?? "", sources: try rows[2].map(StoredSource.init),
        goals: context.goals, pauses: context.pauses,
        sessions: try rows[4].map { Session($0, person: claim.person) },
        staleDays: Int(try rows[5].first { $0.int64(0) } ?? 0))
    }
    return try guarded(claim, rows, value)
  }

  /// The person's imports, newest first, at most 50.
  package func imports(_ claim: OwnClaim) async throws(Problem) -> Guarded<[ImportRow]> {
    let own = claim.parameters(at: clock.now())
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(PageSQL.imports, own + [.int64(50)])
    }
    let value = try reading { () throws(PostgresError) in try rows[1].map { ImportRow($0) } }
    return try guarded(claim, rows, value)
  }

  /// One import with its first `refused` refused records; the value is nil when there is none of this id.
  package func importReport(
    _ claim: OwnClaim, _ id: ImportID, refused: Int = 200
  ) async throws(Problem) -> Guarded<ImportReport?> {
    let own = claim.parameters(at: clock.now())
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(PageSQL.oneImport, own + [.int64(id.number)])
      $0.add(PageSQL.refused, own + [.int64(id.number), .int64(Int64(refused))])
    }
    let value = try reading { () throws(PostgresError) -> ImportReport? in
      let refusals = try rows[2].map {
        Refusal(
          record: Int($0.int64(0)), reason: RefusalReason(rawValue: $0.text(1)) ?? .badNumber, detail: $0.text(2))
      }
      return try rows[1].first { ImportReport(row: ImportRow($0), refused: refusals) }
    }
    return try guarded(claim, rows, value)
  }
}

extension StoredDay {
  /// A row that begins with day, shown, flags.
  init(_ row: Row) {
    self.init(
      day: CivilDay(number: row.date(0)), shown: Int(row.int32(1)), flags: DayFlags(rawValue: row.int16(2)))
  }
}

extension DayRevision {
  /// A row of `PageSQL.revisions`.
  init(_ row: Row) {
    self.init(
      number: Int(row.int32(0)), at: Instant(microseconds: row.instant(1)), old: Int(row.int32(2)),
      new: row.optionalInt32(3).map(Int.init), reason: Reason(rawValue: row.int16(4)) ?? .late)
  }
}

extension DayContext {
  /// The rows of `PageSQL.context`, and "last update" from those of the session.
  init(_ rows: Rows, session: Rows) throws(PostgresError) {
    var goals: [Goal] = []
    var pauses: [Pause] = []
    var coverage = Coverage()
    var firsts: [Int16: CivilDay] = [:]
    var stale: Set<CivilDay> = []
    for row in rows {
      let first = row.optionalDate(3).map { CivilDay(number: $0) }
      switch row.int16(0) {
      case 1:
        goals.append(
          Goal(
            type: DataType(rawValue: row.int16(1)) ?? .stepCount, days: GoalDays(code: row.int16(2)) ?? .everyDay,
            since: first ?? CivilDay(number: 0), value: row.optionalDouble(5)))
      case 2:
        guard let first, let last = row.optionalDate(4), last >= first.number else { continue }
        pauses.append(Pause(days: first...CivilDay(number: last), note: row.optionalText(6)))
      case 3:
        let ranges = zip(row.instants(8), row.instants(9)).filter { $0.0 < $0.1 }
        coverage.formUnion(
          Coverage(
            complete: ranges.map { Instant(microseconds: $0.0)..<Instant(microseconds: $0.1) },
            newest: row.optionalInstant(7).map { Instant(microseconds: $0) }))
      case 6: if let first { stale.insert(first) }
      case let kind: firsts[kind] = first
      }
    }
    try rows.verify()
    self.init(
      goals: Goals(goals), pauses: pauses.sorted { $0.days.lowerBound < $1.days.lowerBound }, coverage: coverage,
      firstDay: firsts[4], firstRings: firsts[5], stale: stale,
      lastUpdate: try session.first { $0.optionalInstant(15) }?.map { Instant(microseconds: $0) })
  }
}
