import Activity
import Templates

/// Figures, chart and list of a period that has days.
struct HistoryContent: PageModel {
  let heading: String
  let figures: [Figure]
  let chart: BarChart
  let hasGoal: Bool
  let hasMean: Bool
  let hasMissing: Bool
  let weeks: [WeekRows]

  init(_ days: ClosedRange<CivilDay>, name: String, almanac: Almanac, words: Words) {
    let shown = almanac[days].filter(\.isShown)
    heading = words.text(HistoryText.heading, ("period", name))
    let counts = PeriodFigures(shown, today: almanac.today)
    figures = counts.figures(words)
    let picture = DayChart(days, name: name, almanac: almanac, shown: shown, best: counts.best, words: words)
    chart = picture.chart
    (hasGoal, hasMean, hasMissing) = (picture.hasGoal, picture.hasMean, picture.hasMissing)
    let highest = shown.reduce(Double(counts.best?.steps ?? 1)) { max($0, $1.goal ?? 0) }
    let scale = Double(Axis(highest: highest).top)
    weeks = WeekRows.group(shown, almanac: almanac, scale: scale, words: words)
  }

  static let fields = Fields<HistoryContent>(
    .text("heading", \.heading), .list("figures", \.figures), .drawing("chart", \.chart), .flag("hasGoal", \.hasGoal),
    .flag("hasMean", \.hasMean), .flag("hasMissing", \.hasMissing), .list("weeks", \.weeks))
}

/// What is counted over a period, in one pass. Averages and "of n days" rest on days that are over and known; today is in
/// the total alone.
struct PeriodFigures {
  private(set) var sum = 0
  private(set) var daysWithData = 0
  /// Days that are over, and of those the ones with a number, their sum, and how many reached the goal.
  private(set) var finished = 0
  private(set) var counted = 0
  private(set) var countedSum = 0
  private(set) var goalDays = 0
  /// Days that are over and have rings, and how many of them closed all.
  private(set) var withRings = 0
  private(set) var closed = 0
  private(set) var best: (day: CivilDay, steps: Int)?

  init(_ shown: some Sequence<DayEntry>, today: CivilDay) {
    for entry in shown { add(entry, today: today) }
  }

  private mutating func add(_ entry: DayEntry, today: CivilDay) {
    if let number = entry.state.number {
      sum += number
      daysWithData += 1
      if number > best?.steps ?? -1 { best = (entry.day, number) }
    }
    guard entry.day < today else { return }
    finished += 1
    if let number = entry.counted {
      counted += 1
      countedSum += number
      if entry.hasReachedGoal { goalDays += 1 }
    }
    if let rings = entry.knownRings {
      withRings += 1
      if rings.allClosed { closed += 1 }
    }
  }

  func mean(_ words: Words) -> String {
    counted == 0 ? words.none : words.number(rounded: Double(countedSum) / Double(counted))
  }

  func average(_ words: Words) -> Figure {
    Figure(
      name: words.text(HistoryText.average), value: mean(words), unit: words.text(HistoryText.aDay),
      note: finished == 0 ? words.text(HistoryText.noneFinished) : words.meanOf(counted, of: finished))
  }

  func rings(_ words: Words) -> Figure {
    withRings > 0
      ? Figure(name: words.text(HistoryText.allRings), value: words.number(closed), unit: words.ofDays(withRings))
      : Figure(name: words.text(HistoryText.allRings), value: words.none, note: words.text(HistoryText.noRings))
  }

  func figures(_ words: Words) -> [Figure] {
    var figures = [
      Figure(
        name: words.text(HistoryText.total), value: daysWithData > 0 ? words.number(sum) : words.none,
        note: words.count(CountText.daysWithData, daysWithData)),
      average(words),
      counted == 0
        ? Figure(
          name: words.text(HistoryText.goalReached), value: words.none, note: words.text(HistoryText.noneFinished))
        : Figure(
          name: words.text(HistoryText.goalReached), value: words.number(goalDays), unit: words.ofDays(counted)),
    ]
    if let best {
      figures.append(
        Figure(
          name: words.text(HistoryText.bestDay), value: words.number(best.steps), unit: words.text(HistoryText.steps),
          note: words.date(best.day, as: .short)))
    }
    figures.append(rings(words))
    return figures
  }
}

/// One bar for each day of a period, with the goals in force and the mean of seven days.
struct DayChart {
  let chart: BarChart
  let hasGoal: Bool
  let hasMean: Bool
  let hasMissing: Bool

  init(
    _ days: ClosedRange<CivilDay>, name: String, almanac: Almanac, shown: [DayEntry],
    best: (day: CivilDay, steps: Int)?, words: Words
  ) {
    let entries = days.map { almanac[$0] ?? DayEntry(day: $0, state: .future, goal: nil) }
    // The goal of today goes on over the days to come, as a goal does.
    let lastGoal = almanac.entries.last?.goal
    let goals = entries.map { entry in entry.day > almanac.today ? lastGoal : entry.isShown ? entry.goal : nil }
    let means = almanac.weekMeans(over: days)
    hasGoal = goals.contains { $0 != nil }
    hasMean = means.contains { $0 != nil }
    hasMissing = entries.contains { $0.isShown && $0.state.number == nil }
    var lines: [BarChart.Line] = []
    if hasGoal { lines.append(.goal(goals)) }
    if hasMean { lines.append(.average(means)) }
    chart = BarChart(
      id: "hc", title: words.text(HistoryText.chartTitle, ("period", name)),
      description: DayChart.description(shown, best, words), columns: entries.map { DayChart.column($0, words) },
      lines: lines, labels: DayChart.labels(days, words), heightClass: "h-l")
  }

  private static func column(_ entry: DayEntry, _ words: Words) -> BarChart.Column {
    guard entry.isShown else { return BarChart.Column(bar: .empty, title: "") }
    guard let number = entry.state.number else {
      let isToday = if case .partial = entry.state { true } else { false }
      return BarChart.Column(
        bar: isToday ? .empty : .missing,
        title: words.text(HistoryText.missing, ("date", words.date(entry.day, as: .short))))
    }
    return BarChart.Column(
      bar: entry.counted == nil ? .partial(Double(number)) : .value(Double(number)), day: entry.day, steps: number,
      words: words)
  }

  private static func labels(_ days: ClosedRange<CivilDay>, _ words: Words) -> BarChart.Labels {
    let count = days.upperBound - days.lowerBound + 1
    if count <= 8 { return .each(days.map { words.weekdayShort($0.weekday) }) }
    if count <= 31 { return .each(days.map { String($0.day) }) }
    let ends = [0, 1, 2, 3, 4].map { days.lowerBound + (count - 1) * $0 / 4 }
    return .spread(ends.map { words.date($0, as: .dayMonth) })
  }

  private static func description(
    _ shown: [DayEntry], _ best: (day: CivilDay, steps: Int)?, _ words: Words
  ) -> String {
    var sentences = [words.text(HistoryText.chartBars)]
    if let best {
      sentences.append(
        words.text(
          HistoryText.chartBest, ("date", words.date(best.day, as: .short)), ("n", words.number(best.steps))))
    }
    let missing = shown.filter { $0.state.number == nil }
    if missing.count > 7 {
      sentences.append(words.count(HistoryText.chartMissingMany, missing.count))
    } else if !missing.isEmpty {
      let dates = missing.map { words.date($0.day, as: .short) }
      sentences.append(words.text(HistoryText.chartMissing, ("dates", words.list(dates))))
    }
    let goals = Set(shown.compactMap(\.goal)).sorted().map { words.number(rounded: $0) }
    if !goals.isEmpty { sentences.append(words.text(HistoryText.chartGoal, ("goals", words.list(goals)))) }
    sentences.append(words.text(HistoryText.chartList))
    return sentences.joined(separator: " ")
  }
}

extension Words {
  /// `Sun 22 Nov: 14,286 steps` straight into a page.
  func append(_ day: CivilDay, steps: Int, to out: inout [UInt8]) {
    column.append(to: &out) { name, out in
      if name == "date" { return append(day, as: .short, to: &out) }
      form(of: CountText.steps, for: steps).append(to: &out) { _, out in append(steps, to: &out) }
    }
  }
}
