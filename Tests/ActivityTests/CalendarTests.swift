import Activity
import Testing

@Suite("Dates, weeks and months")
struct CalendarTests {
  @Test("every date of four centuries goes to its number and back")
  func roundTrip() {
    var date = day("1800-01-01")
    var weekday = 2
    while date < day("2200-01-01") {
      #expect(CivilDay(iso: date.iso) == date)
      #expect(date.weekday == weekday)
      date = date + 1
      weekday = (weekday + 1) % 7
    }
    #expect(day("1970-01-01").number == 0)
    #expect(day("2025-06-10").weekday == 1)
  }

  @Test(
    "dates that do not exist are refused",
    arguments: [
      "2025-02-29", "2025-13-01", "2025-00-10", "2025-1-10", "2025-01-1", "2025/01/01", "20250101", "2025-01-01x", "",
      "0000-01-01",
      "２０２５-01-01",
    ])
  func refused(text: String) { #expect(CivilDay(iso: text) == nil) }

  @Test("a week holds seven whole days, whatever day it starts on")
  func weeks() {
    for start in 0..<7 {
      for offset in 0..<400 {
        let date = day("2024-02-20") + offset
        let week = Week(containing: date, start: start)
        #expect(week.days.count == 7)
        #expect(week.days.contains(date))
        #expect(week.first.weekday == start)
        #expect(week.next.previous == week)
      }
    }
    #expect(Week(containing: day("2025-06-15"), start: 0).first == day("2025-06-09"))
    #expect(Week(containing: day("2025-06-15"), start: 6).first == day("2025-06-15"))
    #expect(Week(containing: day("2025-06-14"), start: 6).first == day("2025-06-08"))
    #expect(Week(containing: day("2025-06-15"), start: 5).first == day("2025-06-14"))
  }

  @Test(
    "ISO week numbers at the turn of the year",
    arguments: [
      ("2026-11-26", 2026, 48), ("2021-01-03", 2020, 53), ("2024-12-30", 2025, 1), ("2025-06-10", 2025, 24),
    ])
  func isoNumbers(date: String, year: Int, number: Int) {
    let iso = Week(containing: day(date), start: 0).isoNumber
    #expect(iso.year == year && iso.week == number)
  }

  @Test("the sum of a week is the sum of its shown integers, a missing day is missing")
  func weekSum() {
    let shown: [String: Int] = ["2025-06-14": 1000, "2025-06-15": 1000, "2025-06-16": 1000]
    let sum = { (first: String) in
      var total = PeriodTotal()
      for date in Week(first: day(first)).days { total.add(shown[date.iso].map { .value($0) } ?? .none) }
      return total
    }
    #expect(sum("2025-06-09").sum == 2000 && sum("2025-06-09").counted == 2)
    #expect(sum("2025-06-16").sum == 1000 && sum("2025-06-16").mean == 1000)
    #expect(sum("2025-06-08").sum == 1000 && sum("2025-06-15").sum == 2000)
  }

  @Test("months follow each other over the turn of the year")
  func months() {
    #expect(Month(containing: day("2024-02-10")).last == day("2024-02-29"))
    #expect(Month(year: 2025, month: 12)?.next == Month(year: 2026, month: 1))
    #expect(Month(year: 2025, month: 1)?.previous == Month(year: 2024, month: 12))
    #expect(Month(year: 2025, month: 13) == nil)
  }

  @Test("versus last week compares the same weekdays only, and only those with data on both sides")
  func comparison() {
    let these: [DayState] = [.value(8000), .value(6000), .partial(2000), .future, .future, .future, .future]
    let those: [DayState] = [.value(4000), .none, .value(9000), .value(1), .value(1), .value(1), .value(1)]
    let comparison = Comparison(these, with: those)
    #expect(comparison.days == 1 && comparison.difference == 4000 && comparison.percent == 100)
    #expect(Comparison([.none], with: [.value(1)]).percent == nil)
  }

  @Test("a trend needs 60 recent and 180 earlier days and an arrow 2 %")
  func trend() {
    let days = { (before: Int, recent: Int, recentSteps: Int) in
      [DayState](repeating: .value(5000), count: before) + [DayState](repeating: .none, count: 90 - recent)
        + [DayState](repeating: .value(recentSteps), count: recent)
    }
    #expect(Trend(days(180, 59, 6000)) == nil)
    #expect(Trend(days(179, 60, 6000)) == nil)
    #expect(Trend(days(180, 60, 6000))?.direction == .up)
    #expect(Trend(days(400, 90, 5050))?.direction == .level)
    #expect(Trend(days(400, 90, 4900))?.direction == .down)
    #expect(Trend(days(400, 90, 4900))?.beforeDays == 365)
  }

  @Test("the seven-day mean needs four days and ends yesterday")
  func sevenDays() {
    let states: [DayState] = [.value(1), .value(2), .value(3), .none, .value(6), .zero, .pending(3), .partial(9)]
    #expect(Averages.sevenDays(states) == [nil, nil, nil, nil, 3, 2.4, 2.4, nil])
  }

  @Test("a usual day needs four same weekdays and reads eight")
  func usual() throws {
    let slots = [
      Slot(start: 0, length: 3600, hour: 7, share: 100), Slot(start: 3600, length: 3600, hour: 8, share: 60),
    ]
    #expect(UsualDay([slots, slots, slots]) == nil)
    let usual = try #require(UsualDay([[Slot]](repeating: slots, count: 8) + [[]]))
    #expect(usual.days == 8 && usual.total == 160)
    #expect(usual.soFar(hour: 7, minute: 30) == 50)
    #expect(usual.soFar(hour: 8, minute: 30) == 130)
    #expect(usual.soFar(hour: 24, minute: 0) == 160)
  }

  @Test("records are the earliest best day, week and month")
  func records() {
    let days = [("2025-05-30", 900), ("2025-06-01", 1000), ("2025-06-02", 1000), ("2025-06-03", 500)]
    let records = Records(days.map { (day($0.0), $0.1) }, weekStart: 0)
    #expect(records.day?.period == day("2025-06-01") && records.day?.sum == 1000)
    #expect(records.week?.period.first == day("2025-05-26") && records.week?.sum == 1900)
    #expect(records.month?.sum == 2500)
    #expect(Records([], weekStart: 0).day == nil)
  }

  @Test("goals are dated: the weekday's before the general one, and a change leaves earlier days alone")
  func goals() {
    let goals = Goals([
      Goal(type: .stepCount, since: day("2025-06-10"), value: 8000),
      Goal(type: .stepCount, days: .weekday(6), since: day("2025-06-12"), value: 4000),
      Goal(type: .stepCount, days: .weekday(6), since: day("2025-07-01"), value: nil),
      Goal(type: .stepCount, days: .week, since: day("2025-06-01"), value: 60_000),
    ])
    #expect(goals.daily(.stepCount, on: day("2025-06-09")) == 10_000)
    #expect(goals.daily(.stepCount, on: day("2025-06-10")) == 8000)
    #expect(goals.daily(.stepCount, on: day("2025-06-15")) == 4000)
    #expect(goals.daily(.stepCount, on: day("2025-07-06")) == 8000)
    #expect(goals.weekly(.stepCount, from: day("2025-06-09")) == 60_000)
    #expect(goals.daily(.appleExerciseTime, on: day("2025-06-09")) == nil)
    for code in Int16(0)...8 { #expect(GoalDays(code: code)?.code == code) }
    #expect(GoalDays(code: 9) == nil)
  }

  @Test("rounding takes halves up and never traps")
  func rounding() {
    #expect(shownSteps(2.5) == 3 && shownSteps(2.4999) == 2 && shownSteps(2.4999995) == 3)
    #expect(shownSteps(.nan) == 0 && shownSteps(.infinity) == .max && shownSteps(1e300) == .max)
  }
}
