package import Activity
package import Consent
import People
import Postgres

/// Days of types whose totals are to be made anew, and why: the reason stands in the revision if a closed day's number
/// changes.
struct DaysToCount {
  private(set) var reasons: [DataType: [CivilDay: DayRevision.Reason]] = [:]

  var isEmpty: Bool { reasons.isEmpty }
  var count: Int { reasons.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ days: some Sequence<CivilDay>, of type: DataType, _ reason: DayRevision.Reason) {
    for day in days { reasons[type, default: [:]][day] = max(reasons[type]?[day] ?? reason, reason) }
  }

  /// All pairs, as two columns.
  var columns: (types: [Int16], days: [Int32]) {
    let pairs = reasons.flatMap { type, days in days.keys.map { (type.rawValue, $0.number) } }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  /// Consecutive stretches, so that one read serves neighbours; gaps of up to two days are read along.
  static func stretches(_ days: some Sequence<CivilDay>) -> [ClosedRange<CivilDay>] {
    var stretches: [ClosedRange<CivilDay>] = []
    for day in days.sorted() {
      if let last = stretches.last, day - last.upperBound <= 3 {
        stretches[stretches.count - 1] = last.lowerBound...day
      } else {
        stretches.append(day...day)
      }
    }
    return stretches
  }
}

extension DayRevision.Reason: Comparable {
  /// By precedence (decisions.md "Revisions"): deleted > corrected > moved > zone > merged > late.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Store {
  /// Counts up to `limit` stale days again in one transaction, the newest first; answers how many are left.
  package func recount(_ permit: WritePermit, limit: Int = 60) async throws(Problem) -> Int {
    let now = clock.now()
    return try await transaction(.upload) { change in
      let locked = try await self.lock(permit.owner, at: now, in: change)
      return try await self.countStale(of: locked, limit: limit, in: change)
    }
  }

  /// The same inside a transaction that holds the person's lock; it commits.
  func countStale(of person: LockedPerson, limit: Int, in change: Transaction) async throws -> Int {
    let own = Parameter.int64(person.id.number)
    let rows = try await change.pipeline {
      $0.add(RecountSQL.stale, [own, .int64(Int64(limit))])
      $0.add(RecountSQL.countStale, [own])
    }
    var days = DaysToCount()
    for row in rows[0] {
      guard let type = DataType(rawValue: row.int16(0)) else { continue }
      days.add([CivilDay(number: row.date(1))], of: type, DayRevision.Reason(rawValue: row.int16(2)) ?? .late)
    }
    try rows[0].verify()
    let all = Int(try rows[1].first { $0.int64(0) } ?? 0)
    let columns = days.columns
    try await count(days, person: person, in: change) {
      $0.add(RecountSQL.clearStale, [own, .int16s(columns.types), .dates(columns.days)])
    }
    return all - days.count
  }

  /// Merges the samples of `days` as this transaction sees them and writes totals, revisions and facts; commits with what
  /// `build` adds. `rings`: days whose facts change for another cause.
  func count(
    _ days: DaysToCount, person: LockedPerson, rings: Set<CivilDay> = [], in change: Transaction,
    with build: (inout Pipeline) -> Void
  ) async throws {
    let merge = person.merge
    var factDays = rings
    for (type, reasons) in days.reasons {
      var counted: [CountedDay] = []
      for stretch in DaysToCount.stretches(reasons.keys) {
        let total = try await read(stretch, of: type, person: person, merge: merge, in: change)
        for day in stretch {
          guard let reason = reasons[day] else { continue }
          counted.append(total.counted(day, reason: reason))
        }
      }
      counted.removeAll(where: \.isUnchanged)
      if type == .stepCount { factDays.formUnion(counted.map(\.day)) }
      write(counted, of: type, person: person, in: change)
    }
    try await refreshFacts(of: person.id, days: factDays, in: change, with: build)
  }

  private func write(
    _ counted: [CountedDay], of type: DataType, person: LockedPerson, in change: Transaction
  ) {
    guard !counted.isEmpty else { return }
    let own = Parameter.int64(person.id.number)
    let gone = counted.filter { $0.new == nil }.map(\.day.number)
    let revised = counted.filter { $0.isRevision(today: person.today) }
    change.later {
      for day in counted {
        guard let new = day.new else { continue }
        $0.add(
          DaySQL.upsert, new.parameters(person: person.id, type: type, day: day.day, revision: day.revision))
      }
      if !gone.isEmpty { $0.add(DaySQL.remove, [own, .int16(type.rawValue), .dates(gone)]) }
      if !revised.isEmpty {
        $0.add(
          DaySQL.addRevisions,
          [
            own, .int16(type.rawValue), .instant(person.now.microseconds), .dates(revised.map(\.day.number)),
            .int32s(revised.map(\.revision)), .int32s(revised.map { Int32(clamping: $0.old?.shown ?? 0) }),
            .int32sOrNil(revised.map { $0.new.map { Int32(clamping: $0.shown) } }),
            .int16s(revised.map(\.reason.rawValue)),
          ])
      }
    }
  }

  /// One stretch: its samples merged, and what stands there now. One round trip.
  private func read(
    _ stretch: ClosedRange<CivilDay>, of type: DataType, person: LockedPerson, merge: Merge, in change: Transaction
  ) async throws -> Stretch {
    let range: [Parameter] = [
      .int64(person.id.number), .int16(type.rawValue), .date(stretch.lowerBound.number),
      .date(stretch.upperBound.number),
    ]
    let rows = try await change.pipeline {
      Sample.read(merge.window(of: stretch), of: person.id, type: type, into: &$0)
      $0.add(DaySQL.standing, range)
      $0.add(DaySQL.lastRevisions, range)
    }
    var samples = try rows[0].map { Sample($0, type: type) }
    samples += try rows[1].map { Sample($0, type: type) }
    var standing: [CivilDay: Standing] = [:]
    for row in rows[2] {
      standing[CivilDay(number: row.date(0))] = Standing(
        shown: Int(row.int32(1)), revision: row.int32(2), total: DayTotal(row, from: 3))
    }
    try rows[2].verify()
    let last = try rows[3].map { (CivilDay(number: $0.date(0)), $0.int32(1)) }
    return Stretch(
      totals: merge.days(samples, in: stretch), standing: standing,
      lastRevisions: Dictionary(last, uniquingKeysWith: { max($0, $1) }))
  }
}

/// A stored day as it stands.
private struct Standing {
  let shown: Int
  let revision: Int32
  let total: DayTotal
}

/// What one stretch of days should be and is.
private struct Stretch {
  let totals: [CivilDay: DayTotal]
  let standing: [CivilDay: Standing]
  let lastRevisions: [CivilDay: Int32]

  func counted(_ day: CivilDay, reason: DayRevision.Reason) -> CountedDay {
    let old = standing[day]
    return CountedDay(
      day: day, reason: reason, old: old, new: totals[day],
      revision: max(old?.revision ?? 0, lastRevisions[day] ?? 0) &+ 1)
  }
}

/// A day before and after counting.
private struct CountedDay {
  let day: CivilDay
  let reason: DayRevision.Reason
  let old: Standing?
  let new: DayTotal?
  let revision: Int32

  var isUnchanged: Bool { old?.total == new }

  /// A row of the history only if the day is over and an integer that was shown changes (decisions.md "Revisions").
  func isRevision(today: CivilDay) -> Bool {
    guard let old, day < today else { return false }
    return old.shown != new?.shown
  }
}
