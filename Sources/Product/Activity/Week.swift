/// Seven whole civil days, [first, first + 7). Which weekday it starts on is the person's setting.
package struct Week: Hashable, Comparable, Sendable {
  package let first: CivilDay

  package init(first: CivilDay) { self.first = first }

  /// `start`: 0 = Monday (default) … 6 = Sunday.
  package init(containing day: CivilDay, start: Int) {
    let into = (day.weekday - start) % 7
    first = day - (into < 0 ? into + 7 : into)
  }

  package var last: CivilDay { first + 6 }
  package var days: ClosedRange<CivilDay> { first...last }
  package var next: Week { Week(first: first + 7) }
  package var previous: Week { Week(first: first - 7) }
  package var start: Int { first.weekday }

  package static func < (one: Week, other: Week) -> Bool { one.first < other.first }

  /// Year and number by ISO 8601, to be shown only when weeks start on Monday.
  package var isoNumber: (year: Int, week: Int) {
    let thursday = first + 3
    let year = thursday.year
    let firstOfYear = CivilDay(number: CivilDay.number(year: year, month: 1, day: 1))
    return (year, (thursday - firstOfYear) / 7 + 1)
  }
}

/// A calendar month.
package struct Month: Hashable, Comparable, Sendable {
  package let year: Int
  /// 1…12.
  package let month: Int

  package init?(year: Int, month: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    self.year = year
    self.month = month
  }

  package init(containing day: CivilDay) {
    let parts = day.parts
    year = parts.year
    month = parts.month
  }

  package var first: CivilDay { CivilDay(number: CivilDay.number(year: year, month: month, day: 1)) }
  package var last: CivilDay { first + (CivilDay.daysInMonth(month, year: year) - 1) }
  package var days: ClosedRange<CivilDay> { first...last }
  package var next: Month { Month(containing: last + 1) }
  package var previous: Month { Month(containing: first - 1) }

  package static func < (one: Month, other: Month) -> Bool { one.first < other.first }
}

/// A sum of shown integers over a period, with what it rests on.
package struct PeriodTotal: Hashable, Sendable {
  package var sum: Int = 0
  /// Days with a value or a zero; today counts in the sum and not here.
  package var counted: Int = 0
  /// Sum of the counted days alone, for the mean.
  package var countedSum: Int = 0
  package var days: Int = 0

  package init() {}

  package mutating func add(_ state: DayState) {
    days += 1
    sum += state.number ?? 0
    if let steps = state.counted {
      counted += 1
      countedSum += steps
    }
  }

  /// "Mean of n of N days"; nil when no day counts.
  package var mean: Double? { counted > 0 ? Double(countedSum) / Double(counted) : nil }
}
