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
    var sentence: [UInt8] = []
    var week = Week(containing: month.first, start: writer.almanac.weekStart)
    while week.first <= month.last {
      out.append("<tr>")
      for day in week.days { writer.cell(day, isInMonth: month.days.contains(day), &sentence, into: &out) }
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

  /// `sentence` is scratch space: each cell says its rings twice.
  func cell(_ day: CivilDay, isInMonth: Bool, _ sentence: inout [UInt8], into out: inout [UInt8]) {
    guard isInMonth else { return out.append("<td></td>") }
    guard let entry = almanac[day], entry.isShown else { return emptyCell(day, into: &out) }
    let isToday = day == almanac.today
    out.append(isToday ? "<td class=\"is-now\"><a href=\"" : "<td><a href=\"")
    (isToday ? Route.today : .day(day)).spell(into: &out)
    out.append(isToday ? "\" aria-current=\"date\" title=\"" : "\" title=\"")
    words.append(day, as: .short, to: &out)
    out.append(": ")
    sentence.removeAll(keepingCapacity: true)
    words.append(ringsOf: entry, to: &sentence)
    out.append(contentsOf: sentence)
    out.append("\">")
    out.append(decimal: day.day)
    out.append("<span class=\"vh\">: ")
    out.append(contentsOf: sentence)
    out.append("</span>")
    RingPicture(size: .small, face: entry.ringFace, title: .none).draw(into: &out)
    out.append("</a></td>")
  }

  /// Days to come, and days before the first data: a number without a link.
  private func emptyCell(_ day: CivilDay, into out: inout [UInt8]) {
    out.append("<td><span class=\"x\">")
    out.append(decimal: day.day)
    RingPicture(size: .small, face: .future, title: .none).draw(into: &out)
    out.append("</span></td>")
  }
}
