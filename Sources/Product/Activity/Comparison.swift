/// Two periods side by side, only over places (weekdays, days of the month) that both have with data.
package struct Comparison: Hashable, Sendable {
  /// How many places both have.
  package let days: Int
  package let sum: Int
  package let before: Int

  /// `these` and `those` hold the states of the same places; a running day or one without data is left out on both sides.
  package init(_ these: [DayState], with those: [DayState]) {
    var days = 0
    var sum = 0
    var before = 0
    for (this, that) in zip(these, those) {
      guard let here = this.counted, let there = that.counted else { continue }
      days += 1
      sum += here
      before += there
    }
    self.days = days
    self.sum = sum
    self.before = before
  }

  package var difference: Int { sum - before }

  /// Rounded to whole percent; nil when there is nothing to compare with.
  package var percent: Int? {
    guard days > 0, before > 0 else { return nil }
    return Int((100 * Double(difference) / Double(before)).rounded())
  }
}

/// Where the days lead: the mean of the last 90 complete days against the 365 before them (semantics.md 5).
package struct Trend: Hashable, Sendable {
  /// Which way the arrow points.
  package enum Direction: Hashable, Sendable { case up, level, down }

  package let recent: Double
  package let recentDays: Int
  package let before: Double
  package let beforeDays: Int

  /// `states`: consecutive days, the last one is yesterday. Nil with fewer than 60 recent or 180 earlier days with data.
  package init?(_ states: [DayState]) {
    let recent = states.suffix(90).compactMap(\.counted)
    let before = states.dropLast(90).suffix(365).compactMap(\.counted)
    guard recent.count >= 60, before.count >= 180 else { return nil }
    self.recent = Double(recent.reduce(0, +)) / Double(recent.count)
    self.before = Double(before.reduce(0, +)) / Double(before.count)
    recentDays = recent.count
    beforeDays = before.count
  }

  /// An arrow from 2 % on.
  package var direction: Direction {
    let change = recent - before
    if abs(change) < before * 0.02 || change == 0 { return .level }
    return change > 0 ? .up : .down
  }
}
