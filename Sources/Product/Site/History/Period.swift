package import Activity
import Templates

/// A stretch of days that History shows, with its neighbours.
package enum Period: Hashable, Sendable {
  /// Today and the seven days before.
  case recent
  case week(Week)
  case month(Month)
  case year(Int)
  /// Any days; both ends belong to it.
  case days(ClosedRange<CivilDay>)

  /// The longest list of days.
  package static let longest = 400

  /// Dates from outside: in any order, cut at today, at most 400 days (the last ones).
  package init(from: CivilDay, to: CivilDay, today: CivilDay) {
    let last = min(max(from, to), today)
    let first = min(min(from, to), last)
    self = .days(max(first, last - (Period.longest - 1))...last)
  }

  /// All its dates, also those to come.
  package func days(today: CivilDay) -> ClosedRange<CivilDay> {
    switch self {
    case .recent: (today - 7)...today
    case .week(let week): week.days
    case .month(let month): month.days
    case .year(let year): Period.first(of: year)...Period.last(of: year)
    case .days(let days): days
    }
  }

  /// The dates to read for the page: up to today, with the six days before that the mean of the first day rests on; nil
  /// when the period has not begun.
  package func reading(today: CivilDay) -> ClosedRange<CivilDay>? {
    let days = days(today: today)
    guard days.lowerBound <= today else { return nil }
    if case .year = self { return days.lowerBound...min(days.upperBound, today) }
    return (days.lowerBound - 6)...min(days.upperBound, today)
  }

  package var route: Route {
    switch self {
    case .recent: .history(from: nil, to: nil)
    case .week(let week): .week(week.first)
    case .month(let month): .month(year: month.year, month: month.month)
    case .year(let year): .year(year)
    case .days(let days): .history(from: days.lowerBound, to: days.upperBound)
    }
  }

  /// Nil where a period has no neighbour of its kind.
  var previous: Period? {
    switch self {
    case .week(let week): .week(week.previous)
    case .month(let month): .month(month.previous)
    case .year(let year): year > 1 ? .year(year - 1) : nil
    case .recent, .days: nil
    }
  }

  var next: Period? {
    switch self {
    case .week(let week): .week(week.next)
    case .month(let month): .month(month.next)
    case .year(let year): year < 9999 ? .year(year + 1) : nil
    case .recent, .days: nil
    }
  }

  static func last(of year: Int) -> CivilDay {
    CivilDay(year: min(max(year, 1), 9999), month: 12, day: 31) ?? CivilDay(number: 0)
  }

  static func first(of year: Int) -> CivilDay {
    CivilDay(year: min(max(year, 1), 9999), month: 1, day: 1) ?? CivilDay(number: 0)
  }
}

/// Texts that name a period.
package enum PeriodText: String, TextKeys {
  case recent = "period.recent"
  case week = "period.week"
  case month = "period.month"
  case year = "period.year"
  case custom = "period.custom"
  case weekLong = "period.weekLong"
  case title = "period.title"
  case weekAndDates = "period.weekAndDates"
}

extension Words {
  /// `Week 48`, `November 2026`, `2026`, `1–31 August 2026`: in a pager, in names of links.
  func name(of period: Period, today: CivilDay) -> String {
    switch period {
    case .recent: text(PeriodText.recent)
    case .week(let week): weekName(week)
    case .month(let month): date(month.first, as: .month)
    case .year(let year): String(year)
    case .days(let days): longRange(days)
    }
  }

  /// The same inside a sentence: `week 48`.
  func nameInside(_ period: Period, today: CivilDay) -> String {
    switch period {
    case .recent: longRange(period.days(today: today), thisYear: today.year)
    case .week(let week) where week.start == 0: text(PeriodText.weekLong, ("n", String(week.isoNumber.week)))
    case .week(let week): longRange(week.days)
    default: name(of: period, today: today)
    }
  }
}

/// The ranges of History as links.
struct PeriodTab: PageModel {
  let name: String
  let address: String
  let isCurrent: Bool

  static func tabs(for period: Period, today: CivilDay, weekStart: Int, words: Words) -> [PeriodTab] {
    // A step to another range keeps the place in time: from October to the last week of October.
    let place = min(period.days(today: today).upperBound, today)
    let month = Month(containing: place)
    let entries: [(PeriodText, Period, Bool)] = [
      (.recent, .recent, period == .recent),
      (.week, .week(Week(containing: place, start: weekStart)), period.isWeek),
      (.month, .month(month), period.isMonth), (.year, .year(place.year), period.isYear),
      (.custom, .days(period.customDays(today: today)), period.isCustom),
    ]
    return entries.map { PeriodTab(name: words.text($0.0), address: $0.1.route.address, isCurrent: $0.2) }
  }

  static let fields = Fields<PeriodTab>(
    .text("name", \.name), .text("address", \.address), .flag("isCurrent", \.isCurrent))
}

extension Period {
  fileprivate var isWeek: Bool { if case .week = self { true } else { false } }
  fileprivate var isMonth: Bool { if case .month = self { true } else { false } }
  fileprivate var isYear: Bool { if case .year = self { true } else { false } }
  var isCustom: Bool { if case .days = self { true } else { false } }

  /// What "Custom" begins with: the days that are shown now.
  fileprivate func customDays(today: CivilDay) -> ClosedRange<CivilDay> {
    let days = days(today: today)
    let last = min(days.upperBound, today)
    return min(days.lowerBound, last)...last
  }
}

extension Pager {
  /// Steps between periods that have days: none before the first data, none after today.
  init?(_ period: Period, label: PagerText, almanac: Almanac, words: Words) {
    guard let previous = period.previous, let next = period.next else { return nil }
    let today = almanac.today
    let days = period.days(today: today)
    var current = words.name(of: period, today: today)
    if case .week(let week) = period, week.start == 0 {
      current = words.text(PeriodText.weekAndDates, ("week", current), ("dates", words.range(week.days)))
    }
    self.init(
      label: words.text(label), current: current,
      previous: days.lowerBound > (almanac.firstDay ?? today)
        ? Link(address: previous.route.address, name: words.name(of: previous, today: today)) : nil,
      next: days.upperBound < today
        ? Link(address: next.route.address, name: words.name(of: next, today: today)) : nil)
  }
}
