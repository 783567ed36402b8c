/// What can be earned. Everything is computed from the days as they stand and goes again when they change.
package enum Award: Hashable, Sendable {
  case perfectWeek(StreakKind)
  case perfectMonth(StreakKind)
  /// The Move goal 2, 3 or 4 times over in a day.
  case moveGoal(times: Int)
  /// A run of 7, 30, 100, 365, 500, 1000 days, then every 250.
  case streak(StreakKind, days: Int)
  /// Steps over the whole life: 1, 2, 5, 10, 20, 50, … million.
  case lifetime(millions: Int)
}

/// An award with the day on which it was first earned and how often since.
package struct EarnedAward: Hashable, Sendable {
  package let award: Award
  package internal(set) var first: CivilDay
  package internal(set) var last: CivilDay
  package internal(set) var times: Int
}

/// Goes over a life once and notes what was earned, by the days up to and including `today`.
package struct Awards: Sendable {
  package private(set) var earned: [EarnedAward] = []
  private var places: [Award: Int] = [:]

  /// The length that earns something after `length` days; the milestones of semantics.md 5.
  package static func nextMilestone(after length: Int) -> Int {
    [7, 30, 100, 365, 500, 1000].first { $0 > length } ?? (length / 250 + 1) * 250
  }

  /// `steps` and `rings` by day; days without data are absent. `weekStart`: 0 = Monday.
  package init(
    facts: DayFacts, steps: [CivilDay: Int], rings: [CivilDay: Rings], today: CivilDay, weekStart: Int
  ) {
    guard facts.first <= today else { return }
    let days = facts.first...today
    for kind in StreakKind.all {
      addRuns(kind, facts, days)
      addPeriods(kind, facts, days, weekStart)
    }
    var life = 0
    for day in days {
      if let ring = rings[day]?.move, rings[day]?.paused != true {
        for times in 2...4 where ring.value + 1e-6 >= ring.goal * Double(times) { add(.moveGoal(times: times), day) }
      }
      addLifetime(from: life, to: life + (steps[day] ?? 0), day)
      life += steps[day] ?? 0
    }
    earned.sort { ($0.last, $0.first) < ($1.last, $1.first) }
  }

  private mutating func addRuns(_ kind: StreakKind, _ facts: DayFacts, _ days: ClosedRange<CivilDay>) {
    var length = 0
    for day in days {
      switch facts.mark(kind, on: day, today: days.upperBound, awaited: false) {
      case .met:
        if Awards.nextMilestone(after: length) == length + 1 { add(.streak(kind, days: length + 1), day) }
        length += 1
      case .missed, .none: length = 0
      case .paused, .pending, .open: continue
      }
    }
  }

  private mutating func addPeriods(
    _ kind: StreakKind, _ facts: DayFacts, _ days: ClosedRange<CivilDay>, _ weekStart: Int
  ) {
    var week = Week(containing: days.lowerBound, start: weekStart)
    while week.last <= days.upperBound {
      if isPerfect(week.days, kind, facts, days) { add(.perfectWeek(kind), week.last) }
      week = week.next
    }
    var month = Month(containing: days.lowerBound)
    while month.last <= days.upperBound {
      if isPerfect(month.days, kind, facts, days) { add(.perfectMonth(kind), month.last) }
      month = month.next
    }
  }

  private func isPerfect(
    _ period: ClosedRange<CivilDay>, _ kind: StreakKind, _ facts: DayFacts, _ days: ClosedRange<CivilDay>
  ) -> Bool {
    facts.outcome(kind, of: period, today: days.upperBound) { _ in false } == .perfect
  }

  private mutating func addLifetime(from old: Int, to new: Int, _ day: CivilDay) {
    for scale in [1, 10, 100, 1000] {
      for millions in [scale, 2 * scale, 5 * scale] where old < millions * 1_000_000 && new >= millions * 1_000_000 {
        add(.lifetime(millions: millions), day)
      }
    }
  }

  private mutating func add(_ award: Award, _ day: CivilDay) {
    if let place = places[award] {
      earned[place].last = day
      earned[place].times += 1
    } else {
      places[award] = earned.count
      earned.append(EarnedAward(award: award, first: day, last: day, times: 1))
    }
  }
}

extension StreakKind {
  /// Every kind, rings from outside to inside.
  package static let all: [StreakKind] = [.ring(.move), .ring(.exercise), .ring(.stand), .allRings, .steps]
}
