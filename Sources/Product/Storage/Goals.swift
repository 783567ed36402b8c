package import Activity
package import Consent
import People
import Postgres

enum GoalSQL {
  static let list = Statement(
    "goals", "SELECT type, weekday, since, goal FROM goals WHERE person_id = $1 ORDER BY since", [.int64])

  static let set = Statement(
    "set_goal",
    """
    INSERT INTO goals (person_id, type, weekday, since, goal) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (person_id, type, weekday, since) DO UPDATE SET goal = excluded.goal
    """, [.int64, .int16, .int16, .date, .double])

  static let pauses = Statement(
    "pauses", "SELECT first_day, last_day, note FROM pauses WHERE person_id = $1 ORDER BY first_day", [.int64])

  /// Adds no row where another pause shares a day.
  static let pause = Statement(
    "pause",
    """
    INSERT INTO pauses (person_id, first_day, last_day, set_at, actor_id, note)
    SELECT p.person_id, $2, $3, $4, $1, $5 FROM persons p WHERE p.person_id = $1
      AND NOT EXISTS (SELECT FROM pauses o WHERE o.person_id = $1 AND o.first_day <= $3 AND o.last_day >= $2)
    """, [.int64, .date, .date, .instant, .text])

  /// Whether exactly this pause was made at exactly this moment.
  static let standingPause = Statement(
    "standing_pause", "SELECT 1 FROM pauses WHERE person_id = $1 AND first_day = $2 AND last_day = $3 AND set_at = $4",
    [.int64, .date, .date, .instant])

  static let endPause = Statement(
    "end_pause", "DELETE FROM pauses WHERE person_id = $1 AND first_day = $2 RETURNING last_day", [.int64, .date])

  static let all: [(statement: Statement, reach: Reach)] = [
    (list, .onePerson), (set, .onePerson), (pauses, .onePerson), (pause, .onePerson),
    (standingPause, .onePerson), (endPause, .onePerson),
  ]
}

extension Goal {
  /// A row of `GoalSQL.list`.
  init(_ row: Row) {
    self.init(
      type: DataType(rawValue: row.int16(0)) ?? .stepCount, days: GoalDays(code: row.int16(1)) ?? .everyDay,
      since: CivilDay(number: row.date(2)), value: row.optionalDouble(3))
  }
}

extension Pause {
  /// A row of `GoalSQL.pauses`.
  init(_ row: Row) {
    let first = CivilDay(number: row.date(0))
    self.init(days: first...max(first, CivilDay(number: row.date(1))), note: row.optionalText(2))
  }
}

extension Store {
  /// Sets (value nil: ends) a goal from `goal.since` on; days before it keep theirs. Throws `invalid` for a goal below 1 or
  /// above a million, and for a start more than ten years away.
  package func setGoal(_ permit: WritePermit, _ goal: Goal) async throws(Problem) {
    if let value = goal.value, !(1...1_000_000).contains(value) {
      throw Problem(.invalid, "A goal is a number from 1 to 1,000,000.")
    }
    let now = clock.now()
    try await transaction { change in
      let person = try await self.lock(permit.owner, at: now, in: change)
      guard abs(person.today - goal.since) <= 3660 else { throw Problem(.invalid, "This day is too far away.") }
      _ = try await change.query(
        GoalSQL.set,
        [
          .int64(permit.owner.number), .int16(goal.type.rawValue), .int16(goal.days.code), .date(goal.since.number),
          .optional(goal.value),
        ])
      let days = goal.since <= person.today ? Set(goal.since...person.today) : []
      try await self.refreshFacts(of: permit.owner, days: days, in: change) { _ in }
    }
  }

  /// Pauses days: they neither count nor break. At most a year; throws `conflict` when they share a day with another pause.
  package func pause(_ permit: WritePermit, days: ClosedRange<CivilDay>, note: String?) async throws(Problem) {
    guard days.upperBound - days.lowerBound < 366 else { throw Problem(.invalid, "A pause lasts at most a year.") }
    let now = clock.now()
    try await transaction { change in
      let person = try await self.lock(permit.owner, at: now, in: change)
      guard abs(person.today - days.lowerBound) <= 3660 else { throw Problem(.invalid, "This day is too far away.") }
      let pause: [Parameter] = [
        .int64(permit.owner.number), .date(days.lowerBound.number), .date(days.upperBound.number),
        .instant(now.microseconds),
      ]
      let made = try await change.pipeline {
        // Ours already, when this runs again after the answer to its COMMIT was lost.
        $0.add(GoalSQL.standingPause, pause)
        $0.add(GoalSQL.pause, pause + [.optional(note.map { String($0.prefix(500)) })])
      }
      guard made[0].count == 1 || made[1].affected == 1 else {
        throw Problem(.conflict, "Some of these days are paused already.")
      }
      try await self.refreshFacts(of: permit.owner, days: Set(days), in: change) { _ in }
    }
  }

  /// Takes a pause back by its first day; false when there is none.
  package func endPause(_ permit: WritePermit, from first: CivilDay) async throws(Problem) -> Bool {
    let now = clock.now()
    // Stays from one run to the next: when the answer to the COMMIT was lost, the second finds no pause any more.
    var last: CivilDay?
    return try await transaction { change in
      _ = try await self.lock(permit.owner, at: now, in: change)
      let ended = try await change.query(
        GoalSQL.endPause, [.int64(permit.owner.number), .date(first.number)])
      last = try ended.first { CivilDay(number: $0.date(0)) } ?? last
      guard let last, last >= first else { return false }
      try await self.refreshFacts(of: permit.owner, days: Set(first...last), in: change) { _ in }
      return true
    }
  }
}
