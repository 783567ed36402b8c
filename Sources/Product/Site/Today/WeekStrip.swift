import Activity
import Templates

/// Texts of the week on Today.
package enum WeekText: String, TextKeys {
  case inHistory = "week.inHistory"
  case numberInHistory = "week.numberInHistory"
  case number = "week.number"
  case soFar = "week.soFar"
  case steps = "week.steps"
  case toToday = "week.toToday"
  case average = "week.average"
  case aDay = "week.aDay"
  case againstLast = "week.againstLast"
  case sameDays = "week.sameDays"
  case notComparable = "week.notComparable"
  case spoken = "week.spoken"
  case notYet = "week.notYet"
  case before = "week.before"
  case noData = "week.noData"
  case noneFinished = "week.noneFinished"
}

/// This week by weekday, with its figures.
struct WeekStrip: PageModel {
  let address: String
  let linkName: String
  let days: [WeekDay]
  let figures: [Figure]

  init(_ almanac: Almanac, words: Words) {
    let week = Week(containing: almanac.today, start: almanac.weekStart)
    address = Route.week(week.first).address
    linkName = words.weekInHistory(week)
    let entries = week.days.map { almanac[$0] ?? DayEntry(day: $0, state: .future) }
    var highest = 0.0
    for entry in entries { highest = max(highest, Double(entry.state.number ?? 0), entry.goal ?? 0) }
    let top = Double(Axis(highest: highest).top)
    days = entries.map { WeekDay($0, top: top, today: almanac.today, words: words) }
    figures = Self.figures(entries, almanac, week, words)
  }

  private static func figures(_ entries: [DayEntry], _ almanac: Almanac, _ week: Week, _ words: Words) -> [Figure] {
    let past = entries.filter { $0.day <= almanac.today }
    let finished = past.filter { $0.day < almanac.today }
    let counted = finished.compactMap(\.counted)
    let sum = past.compactMap(\.state.number).reduce(0, +)
    let hasAny = past.contains { $0.state.number != nil }
    return [
      Figure(
        name: words.text(WeekText.soFar), value: hasAny ? words.number(sum) : words.none,
        unit: words.text(WeekText.steps),
        note: words.text(WeekText.toToday, ("weekday", words.weekday(almanac.weekStart)))),
      Figure(
        name: words.text(WeekText.average), value: words.mean(counted), unit: words.text(WeekText.aDay),
        note: finished.isEmpty
          ? words.text(WeekText.noneFinished) : words.meanOf(counted.count, of: finished.count)),
      comparison(finished, almanac, words),
    ]
  }

  /// The same weekdays of both weeks, and only those that are known in both.
  private static func comparison(_ finished: [DayEntry], _ almanac: Almanac, _ words: Words) -> Figure {
    let known = finished.filter { $0.counted != nil && almanac[$0.day - 7]?.counted != nil }
    let comparison = Comparison(known.map(\.state), with: known.compactMap { almanac[$0.day - 7]?.state })
    let name = words.text(WeekText.againstLast)
    guard let percent = comparison.percent else {
      return Figure(name: name, value: words.none, note: words.text(WeekText.notComparable))
    }
    return Figure(
      name: name, value: words.signedPercent(percent),
      note: words.text(WeekText.sameDays, ("days", words.weekdays(known.map(\.day)))))
  }

  static let fields = Fields<WeekStrip>(
    .text("address", \.address), .text("linkName", \.linkName), .list("days", \.days), .list("figures", \.figures))
}

/// One day of the strip.
struct WeekDay: PageModel {
  let address: String?
  let isNow: Bool
  let isFuture: Bool
  let weekday: String
  let number: String
  let rings: RingPicture
  let bar: WeekBar
  /// Steps, or the dash with its reason.
  let steps: String?
  let spoken: String

  init(_ entry: DayEntry, top: Double, today: CivilDay, words: Words) {
    isNow = entry.day == today
    isFuture = entry.day > today
    weekday = words.weekdayShort(entry.day.weekday)
    number = String(entry.day.day)
    rings = RingPicture(size: .small, face: entry.ringFace, title: .none)
    let value = entry.state.number
    bar = WeekBar(fraction: value.map { Double($0) / top }, goal: isFuture ? nil : entry.goal.map { $0 / top })
    steps = value.map(words.number)
    switch entry.state {
    case .future:
      address = nil
      spoken = words.text(WeekText.notYet)
    case .before:
      address = nil
      spoken = words.text(WeekText.before)
    default:
      address = isNow ? Route.today.address : Route.day(entry.day).address
      spoken =
        value == nil
        ? words.text(WeekText.noData) : words.text(WeekText.spoken, ("rings", words.ringsShort(entry)))
    }
  }

  static let fields = Fields<WeekDay>(
    .text("address", \.address), .flag("isNow", \.isNow), .flag("isFuture", \.isFuture), .text("weekday", \.weekday),
    .text("number", \.number), .drawing("rings", \.rings), .drawing("bar", \.bar), .text("steps", \.steps),
    .text("spoken", \.spoken))
}

extension Words {
  /// `Week 48`, or `23–29 Nov` where weeks do not start on Monday and so have no ISO number.
  func weekName(_ week: Week) -> String {
    week.start == 0 ? text(WeekText.number, ("n", String(week.isoNumber.week))) : range(week.days)
  }

  func weekInHistory(_ week: Week) -> String {
    guard week.start == 0 else { return text(WeekText.inHistory) }
    return text(WeekText.numberInHistory, ("n", String(week.isoNumber.week)))
  }

  /// The rounded mean of whole numbers, a dash without any.
  func mean(_ numbers: [Int]) -> String {
    numbers.isEmpty ? none : number(rounded: Double(numbers.reduce(0, +)) / Double(numbers.count))
  }

  /// `mean of 24 of 25 days`.
  func meanOf(_ known: Int, of all: Int) -> String { count(CountText.mean, all, ("known", number(known))) }

  /// `of 24 days`.
  func ofDays(_ count: Int) -> String { self.count(CountText.ofDays, count) }

  /// `Monday to Wednesday` for days in a row, else their names.
  func weekdays(_ days: [CivilDay]) -> String {
    guard let first = days.first, let last = days.last else { return "" }
    let names = days.map { weekday($0.weekday) }
    guard days.count > 2, last - first == days.count - 1 else { return list(names) }
    return text(CountText.fromTo, ("from", names[0]), ("to", names[names.count - 1]))
  }
}
