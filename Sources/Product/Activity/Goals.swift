/// On which days a goal holds. The code is stored: 0 every day, 1…7 Monday…Sunday, 8 the whole week.
package enum GoalDays: Hashable, Sendable {
  case everyDay
  /// 0 = Monday … 6 = Sunday.
  case weekday(Int)
  case week

  package var code: Int16 {
    switch self {
    case .everyDay: 0
    case .weekday(let weekday): Int16(truncatingIfNeeded: weekday + 1)
    case .week: 8
    }
  }

  package init?(code: Int16) {
    switch code {
    case 0: self = .everyDay
    case 1...7: self = .weekday(Int(code) - 1)
    case 8: self = .week
    default: return nil
    }
  }
}

/// A goal that a person set, in force from `since` until the next one for the same type and days. A nil value ends it.
package struct Goal: Hashable, Sendable {
  package var type: DataType
  package var days: GoalDays
  package var since: CivilDay
  package var value: Double?

  package init(type: DataType, days: GoalDays = .everyDay, since: CivilDay, value: Double?) {
    self.type = type
    self.days = days
    self.since = since
    self.value = value
  }
}

/// Everything a person ever set as goals (semantics.md 3). Changing today's goal changes today and later.
package struct Goals: Hashable, Sendable {
  package static let defaultSteps = 10_000.0

  /// Oldest first.
  package private(set) var entries: [Goal]

  package init(_ entries: [Goal] = []) {
    self.entries = entries.sorted { $0.since < $1.since }
  }

  /// The goal for one day: the weekday's in force on that date, else the general one; steps fall back to 10,000. The goal
  /// that came with a day's summary stands before all of these (`Rings.init(_:goals:)`).
  package func daily(_ type: DataType, on day: CivilDay) -> Double? {
    let own = inForce(type, .weekday(day.weekday), on: day)?.value ?? nil
    if let own { return own }
    if let general = inForce(type, .everyDay, on: day) { return general.value }
    return type == .stepCount ? Goals.defaultSteps : nil
  }

  /// The goal for a whole week, by its first day; nil when none is set.
  package func weekly(_ type: DataType, from first: CivilDay) -> Double? {
    inForce(type, .week, on: first)?.value ?? nil
  }

  /// The entry that decides on `day`, with the date from which it holds, for "since 1 November".
  package func inForce(_ type: DataType, _ days: GoalDays, on day: CivilDay) -> Goal? {
    entries.last { $0.type == type && $0.days == days && $0.since <= day }
  }
}
