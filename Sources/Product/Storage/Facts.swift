import Activity
import People
import Postgres

enum FactSQL {
  static let years = Statement(
    "year_facts", "SELECT year, facts FROM year_facts WHERE person_id = $1 AND year = ANY ($2)", [.int64, .int16s])

  static let write = Statement(
    "write_year_facts",
    """
    INSERT INTO year_facts (person_id, year, facts)
    SELECT p.person_id, t.year, t.facts FROM persons p, unnest($2::smallint[], $3::bytea[]) AS t (year, facts)
    WHERE p.person_id = $1
    ON CONFLICT (person_id, year) DO UPDATE SET facts = excluded.facts WHERE year_facts.facts <> excluded.facts
    """, [.int64, .int16s, .bytesList])

  /// What facts are made from; $3 first and $4 last day.
  static let shown = Statement(
    "shown_days", "SELECT day, shown FROM day_totals WHERE person_id = $1 AND type = $2 AND day BETWEEN $3 AND $4",
    [.int64, .int16, .date, .date])

  static let all: [(statement: Statement, reach: Reach)] = [
    (years, .onePerson), (write, .onePerson), (shown, .onePerson),
  ]
}

/// The facts of one calendar year as they are stored: two bytes a day, big-endian, 366 days.
struct YearFacts {
  let year: Int
  private(set) var bytes: [UInt8]

  init(year: Int, bytes: [UInt8] = []) {
    self.year = year
    self.bytes = bytes.count == 732 ? bytes : [UInt8](repeating: 0, count: 732)
  }

  subscript(dayOfYear: Int) -> DayFact {
    get { DayFact(rawValue: UInt16(bytes[dayOfYear * 2]) << 8 | UInt16(bytes[dayOfYear * 2 + 1])) }
    set {
      bytes[dayOfYear * 2] = UInt8(truncatingIfNeeded: newValue.rawValue >> 8)
      bytes[dayOfYear * 2 + 1] = UInt8(truncatingIfNeeded: newValue.rawValue)
    }
  }

  static func first(of year: Int) -> CivilDay { CivilDay(year: year, month: 1, day: 1) ?? CivilDay(number: 0) }
}

extension DayFacts {
  /// Joins years; a year that is missing between two others has no facts.
  init(_ years: [YearFacts]) {
    let sorted = years.sorted { $0.year < $1.year }
    guard let first = sorted.first, let last = sorted.last else {
      self.init(first: CivilDay(number: 0), facts: [])
      return
    }
    let start = YearFacts.first(of: first.year)
    var facts = [DayFact](repeating: [], count: YearFacts.first(of: last.year + 1) - start)
    for year in sorted {
      let offset = YearFacts.first(of: year.year) - start
      for day in 0..<(CivilDay.isLeap(year.year) ? 366 : 365) { facts[offset + day] = year[day] }
    }
    self.init(first: start, facts: facts)
  }
}

extension Store {
  /// Makes the facts of `days` anew from totals, rings, goals and pauses as this transaction sees them, and commits with
  /// what `build` adds. Days above 10,000 in one call are not made: callers pass at most some years.
  func refreshFacts(
    of person: PersonID, days: Set<CivilDay>, in change: Transaction, with build: (inout Pipeline) -> Void
  ) async throws {
    guard let first = days.min(), let last = days.max() else {
      _ = try await change.commit(with: build)
      return
    }
    let years = Set(days.map(\.year)).sorted()
    let own = Parameter.int64(person.number)
    let rows = try await change.pipeline {
      $0.add(FactSQL.years, [own, .int16s(years.map { Int16(clamping: $0) })])
      $0.add(
        FactSQL.shown, [own, .int16(DataType.stepCount.rawValue), .date(first.number), .date(last.number)])
      $0.add(SummarySQL.range, [own, .date(first.number), .date(last.number)])
      $0.add(GoalSQL.list, [own])
      $0.add(GoalSQL.pauses, [own])
    }
    let stored = try rows[0].map { YearFacts(year: Int($0.int16(0)), bytes: $0.bytes(1)) }
    let source = FactSource(
      shown: Dictionary(try rows[1].map { ($0.date(0), Int($0.int32(1))) }, uniquingKeysWith: { first, _ in first }),
      summaries: Dictionary(
        try rows[2].map { ActivitySummary($0) }.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first }),
      goals: Goals(try rows[3].map { Goal($0) }), pauses: try rows[4].map { Pause($0) })
    let changed = source.years(years, stored: stored, days: days)
    _ = try await change.commit {
      $0.add(FactSQL.write, [own, .int16s(changed.map { Int16(clamping: $0.year) }), .bytesList(changed.map(\.bytes))])
      build(&$0)
    }
  }
}

/// What the facts of days are made from.
private struct FactSource {
  let shown: [Int32: Int]
  let summaries: [CivilDay: ActivitySummary]
  let goals: Goals
  let pauses: [Pause]

  func years(_ years: [Int], stored: [YearFacts], days: Set<CivilDay>) -> [YearFacts] {
    var made = Dictionary(
      years.map { year in (year, stored.first { $0.year == year } ?? YearFacts(year: year)) },
      uniquingKeysWith: { first, _ in first })
    for day in days {
      let year = day.year
      made[year]?[day - YearFacts.first(of: year)] = fact(of: day)
    }
    return made.values.sorted { $0.year < $1.year }
  }

  private func fact(of day: CivilDay) -> DayFact {
    DayFact(
      shown: shown[day.number], stepsGoal: goals.daily(.stepCount, on: day),
      rings: summaries[day].map { Rings($0, goals: goals) }, paused: pauses.contains { $0.days.contains(day) })
  }
}
