package import Activity

/// How the rings of a day come out.
package enum RingPlan: Hashable, Sendable {
  /// Anything: 0–799 kcal, 0–44 minutes, 0–15 hours.
  case random
  case closed
  /// Move stays open.
  case open
  /// Closed on so many days of a hundred.
  case mixed(closed: Int)
  /// A day in bed.
  case still
}

/// What a scenario may say about days; all that hold for a day are applied in order.
package enum Change: Hashable, Sendable {
  case rings(RingPlan)
  /// The watch lies at home.
  case noWatch
  case noPhone
  /// Neither samples nor rings.
  case nothing
  /// The phone hands over so many hours late.
  case late(hours: Int)
  /// Samples of the morning are deleted on the next day.
  case deletions
  /// Another app has counted the same walks, in whole hours.
  case otherApp
  /// Every sample stands twice in an export.
  case copies
  /// A walk typed by hand.
  case typed
  /// A walk through the small hours.
  case nightWalk
}

/// Days of a scenario, counted from today: 0 is today, -1 yesterday.
package enum DaySpan: Hashable, Sendable {
  case days(ClosedRange<Int>)
  /// The last whole week, Monday to Sunday.
  case lastWeek
  /// Days on which the clock changes at home.
  case clockChanges

  package static func day(_ offset: Int) -> DaySpan { .days(offset...offset) }
}

/// A stay in another zone: departure at ten in the morning of the first day, return at noon of the last.
package struct Trip: Hashable, Sendable {
  package var days: ClosedRange<Int>
  package var zone: String

  package init(days: ClosedRange<Int>, zone: String) {
    self.days = days
    self.zone = zone
  }
}

/// Goals of the rings from a day on (days from today).
package struct RingGoals: Hashable, Sendable {
  package var since: Int
  package var move: Int
  package var exercise: Int
  package var stand: Int

  package init(since: Int, move: Int = 500, exercise: Int = 30, stand: Int = 12) {
    self.since = since
    self.move = move
    self.exercise = exercise
    self.stand = stand
  }
}

/// A person with their phone, over the days that end today.
package struct Scenario: Hashable, Sendable {
  package var name: String
  package var owner: String
  package var seed: UInt64
  /// Days in all, today among them.
  package var length: Int
  /// IANA name of the zone at home.
  package var home = "Europe/Berlin"
  package var hasWatch = true
  package var moveMode = MoveMode.energy
  /// Steps in percent of a person who walks about 11,000 on a good day.
  package var vigour = 100
  package var goals = [RingGoals(since: -100_000)]
  package var usual = RingPlan.mixed(closed: 70)
  package var rules: [Rule] = []
  package var trips: [Trip] = []
  /// Days on which nothing counts against the person. An Apple export does not say so: whoever seeds sets them.
  package var pauses: [ClosedRange<Int>] = []

  /// What is different, and on which days.
  package struct Rule: Hashable, Sendable {
    package var span: DaySpan
    package var change: Change
  }

  package init(_ name: String, owner: String, seed: UInt64, length: Int) {
    self.name = name
    self.owner = owner
    self.seed = seed
    self.length = length
  }

  /// The same with one more rule.
  package func with(_ change: Change, on span: DaySpan) -> Scenario {
    var changed = self
    changed.rules.append(Rule(span: span, change: change))
    return changed
  }

  package func with(_ change: Change, on days: ClosedRange<Int>) -> Scenario { with(change, on: .days(days)) }

  /// A run of closed days that ends yesterday.
  package func withStreak(of length: Int) -> Scenario {
    with(.rings(.open), on: .day(-length - 1)).with(.rings(.closed), on: -length...(-1))
  }

  /// A week of illness for which the rings are paused.
  package func withPause(on days: ClosedRange<Int>) -> Scenario {
    var changed = with(.rings(.still), on: days)
    changed.pauses.append(days)
    return changed
  }

  package func withTrip(to zone: String, on days: ClosedRange<Int>) -> Scenario {
    var changed = self
    changed.trips.append(Trip(days: days, zone: zone))
    return changed
  }

  func goals(on offset: Int) -> RingGoals {
    goals.last { $0.since <= offset } ?? RingGoals(since: offset)
  }

  /// What holds for a day.
  func changes(on day: CivilDay, today: CivilDay, clock: ZoneHistory) -> [Change] {
    rules.filter { rule in
      switch rule.span {
      case .days(let days): return days.contains(day - today)
      case .lastWeek: return Week(containing: today, start: 0).previous.days.contains(day)
      case .clockChanges: return clock.length(of: day) != 86_400_000
      }
    }.map(\.change)
  }
}
