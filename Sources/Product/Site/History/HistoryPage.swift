import Activity
package import Templates

/// History of days: a week, a month or any range, with figures, chart and the list of days.
package struct HistoryPage: PageModel {
  let frame: Frame
  let title: String
  let tabs: [PeriodTab]
  let pager: Pager?
  let form: RangeForm?
  let empty: EmptyPeriod?
  let content: HistoryContent?

  /// `almanac` holds at least `period.reading(today:)`.
  package init(frame: Frame, period: Period, almanac: Almanac, words: Words) {
    let today = almanac.today
    let name = words.nameInside(period, today: today)
    self.frame = frame
    title = words.text(PeriodText.title, ("period", name))
    tabs = PeriodTab.tabs(for: period, today: today, weekStart: almanac.weekStart, words: words)
    pager = Pager(period, label: period.pagerLabel, almanac: almanac, words: words)
    form = period.isCustom ? RangeForm(period.days(today: today), today: today, words: words) : nil
    let days = period.days(today: today)
    let hasDays = almanac.firstDay != nil && almanac[days].contains { $0.isShown }
    content = hasDays ? HistoryContent(days, name: name, almanac: almanac, words: words) : nil
    empty = hasDays ? nil : EmptyPeriod(firstDay: almanac.firstDay, words: words)
  }

  package static let fields = Fields<HistoryPage>(
    .part("frame", \.frame), .text("title", \.title), .list("tabs", \.tabs), .optional("pager", \.pager),
    .optional("form", \.form), .optional("empty", \.empty), .optional("content", \.content))
}

extension Period {
  fileprivate var pagerLabel: PagerText {
    switch self {
    case .week: .week
    case .month: .month
    case .year: .year
    case .recent, .days: .day
    }
  }
}

extension DayEntry {
  /// Whether the day has a row in lists: it has begun, and data had begun.
  var isShown: Bool {
    switch state {
    case .future: false
    case .before: rings != nil
    default: true
    }
  }
}

/// Two dates to choose from.
struct RangeForm: PageModel {
  let action: String
  let from: String
  let to: String
  let latest: String
  /// Said when the list is as long as it gets, since more may have been asked for.
  let hint: String?

  init(_ days: ClosedRange<CivilDay>, today: CivilDay, words: Words) {
    action = Route.history(from: nil, to: nil).address
    from = days.lowerBound.iso
    to = days.upperBound.iso
    latest = today.iso
    let isLongest = days.upperBound - days.lowerBound + 1 >= Period.longest
    hint = isLongest ? words.text(HistoryText.longest, ("n", words.number(Period.longest))) : nil
  }

  static let fields = Fields<RangeForm>(
    .text("action", \.action), .text("from", \.from), .text("to", \.to), .text("latest", \.latest),
    .text("hint", \.hint))
}

/// Texts of lists of days.
package enum HistoryText: String, TextKeys {
  case longest = "history.longest"
  case emptyPeriod = "history.emptyPeriod"
  case emptyFirst = "history.emptyFirst"
  case emptyAll = "history.emptyAll"
  case goFirst = "history.goFirst"
  case goImport = "history.goImport"
  case heading = "history.heading"
  case total = "history.total"
  case average = "history.average"
  case aDay = "history.aDay"
  case goalReached = "history.goalReached"
  case bestDay = "history.bestDay"
  case steps = "history.steps"
  case allRings = "history.allRings"
  case noneFinished = "history.noneFinished"
  case noRings = "history.noRings"
  case chartTitle = "history.chartTitle"
  case chartBars = "history.chartBars"
  case chartBest = "history.chartBest"
  case chartMissing = "history.chartMissing"
  case chartMissingMany = "history.chartMissingMany"
  case chartGoal = "history.chartGoal"
  case chartList = "history.chartList"
  case column = "history.column"
  case missing = "history.missing"
  case waiting = "history.waiting"
  case soFar = "history.soFar"
  case incomplete = "history.incomplete"
  case counting = "history.counting"
  case averageADay = "history.averageADay"
  case ringsOf = "history.ringsOf"
  case ringsOfShort = "history.ringsOfShort"
}

/// Nothing to show, and where there is something.
struct EmptyPeriod: PageModel {
  let heading: String
  let text: String?
  let address: String
  let action: String

  init(firstDay: CivilDay?, words: Words) {
    if let firstDay {
      heading = words.text(HistoryText.emptyPeriod)
      text = words.text(HistoryText.emptyFirst, ("date", words.date(firstDay, as: .date)))
      address = Route.month(year: firstDay.year, month: firstDay.month).address
      action = words.text(HistoryText.goFirst, ("month", words.date(firstDay, as: .month)))
    } else {
      heading = words.text(HistoryText.emptyAll)
      text = nil
      address = Route.imports.address
      action = words.text(HistoryText.goImport)
    }
  }

  static let fields = Fields<EmptyPeriod>(
    .text("heading", \.heading), .text("text", \.text), .text("address", \.address), .text("action", \.action))
}
