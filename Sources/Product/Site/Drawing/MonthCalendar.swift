import Activity
import Bytes
import Templates

/// Head and days of one month with small rings, as the inside of a table. A year has 365 of these cells, so that they are
/// written straight into the page: no words are made that nobody keeps.
struct MonthCalendar: Drawing {
  let month: Month
  let writer: CalendarWriter

  func draw(into out: inout [UInt8]) {
    out.append(contentsOf: writer.head)
    out.append("<tbody>")
    var week = Week(containing: month.first, start: writer.almanac.weekStart)
    while week.first <= month.last {
      out.append("<tr>")
      for day in week.days { writer.cell(day, isInMonth: month.days.contains(day), into: &out) }
      out.append("</tr>")
      week = week.next
    }
    out.append("</tbody>")
  }
}

/// What the calendars of one year share.
struct CalendarWriter: Sendable {
  let almanac: Almanac
  private let words: Words
  /// `<thead>` with the days of the week.
  let head: [UInt8]

  init(almanac: Almanac, words: Words) {
    self.almanac = almanac
    self.words = words
    var head: [UInt8] = []
    head.append("<thead><tr>")
    for place in 0..<7 {
      let weekday = (almanac.weekStart + place) % 7
      head.append("<th scope=\"col\"><abbr title=\"")
      head.append(escaped: words.weekday(weekday))
      head.append("\">")
      head.append(escaped: words.weekdayNarrow(weekday))
      head.append("</abbr></th>")
    }
    head.append("</tr></thead>")
    self.head = head
  }

  func cell(_ day: CivilDay, isInMonth: Bool, into out: inout [UInt8]) {
    guard isInMonth else { return out.append("<td></td>") }
    guard let entry = almanac[day], entry.isShown else { return emptyCell(day, into: &out) }
    let isToday = day == almanac.today
    out.append(isToday ? "<td class=\"is-now\"><a href=\"" : "<td><a href=\"")
    out.append(utf8: isToday ? Route.today.address : Route.day(day).address)
    out.append(isToday ? "\" aria-current=\"date\" title=\"" : "\" title=\"")
    words.append(day, as: .short, to: &out)
    out.append(": ")
    words.append(ringsOf: entry, to: &out)
    out.append("\">")
    out.append(decimal: day.day)
    out.append("<span class=\"vh\">: ")
    words.append(ringsOf: entry, to: &out)
    out.append("</span>")
    RingPicture(size: .small, face: entry.ringFace, title: nil).draw(into: &out)
    out.append("</a></td>")
  }

  /// Days to come, and days before the first data: a number without a link.
  private func emptyCell(_ day: CivilDay, into out: inout [UInt8]) {
    out.append("<td><span class=\"x\">")
    out.append(decimal: day.day)
    RingPicture(size: .small, face: .future, title: nil).draw(into: &out)
    out.append("</span></td>")
  }
}

extension Words {
  /// A date, escaped, without making a string of it.
  func append(_ day: CivilDay, as pattern: DatePattern, to out: inout [UInt8]) {
    guard let phrase = dates.patterns[pattern] else { return }
    let (year, month, number) = day.parts
    for piece in phrase.pieces {
      switch piece {
      case .text(let text): out.append(escaped: text)
      case .place("wd"): out.append(escaped: dates.weekdaysShort[day.weekday])
      case .place("weekday"): out.append(escaped: dates.weekdays[day.weekday])
      case .place("d"): out.append(decimal: number)
      case .place("mon"): out.append(escaped: dates.monthsShort[month - 1])
      case .place("month"): out.append(escaped: dates.months[month - 1])
      case .place("y"): out.append(decimal: year)
      case .place: break
      }
    }
  }

  /// `Move 82 %, Exercise 113 %, Stand 75 %`, escaped.
  func append(ringsOf entry: DayEntry, to out: inout [UInt8]) {
    guard !entry.isPaused, let rings = entry.knownRings else { return out.append(escaped: ringsShort(entry)) }
    var isFirst = true
    for kind in RingKind.allCases {
      guard let ring = rings[kind] else { continue }
      if !isFirst { out.append(", ") }
      isFirst = false
      out.append(escaped: ringNames[rings.moveMode == .minutes && kind == .move ? 3 : kind.rawValue])
      out.append(" ")
      append(percent: ring.percent, to: &out)
    }
  }

  private func append(percent: Int, to out: inout [UInt8]) {
    for piece in numbers.percent.pieces {
      switch piece {
      case .text(let text): out.append(escaped: text)
      case .place: if percent < 1000 { out.append(decimal: percent) } else { out.append(escaped: number(percent)) }
      }
    }
  }
}
