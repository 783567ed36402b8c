import Activity
import Foundation
import Site
import Support
import Templates
import Testing

/// Each page of a fixed year is the file in Tests/Fixtures/pages, byte by byte. After a change that is meant, run the
/// tests with STEPWELL_SNAPSHOTS=write and look at the difference before you commit it.
struct PageSnapshotTests {
  @Test("Today of the mock-ups' year") func today() throws {
    let stage = try PageStage(current: .today, isFresh: true)
    let page = TodayPage(frame: stage.frame, input: try MockYear.todayInput(), words: stage.views.words)
    try compare(stage.render(stage.views.today, page), with: "today")
  }

  @Test("Today when nothing has come since yesterday") func missing() throws {
    let stage = try PageStage(current: .today, isFresh: true)
    var input = try MockYear.todayInput()
    let kept = input.almanac.entries.map { entry in
      entry.day == MockYear.today ? DayEntry(day: entry.day, state: .partial(nil)) : entry
    }
    input.almanac = Almanac(
      today: MockYear.today, weekStart: 0, firstDay: input.almanac.firstDay, entries: kept)
    input.updates[0].age = 18 * 3_600_000
    input.updates[0].at = LocalTime(day: MockYear.today - 1, minutes: 22 * 60 + 4, offset: 3600)
    input.known = input.updates[0].at
    input.marks[13] = .open
    let page = TodayPage(frame: stage.frame, input: input, words: stage.views.words)
    try compare(stage.render(stage.views.today, page), with: "today-missing")
  }

  @Test("Today before anything has arrived") func empty() throws {
    let stage = try PageStage(current: .today, isFresh: true)
    let page = EmptyTodayPage(frame: stage.frame, name: "Anna", today: MockYear.today, words: stage.views.words)
    try compare(stage.render(stage.views.emptyToday, page), with: "today-empty")
  }

  @Test(
    "History of a period",
    arguments: [
      ("history-recent", Period.recent), ("history-week", .week(Week(containing: MockYear.today, start: 0))),
      ("history-month", .month(Month(containing: MockYear.today))),
      ("history-custom", .days(MockYear.day("2026-08-01")...MockYear.day("2026-08-31"))),
      ("history-march", .month(Month(containing: MockYear.day("2026-03-01")))),
      ("history-empty", .month(Month(containing: MockYear.day("2025-06-01")))),
    ])
  func history(name: String, period: Period) throws {
    let stage = try PageStage()
    let page = HistoryPage(
      frame: stage.frame, period: period, almanac: try MockYear.almanac(), words: stage.views.words)
    try compare(stage.render(stage.views.history, page), with: name)
  }

  @Test("A year of rings") func year() throws {
    let stage = try PageStage()
    let page = YearPage(frame: stage.frame, year: 2026, almanac: try MockYear.almanac(), words: stage.views.words)
    try compare(stage.render(stage.views.year, page), with: "history-year")
  }

  @Test("One day with two devices") func day() throws {
    let stage = try PageStage()
    let page = DayPage(frame: stage.frame, input: try MockYear.dayInput(), words: stage.views.words)
    try compare(stage.render(stage.views.day, page), with: "day")
  }

  private func compare(_ page: String, with name: String) throws {
    let file = "Tests/Fixtures/pages/\(name).html"
    if ProcessInfo.processInfo.environment["STEPWELL_SNAPSHOTS"] == "write" {
      try page.write(toFile: Repository.root + "/" + file, atomically: true, encoding: .utf8)
      return
    }
    let expected = try Repository.text(file)
    let place = zip(page.split(separator: "\n"), expected.split(separator: "\n")).enumerated()
      .first { $0.element.0 != $0.element.1 }
    #expect(page == expected, "\(name).html differs from line \((place?.offset ?? 0) + 1)")
  }
}
