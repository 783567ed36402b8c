import Activity
package import Templates

/// A year of rings: twelve calendars, every day a link, and the months in numbers.
package struct YearPage: PageModel {
  let frame: Frame
  let title: String
  let tabs: [PeriodTab]
  let pager: Pager?
  let empty: EmptyPeriod?
  let content: YearContent?

  /// `almanac` holds the year up to today.
  package init(frame: Frame, year: Int, almanac: Almanac, words: Words) {
    let period = Period.year(year)
    self.frame = frame
    title = words.text(PeriodText.title, ("period", String(year)))
    tabs = PeriodTab.tabs(for: period, today: almanac.today, weekStart: almanac.weekStart, words: words)
    pager = Pager(period, label: .year, almanac: almanac, words: words)
    let shown = almanac[period.days(today: almanac.today)].filter(\.isShown)
    content = shown.isEmpty ? nil : YearContent(year: year, shown: shown, almanac: almanac, words: words)
    empty = shown.isEmpty ? EmptyPeriod(firstDay: almanac.firstDay, words: words) : nil
  }

  package static let fields = Fields<YearPage>(
    .part("frame", \.frame), .text("title", \.title), .list("tabs", \.tabs), .optional("pager", \.pager),
    .optional("empty", \.empty), .optional("content", \.content))
}

/// Texts of the year.
package enum YearText: String, TextKeys {
  case heading = "year.heading"
  case since = "year.since"
  case average = "year.average"
  case steps = "year.steps"
  case longest = "year.longest"
  case moveGoal = "year.moveGoal"
  case stepGoal = "year.stepGoal"
  case noStreak = "year.noStreak"
  case monthMean = "year.monthMean"
  case notYet = "year.notYet"
  case noData = "year.noData"
  case caption = "year.caption"
}

struct YearContent: PageModel {
  let heading: String
  let figures: [Figure]
  let jumps: [MonthJump]
  let months: [YearMonth]
  let rows: [MonthRow]

  init(year: Int, shown: [DayEntry], almanac: Almanac, words: Words) {
    heading = words.text(YearText.heading, ("year", String(year)))
    figures = YearContent.figures(shown, almanac, words)
    let all = (1...12).compactMap { Month(year: year, month: $0) }
    jumps = all.map { MonthJump($0, words: words) }
    let writer = CalendarWriter(almanac: almanac, words: words)
    months = all.map { YearMonth($0, writer: writer, words: words) }
    rows = all.reversed().compactMap { MonthRow($0, almanac: almanac, words: words) }
  }

  private static func figures(_ shown: [DayEntry], _ almanac: Almanac, _ words: Words) -> [Figure] {
    let figures = PeriodFigures(shown, today: almanac.today)
    var average = figures.average(words)
    average.unit = words.text(YearText.average)
    let since = shown.first.map { words.text(YearText.since, ("date", words.date($0.day, as: .dayMonthLong))) }
    return [
      figures.rings(words), longest(shown, almanac, words),
      Figure(
        name: words.text(YearText.steps), value: figures.daysWithData > 0 ? words.number(figures.sum) : words.none,
        note: since), average,
    ]
  }

  /// The longest run inside the year: of Move, or of the goal for steps where nobody wears a watch.
  private static func longest(_ shown: [DayEntry], _ almanac: Almanac, _ words: Words) -> Figure {
    let hasRings = shown.contains { $0.rings?.move != nil }
    var tally = StreakTally()
    // Every day between: one that is not shown ends a run as one without data does.
    if let first = shown.first?.day, let last = shown.last?.day {
      for entry in almanac[first...last] {
        tally.add(hasRings ? entry.moveMark(almanac.today) : entry.stepMark(almanac.today), on: entry.day)
      }
    }
    let name = words.text(YearText.longest)
    guard let run = tally.streak.longest else {
      return Figure(name: name, value: words.none, note: words.text(YearText.noStreak))
    }
    let range = words.longRange(run.first...run.last, thisYear: run.first.year)
    return Figure(
      name: name, value: words.number(run.length), unit: words.count(StreakText.days, run.length),
      note: words.text(hasRings ? YearText.moveGoal : .stepGoal, ("dates", range)))
  }

  static let fields = Fields<YearContent>(
    .text("heading", \.heading), .list("figures", \.figures), .list("jumps", \.jumps), .list("months", \.months),
    .list("rows", \.rows))
}

extension DayEntry {
  /// How the day stands towards the Move goal (semantics.md 4).
  func moveMark(_ today: CivilDay) -> DayMark {
    if isPaused { return .paused }
    if rings?.move?.closed == true { return .met }
    if day == today { return .open }
    if case .pending = state { return .pending }
    return rings?.move == nil ? .none : .missed
  }

  func stepMark(_ today: CivilDay) -> DayMark {
    if isPaused { return .paused }
    if hasReachedGoal { return .met }
    if day == today { return .open }
    if case .pending = state { return .pending }
    return state.number == nil ? .none : .missed
  }
}

/// A link to a month further down, for phones.
struct MonthJump: PageModel {
  let anchor: String
  let short: String
  let name: String

  init(_ month: Month, words: Words) {
    anchor = "m\(month.month)"
    short = words.monthShort(month.month)
    name = words.monthName(month.month)
  }

  static let fields = Fields<MonthJump>(.text("anchor", \.anchor), .text("short", \.short), .text("name", \.name))
}

/// One month of the year as a calendar.
struct YearMonth: PageModel {
  let anchor: String
  let name: String
  /// Nil for a month that has no page: it has not begun.
  let address: String?
  let note: String
  let caption: String
  let days: MonthCalendar

  init(_ month: Month, writer: CalendarWriter, words: Words) {
    anchor = "m\(month.month)"
    name = words.monthName(month.month)
    let today = writer.almanac.today
    address = month.first > today ? nil : Route.month(year: month.year, month: month.month).address
    caption = words.text(YearText.caption, ("month", words.date(month.first, as: .month)))
    let figures = PeriodFigures(writer.almanac[month.days].lazy.filter(\.isShown), today: today)
    note =
      month.first > today
      ? words.text(YearText.notYet)
      : figures.counted > 0
        ? words.text(YearText.monthMean, ("n", figures.mean(words)))
        : figures.daysWithData > 0 ? words.text(HistoryText.noneFinished) : words.text(YearText.noData)
    days = MonthCalendar(month: month, writer: writer)
  }

  static let fields = Fields<YearMonth>(
    .text("anchor", \.anchor), .text("name", \.name), .text("address", \.address), .text("note", \.note),
    .text("caption", \.caption), .drawing("days", \.days))
}

/// One month in numbers.
struct MonthRow: PageModel {
  let name: String
  let address: String
  let steps: String
  let average: String
  let goalDays: String
  let allRings: String
  let known: String

  /// Nil for a month without any day to show.
  init?(_ month: Month, almanac: Almanac, words: Words) {
    let shown = almanac[month.days].lazy.filter(\.isShown)
    guard !shown.isEmpty else { return nil }
    let figures = PeriodFigures(shown, today: almanac.today)
    name = words.monthName(month.month)
    address = Route.month(year: month.year, month: month.month).address
    steps = figures.daysWithData > 0 ? words.number(figures.sum) : words.none
    average = figures.mean(words)
    goalDays = figures.counted == 0 ? words.none : words.number(figures.goalDays)
    allRings = figures.withRings == 0 ? words.none : words.number(figures.closed)
    known = words.number(figures.daysWithData)
  }

  static let fields = Fields<MonthRow>(
    .text("name", \.name), .text("address", \.address), .text("steps", \.steps), .text("average", \.average),
    .text("goalDays", \.goalDays), .text("allRings", \.allRings), .text("known", \.known))
}
