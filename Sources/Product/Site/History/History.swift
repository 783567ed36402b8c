import Activity
import Consent
import HTTP
import People
import Storage

/// `/history…`: any stretch of days. What "today" is and where weeks start is known only with the rows, so each reads a
/// little more than it shows, in one round trip.
extension Site {
  /// Today and the seven days before; with dates the range between them.
  func showHistory(_ visit: Visit, from: CivilDay?, to: CivilDay?) async throws(Problem) -> Response {
    let latest = visit.worldDay + 1
    guard from != nil || to != nil else {
      return try await history(visit, reading: (latest - 15)...latest) { _, _ in .recent }
    }
    let first = from ?? (to.map { $0 - 7 } ?? latest)
    let last = to ?? latest
    let end = min(max(first, last), latest)
    let start = min(min(first, last), end)
    let reading = max(start - 6, end - (Period.longest + 6))...end
    return try await history(visit, reading: reading) { today, _ in
      Period(from: first, to: to ?? today, today: today)
    }
  }

  /// A week by any of its days: only its first day is its address.
  func showWeek(_ visit: Visit, of day: CivilDay) async throws(Problem) -> Response {
    try await history(visit, reading: (day - 12)...(day + 6)) { _, weekStart in
      let week = Week(containing: day, start: weekStart)
      return week.first == day ? .week(week) : nil
    }
  }

  func showMonth(_ visit: Visit, year: Int, month: Int) async throws(Problem) -> Response {
    guard let month = Month(year: year, month: month) else { throw Problem(.notFound, "") }
    return try await history(visit, reading: (month.first - 6)...month.last) { _, _ in .month(month) }
  }

  func showYear(_ visit: Visit, _ year: Int) async throws(Problem) -> Response {
    try await history(visit, reading: Period.year(year).days(today: visit.worldDay)) { _, _ in .year(year) }
  }

  /// Reads, lets `period` say what is to be shown, shows it. Nil from `period`: the week has another address.
  private func history(
    _ visit: Visit, reading days: ClosedRange<CivilDay>, _ period: (_ today: CivilDay, _ weekStart: Int) -> Period?
  ) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.history(claim, days: days).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    let (settings, rows, views) = (opened.settings, opened.value, visit.interior.views)
    let clock = visit.clock(of: settings)
    let (today, weekStart) = (clock.day(at: visit.now), Int(settings.weekStart.rawValue))
    guard let period = period(today, weekStart) else {
      guard case .week(let day) = visit.route else { throw Problem(.notFound, "") }
      return seeOther(.week(Week(containing: day, start: weekStart).first))
    }
    let almanac = {
      Almanac(
        reading: period.reading(today: today), rows, today: today, weekStart: weekStart, history: clock.history)
    }
    if case .year(let year) = period {
      return page(views.year, to: visit, of: opened, today: today) {
        YearPage(frame: frame(visit, settings, place: .history), year: year, almanac: almanac(), words: views.words)
      }
    }
    return page(views.history, to: visit, of: opened, today: today) {
      HistoryPage(
        frame: frame(visit, settings, place: .history), period: period, almanac: almanac(), words: views.words)
    }
  }
}

extension Almanac {
  /// The days of a page's rows; none when the period has not begun.
  fileprivate init(
    reading days: ClosedRange<CivilDay>?, _ rows: HistoryRows, today: CivilDay, weekStart: Int, history: ZoneHistory
  ) {
    if let days {
      self.init(
        days, stored: rows.days, summaries: rows.summaries, context: rows.context, today: today, weekStart: weekStart,
        history: history)
    } else {
      self.init(
        today: today, weekStart: weekStart,
        firstDay: [rows.context.firstDay, rows.context.firstRings].compactMap { $0 }.min(), entries: [])
    }
  }
}
