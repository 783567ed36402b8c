/// How a day stands towards a goal (semantics.md 4).
package enum DayMark: Hashable, Sendable {
  case met, missed, paused, pending, open, none
}

/// A run of met days, first and last of them.
package struct Run: Hashable, Sendable {
  /// Met days; paused and pending ones in between are not counted.
  package var length: Int
  package var first: CivilDay
  package var last: CivilDay

  package init(length: Int, first: CivilDay, last: CivilDay) {
    self.length = length
    self.first = first
    self.last = last
  }
}

/// Consecutive days that met a goal: the run that reaches today, and the longest ever.
package struct Streak: Hashable, Sendable {
  package var current: Run?
  package var longest: Run?
  /// "Waiting for data since": the earliest pending day that the current run steps over.
  package var waitingSince: CivilDay?

  package var length: Int { current?.length ?? 0 }

  package init(current: Run? = nil, longest: Run? = nil, waitingSince: CivilDay? = nil) {
    self.current = current
    self.longest = longest
    self.waitingSince = waitingSince
  }

  /// Reads marks of consecutive days, oldest first; the last one is `today`.
  package init(marks: some Collection<DayMark>, today: CivilDay) {
    var tally = StreakTally()
    var day = today - (marks.count - 1)
    for mark in marks {
      tally.add(mark, on: day)
      day = day + 1
    }
    self = tally.streak
  }
}

/// Adds days up one after the other, oldest first: open, paused and pending are stepped over, missed and none end a run.
package struct StreakTally: Hashable, Sendable {
  private var run: Run?
  private var longest: Run?
  private var waitingSince: CivilDay?

  package init() {}

  init(run: Run?, longest: Run?) {
    self.run = run
    self.longest = longest
  }

  package mutating func add(_ mark: DayMark, on day: CivilDay) {
    switch mark {
    case .met:
      run = Run(length: (run?.length ?? 0) + 1, first: run?.first ?? day, last: day)
      if let run, run.length > (longest?.length ?? 0) { longest = run }
    case .paused, .open: break
    case .pending: waitingSince = waitingSince ?? day
    case .missed, .none:
      run = nil
      waitingSince = nil
    }
  }

  package var streak: Streak { Streak(current: run, longest: longest, waitingSince: waitingSince) }
}
