/// How a day stands for one type (semantics.md 1). "Paused" is a flag beside it.
package enum DayState: Hashable, Sendable {
  /// The total, over and covered, or older than 7 days.
  case value(Int)
  case zero
  /// Today, with the count so far; nil when nothing has arrived.
  case partial(Int?)
  /// Over within the last 7 days and not covered to its end: the phone may still deliver.
  case pending(Int?)
  case none
  case future
  /// Before the first data.
  case before

  /// The number that goes into averages: value and zero days only.
  package var counted: Int? {
    switch self {
    case .value(let steps): steps
    case .zero: 0
    default: nil
    }
  }

  /// Any number there is to print.
  package var number: Int? {
    switch self {
    case .value(let steps): steps
    case .zero: 0
    case .partial(let steps), .pending(let steps): steps
    default: nil
    }
  }
}

/// What the states of a stretch of days depend on, read once for a page.
package struct DayStates: Sendable {
  /// How long a day that is over may still be waited for.
  package static let patience = 7

  package var today: CivilDay
  package var firstDay: CivilDay?
  package var coverage: Coverage

  /// `firstDay` is the first day with any data of the type; nil when there is none yet.
  package init(today: CivilDay, firstDay: CivilDay?, coverage: Coverage) {
    self.today = today
    self.firstDay = firstDay
    self.coverage = coverage
  }

  /// `shown` is the stored integer of the day, nil without a row; `interval` the day's instants.
  package func state(of day: CivilDay, shown: Int?, interval: Range<Instant>) -> DayState {
    if day > today { return .future }
    if day == today { return .partial(shown) }
    let waiting = today - day <= DayStates.patience && !coverage.reaches(interval.upperBound, over: interval)
    if waiting, shown != nil || firstDay.map({ day >= $0 }) == true { return .pending(shown) }
    if let shown { return shown > 0 ? .value(shown) : .zero }
    if coverage.contains(interval) { return .zero }
    guard let firstDay, day >= firstDay else { return .before }
    return .none
  }

  /// True when nothing more is expected of a day wherever on Earth it was lived: answers most days without a look at the
  /// person's clock. False says nothing.
  package func surelyReaches(_ day: CivilDay) -> Bool {
    let midnight = Instant(seconds: Int64(day.number) * 86_400)
    let widest = midnight.advanced(hours: -16)..<midnight.advanced(hours: 24 + 16)
    return coverage.reaches(widest.upperBound, over: widest)
  }

  /// True for a day that is shown with its value although it was never covered to its end.
  package func isIncomplete(_ day: CivilDay, interval: Range<Instant>) -> Bool {
    today - day > DayStates.patience && !coverage.reaches(interval.upperBound, over: interval)
  }
}
