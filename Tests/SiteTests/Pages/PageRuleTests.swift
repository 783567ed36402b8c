import Activity
import Foundation
import Site
import Templates
import Testing

/// The rules of numbers, time and missing data, read off rendered pages.
struct PageRuleTests {
  let stage: PageStage

  init() throws { stage = try PageStage() }

  private func history(
    _ entries: [DayEntry], _ period: Period, today: String, weekStart: Int = 0, begun: Bool = true
  ) -> String {
    let almanac = Almanac(
      today: MockYear.day(today), weekStart: weekStart, firstDay: begun ? entries.first?.day : nil, entries: entries)
    let page = HistoryPage(frame: stage.frame, period: period, almanac: almanac, words: stage.views.words)
    return stage.render(stage.views.history, page)
  }

  private func days(_ first: String, _ states: [DayState]) -> [DayEntry] {
    states.enumerated().map { DayEntry(day: MockYear.day(first) + $0.offset, state: $0.element) }
  }

  @Test("a missing day is a dash and a word, a zero is a number, and averages know the difference")
  func missingIsNotZero() {
    let page = history(
      days("2026-11-02", [.value(10_000), .zero, .none, .value(2_000), .pending(500), .partial(9_000)]),
      .week(Week(first: MockYear.day("2026-11-02"))), today: "2026-11-07")
    #expect(page.contains("<b>4,000</b> <span>a day</span><small>mean of 3 of 5 days</small>"))
    #expect(page.contains("<b>21,500</b><small>5 days with data</small>"))
    #expect(page.contains("<td class=\"num none\">No data</td>"))
    #expect(page.contains("<b>0</b></td>"))
    #expect(page.contains("<b>500</b><small class=\"rem\">waiting for data</small>"))
    #expect(page.contains("<b>9,000</b><small class=\"rem\">so far</small>"))
    #expect(page.contains("<title>Wed 4 Nov: no data</title>"))
    #expect(page.contains("<title>Tue 3 Nov: 0 steps</title>"))
  }

  @Test("today enters the total and neither the average nor the days that reached the goal")
  func todayApart() {
    let page = history(
      days("2026-11-02", [.value(4_000), .partial(20_000)]), .week(Week(first: MockYear.day("2026-11-02"))),
      today: "2026-11-03")
    #expect(page.contains("<b>24,000</b>"))
    #expect(page.contains("<b>4,000</b> <span>a day</span><small>mean of 1 of 1 day</small>"))
    #expect(page.contains("<dt>Goal reached</dt><dd><b>0</b> <span>of 1 day</span>"))
    #expect(page.contains("class=\"bar soft\""))
  }

  @Test("the seven-day mean needs four known days and breaks where it has fewer")
  func mean() {
    let almanac = Almanac(
      today: MockYear.day("2026-11-20"), weekStart: 0, firstDay: MockYear.day("2026-11-01"),
      entries: days("2026-11-01", [.value(1), .value(2), .value(3), .value(4), .none, .none, .none, .none, .none]))
    let page = history(Array(almanac.entries), .month(Month(containing: MockYear.today)), today: "2026-11-20")
    // Means exist for the 4th to the 7th alone: four points, one curve on its halo.
    let curve = page.split(separator: "class=\"ln-avg\"")[1].prefix { $0 != ">" }
    #expect(curve.ranges(of: ",").count == 4)
  }

  @Test("the longest run of a year does not join over days without data, even those before the first steps")
  func longest() throws {
    func closed(_ day: String, _ state: DayState) throws -> DayEntry {
      let value = RingValue(value: 500, goal: 500)
      return DayEntry(
        day: MockYear.day(day), state: state,
        rings: Rings(
          ActivitySummary(day: MockYear.day(day), moveMode: .energy, move: value, exercise: value, stand: value)))
    }
    let entries = [
      try closed("2026-01-01", .before), try closed("2026-01-02", .before),
      DayEntry(day: MockYear.day("2026-01-03"), state: .before), try closed("2026-01-04", .value(1)),
      DayEntry(day: MockYear.day("2026-01-05"), state: .none), try closed("2026-01-06", .value(1)),
    ]
    let almanac = Almanac(
      today: MockYear.day("2026-01-07"), weekStart: 0, firstDay: MockYear.day("2026-01-01"), entries: entries)
    let page = YearPage(frame: stage.frame, year: 2026, almanac: almanac, words: stage.views.words)
    #expect(stage.render(stage.views.year, page).contains("<b>2</b> <span>days</span><small>Move goal, 1–2 January"))
  }

  @Test("a month whose only day is today has data, though no average yet")
  func monthBegun() {
    let first = MockYear.day("2026-11-01")
    let almanac = Almanac(
      today: first, weekStart: 0, firstDay: first, entries: [DayEntry(day: first, state: .partial(1_156))])
    let html = stage.render(
      stage.views.year, YearPage(frame: stage.frame, year: 2026, almanac: almanac, words: stage.views.words))
    let november = html.components(separatedBy: "id=\"m11\"")[1].prefix { $0 != "\n" }
    #expect(november.contains("<span>no finished day yet</span>") && !november.contains("<span>No data</span>"))
  }

  @Test("weeks that start on Sunday have dates instead of ISO numbers")
  func weekStart() throws {
    let page = HistoryPage(
      frame: stage.frame, period: .week(Week(containing: MockYear.today, start: 6)),
      almanac: try MockYear.almanac(weekStart: 6), words: stage.views.words)
    let html = stage.render(stage.views.history, page)
    #expect(html.contains("<title>History, 22–28 November 2026 · Stepwell</title>"))
    #expect(!html.contains("Week 4"))
    let input = try MockYear.todayInput(weekStart: 6)
    let today = stage.render(
      stage.views.today, TodayPage(frame: stage.frame, input: input, words: stage.views.words))
    #expect(today.contains("This week in history") && today.contains("Sunday to today"))
    #expect(today.contains("<span class=\"wk-d\">Sun <b>22</b></span>"))
  }

  @Test("a range from outside is put in order, cut at today and kept to 400 days")
  func ranges() {
    let today = MockYear.today
    #expect(Period(from: today, to: today - 10, today: today) == .days(today - 10...today))
    #expect(Period(from: today - 3, to: today + 90, today: today) == .days(today - 3...today))
    #expect(Period(from: today + 3, to: today + 90, today: today) == .days(today...today))
    #expect(Period(from: today - 3_000, to: today, today: today) == .days(today - 399...today))
    let page = HistoryPage(
      frame: stage.frame, period: Period(from: today - 3_000, to: today, today: today),
      almanac: Almanac(today: today, weekStart: 0, firstDay: nil, entries: []), words: stage.views.words)
    #expect(stage.render(stage.views.history, page).contains("at most 400 days"))
  }

  @Test("an empty period leads to the first day, and an empty account to the import")
  func empty() {
    let almanac = Almanac(
      today: MockYear.today, weekStart: 0, firstDay: MockYear.day("2017-03-04"), entries: [])
    let page = HistoryPage(
      frame: stage.frame, period: .month(Month(containing: MockYear.day("2016-01-01"))), almanac: almanac,
      words: stage.views.words)
    let html = stage.render(stage.views.history, page)
    #expect(html.contains("No data in this period") && html.contains("Your first day is 4 March 2017."))
    #expect(html.contains("href=\"/history/month/2017-03\""))
    let today = DayEntry(day: MockYear.today, state: .partial(nil))
    let recent = history([today], .recent, today: "2026-11-26", begun: false)
    #expect(recent.contains("There is no data yet") && !recent.contains("a day"))
    let year = YearPage(
      frame: stage.frame, year: 2026,
      almanac: Almanac(today: MockYear.today, weekStart: 0, firstDay: nil, entries: []), words: stage.views.words)
    #expect(stage.render(stage.views.year, year).contains("href=\"/imports\""))
  }

  @Test("a day of 25 hours shows its repeated hour, one of 23 skips one", arguments: [25, 23])
  func clockChange(hours: Int) throws {
    var input = try MockYear.dayInput()
    let labels = hours == 25 ? [0, 1, 2, 2] + Array(3...23) : [0, 1] + Array(3...23)
    input.slots = labels.enumerated().map { place, hour in
      Slot(
        start: Int32(place * 3600), length: 3600, hour: Int8(hour), turn: hours == 25 && place == 3 ? 1 : 0,
        share: Double(100 + place))
    }
    input.devices = [DayDevice(name: "iPhone", sourceClass: .phone, counted: 3_000, hidden: 0)]
    let page = stage.render(
      stage.views.day, DayPage(frame: stage.frame, input: input, words: stage.views.words))
    #expect(page.contains("viewBox=\"0 0 \(hours * 10) 100\""))
    #expect(page.contains("Counted by iPhone."))
    #expect(page.contains(">02:00–03:00</th>") == (hours == 25))
    #expect(page.contains(">02:00b–03:00b</th>") == (hours == 25))
    #expect(page.contains("<span>2b</span>") == (hours == 25))
  }

  @Test("against last week only the same weekdays count, and only those known in both weeks")
  func comparison() throws {
    var input = try MockYear.todayInput()
    let entries = input.almanac.entries.map { entry in
      // Last Tuesday is not known: this Tuesday may not count either.
      entry.day == MockYear.day("2026-11-17") ? DayEntry(day: entry.day, state: .none) : entry
    }
    input.almanac = Almanac(today: MockYear.today, weekStart: 0, firstDay: entries.first?.day, entries: entries)
    let page = stage.render(
      stage.views.today, TodayPage(frame: stage.frame, input: input, words: stage.views.words))
    #expect(page.contains("<b>+10 %</b><small>Monday and Wednesday</small>"))
  }

  @Test("a streak that waits says since when")
  func waiting() throws {
    var input = try MockYear.todayInput()
    input.streak.waitingSince = MockYear.day("2026-11-25")
    input.marks[12] = .pending
    let page = stage.render(
      stage.views.today, TodayPage(frame: stage.frame, input: input, words: stage.views.words))
    #expect(page.contains("Waiting for data since Wed 25 Nov."))
    #expect(page.contains("<li class=\"wait\"><span class=\"vh\">Wed 25 Nov: waiting for data</span></li>"))
  }

  @Test("names of people and devices are escaped everywhere")
  func escaping() throws {
    var input = try MockYear.dayInput()
    input.devices[0].name = "<script>alert(1)</script>"
    input.devices[1].name = "Ben’s \"phone\" & more"
    let page = stage.render(
      stage.views.day, DayPage(frame: stage.frame, input: input, words: stage.views.words))
    #expect(!page.contains("<script>alert"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!page.contains("\"phone\""))
  }

  @Test("no page carries a style or a script of its own")
  func contentSecurity() throws {
    let input = try MockYear.todayInput()
    let page = stage.render(
      stage.views.today, TodayPage(frame: stage.frame, input: input, words: stage.views.words))
    for forbidden in [" style=", "<style", " onclick", "javascript:", "<script>"] { #expect(!page.contains(forbidden)) }
    #expect(page.contains("<html lang=\"en\">"))
  }
}
