package import Activity
import Bytes
import Templates

/// The names and patterns with which a language writes dates.
struct DateWords: Sendable {
  let weekdays: [String]
  let weekdaysShort: [String]
  let weekdaysNarrow: [String]
  let months: [String]
  let monthsShort: [String]
  /// By the raw value of the pattern.
  let patterns: [Phrase]

  init(_ texts: Texts) throws(TemplateError) {
    weekdays = try DateWords.names(texts, "weekdays", 0...6)
    weekdaysShort = try DateWords.names(texts, "weekdaysShort", 0...6)
    weekdaysNarrow = try DateWords.names(texts, "weekdaysNarrow", 0...6)
    months = try DateWords.names(texts, "months", 1...12)
    monthsShort = try DateWords.names(texts, "monthsShort", 1...12)
    var patterns: [Phrase] = []
    for pattern in DatePattern.allCases { patterns.append(Phrase(try texts.needed("date.\(pattern)"))) }
    self.patterns = patterns
  }

  private static func names(
    _ texts: Texts, _ list: String, _ range: ClosedRange<Int>
  ) throws(TemplateError) -> [String] {
    var names: [String] = []
    for number in range { names.append(try texts.needed("date.\(list).\(number)")) }
    return names
  }
}

/// Ways to write a date or two; the examples are English. Each has a text of its name under `date`.
package enum DatePattern: Int, CaseIterable, Sendable {
  /// `Thu 26 Nov`
  case short
  /// `Thu 26 Nov 2026`
  case shortYear
  /// `26 Nov`
  case dayMonth
  /// `26 November`
  case dayMonthLong
  /// `Thursday 26 November`
  case weekdayLong
  /// `Thursday 26 November 2026`
  case full
  /// `26 November 2026`
  case date
  /// `November 2026`
  case month
  case rangeInMonth, range, rangeYears, rangeInMonthLong, rangeInThisMonth, rangeLong, rangeLongYear, rangeLongYears
  case today, yesterday, at, now, minutesAgo
}

extension Words {
  package func date(_ day: CivilDay, as pattern: DatePattern) -> String {
    let (year, month, number) = day.parts
    return fill(pattern) { name in
      switch name {
      case "wd": dates.weekdaysShort[day.weekday]
      case "weekday": dates.weekdays[day.weekday]
      case "d": String(number)
      case "mon": dates.monthsShort[month - 1]
      case "month": dates.months[month - 1]
      case "y": String(year)
      default: nil
      }
    }
  }

  /// The same straight into a page.
  func append(_ day: CivilDay, as pattern: DatePattern, to out: inout [UInt8]) {
    let (year, month, number) = day.parts
    for piece in dates.patterns[pattern.rawValue].pieces {
      switch piece {
      case .text(let text): out.append(escaped: text)
      case .place("wd"): out.append(escaped: dates.weekdaysShort[day.weekday])
      case .place("d"): out.append(decimal: number)
      case .place("mon"): out.append(escaped: dates.monthsShort[month - 1])
      case .place("y"): out.append(decimal: year)
      case .place("weekday"): out.append(escaped: dates.weekdays[day.weekday])
      case .place("month"): out.append(escaped: dates.months[month - 1])
      case .place: break
      }
    }
  }

  /// `23–29 Nov`, `30 Nov – 6 Dec`, `28 Dec 2025 – 3 Jan 2026`; one day alone is `1 Nov`.
  package func range(_ days: ClosedRange<CivilDay>) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last { return date(first, as: .dayMonth) }
    if first.year != last.year { return range(days, as: .rangeYears) }
    return range(days, as: first.month == last.month ? .rangeInMonth : .range)
  }

  /// `11 April – 11 May`, `19–26 November`; with a year that is not `thisYear`: `11 April – 11 May 2024`.
  package func longRange(_ days: ClosedRange<CivilDay>, thisYear: Int? = nil) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last { return date(first, as: first.year == thisYear ? .dayMonthLong : .date) }
    if first.year != last.year { return range(days, as: .rangeLongYears) }
    let isOneMonth = first.month == last.month
    if first.year == thisYear { return range(days, as: isOneMonth ? .rangeInThisMonth : .rangeLong) }
    return range(days, as: isOneMonth ? .rangeInMonthLong : .rangeLongYear)
  }

  private func range(_ days: ClosedRange<CivilDay>, as pattern: DatePattern) -> String {
    let (first, last) = (days.lowerBound.parts, days.upperBound.parts)
    return fill(pattern) { name in
      switch name {
      case "d1": String(first.day)
      case "d2": String(last.day)
      case "mon1": dates.monthsShort[first.month - 1]
      case "mon2", "mon": dates.monthsShort[last.month - 1]
      case "month1": dates.months[first.month - 1]
      case "month2", "month": dates.months[last.month - 1]
      case "y1": String(first.year)
      case "y2", "y": String(last.year)
      default: nil
      }
    }
  }

  package func weekday(_ weekday: Int) -> String { name(dates.weekdays, weekday) }
  package func weekdayShort(_ weekday: Int) -> String { name(dates.weekdaysShort, weekday) }
  /// One letter, for the heads of calendars; the long name belongs beside it.
  package func weekdayNarrow(_ weekday: Int) -> String { name(dates.weekdaysNarrow, weekday) }
  /// `November`; 1…12.
  package func monthName(_ month: Int) -> String { name(dates.months, month - 1) }
  package func monthShort(_ month: Int) -> String { name(dates.monthsShort, month - 1) }

  private func name(_ names: [String], _ place: Int) -> String {
    names.indices.contains(place) ? names[place] : ""
  }

  func fill(_ pattern: DatePattern, _ word: (String) -> String?) -> String {
    dates.patterns[pattern.rawValue].filled(word)
  }
}
