/// The best a person ever did, by sums of shown integers. Of equals the earliest stands.
package struct Records: Hashable, Sendable {
  /// The period with the largest sum.
  package struct Best<Period: Hashable & Sendable>: Hashable, Sendable {
    package let period: Period
    package let sum: Int
  }

  package private(set) var day: Best<CivilDay>?
  package private(set) var week: Best<Week>?
  package private(set) var month: Best<Month>?

  /// `days` oldest first, each date once; weeks begin on `weekStart` (0 = Monday).
  package init(_ days: some Sequence<(day: CivilDay, shown: Int)>, weekStart: Int) {
    var week: Best<Week>?
    var month: Best<Month>?
    for (date, shown) in days {
      let thisWeek = Week(containing: date, start: weekStart)
      let thisMonth = Month(containing: date)
      week = Best(period: thisWeek, sum: shown + (week?.period == thisWeek ? week?.sum ?? 0 : 0))
      month = Best(period: thisMonth, sum: shown + (month?.period == thisMonth ? month?.sum ?? 0 : 0))
      if shown > day?.sum ?? 0 { day = Best(period: date, sum: shown) }
      if let week, week.sum > self.week?.sum ?? 0 { self.week = week }
      if let month, month.sum > self.month?.sum ?? 0 { self.month = month }
    }
  }
}
