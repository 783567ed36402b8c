/// How seven days stand together towards a goal (semantics.md 5).
package enum WeekOutcome: Hashable, Sendable {
  /// All days met.
  case perfect
  /// Not perfect, and a day of it was paused: no failure.
  case paused
  /// It may still become perfect: running, or waiting for data.
  case open
  case missed

  /// `marks`: all days of the period that are not in the future, `isOver` whether it has ended.
  package init(_ marks: some Sequence<DayMark>, isOver: Bool) {
    var outcome: WeekOutcome = isOver ? .perfect : .open
    for mark in marks {
      switch mark {
      case .met: continue
      case .paused:
        self = .paused
        return
      case .pending, .open: if outcome == .perfect { outcome = .open }
      case .missed, .none: outcome = .missed
      }
    }
    self = outcome
  }
}

extension DayFacts {
  /// How a week, a month or any other period stands for one kind.
  package func outcome(
    _ kind: StreakKind, of days: ClosedRange<CivilDay>, today: CivilDay, isAwaited: (CivilDay) -> Bool
  ) -> WeekOutcome {
    let last = min(days.upperBound, today)
    guard days.lowerBound <= last else { return .open }
    let marks = (days.lowerBound...last).map { day in
      let recent = today - day <= DayStates.patience
      return mark(kind, on: day, today: today, awaited: recent && isAwaited(day))
    }
    return WeekOutcome(marks, isOver: days.upperBound <= today)
  }
}

/// A week as the weekly streak sees it.
package struct WeekStanding: Hashable, Sendable {
  package var week: Week
  /// Sum of the shown integers; nil when no day has data.
  package var sum: Int?
  /// The week's goal; nil when none was set.
  package var goal: Double?
  package var hasPause: Bool
  /// A day of it may still get data.
  package var isAwaited: Bool

  package init(week: Week, sum: Int?, goal: Double?, hasPause: Bool = false, isAwaited: Bool = false) {
    self.week = week
    self.sum = sum
    self.goal = goal
    self.hasPause = hasPause
    self.isAwaited = isAwaited
  }

  func mark(today: CivilDay) -> DayMark {
    guard let goal, goal > 0 else { return .none }
    if Double(sum ?? 0) >= goal { return .met }
    if week.days.contains(today) { return .open }
    if hasPause { return .paused }
    if isAwaited { return .pending }
    return sum == nil ? .none : .missed
  }
}

extension Streak {
  /// Consecutive weeks with the weekly goal met; this week never breaks it. `weeks` oldest first, without gaps. Dates of
  /// the runs are the weeks' first days.
  package init(weeks: [WeekStanding], today: CivilDay) {
    var tally = StreakTally()
    for standing in weeks { tally.add(standing.mark(today: today), on: standing.week.first) }
    self = tally.streak
  }
}
