import Activity
import Templates

/// The days of one week in a list, newest first, under a line with their sum.
struct WeekRows: PageModel {
  let name: String
  let dates: String?
  let total: String
  let average: String
  let ringsShort: String
  let rings: String
  let days: [DayRow]

  static func group(_ shown: [DayEntry], almanac: Almanac, scale: Double, words: Words) -> [WeekRows] {
    var groups: [WeekRows] = []
    var rest = shown[...]
    while let last = rest.last {
      let week = Week(containing: last.day, start: almanac.weekStart)
      let start = rest.firstIndex { $0.day >= week.first } ?? rest.startIndex
      groups.append(WeekRows(rest[start...], week: week, almanac: almanac, scale: scale, words: words))
      rest = rest[..<start]
    }
    return groups
  }

  private init(_ entries: ArraySlice<DayEntry>, week: Week, almanac: Almanac, scale: Double, words: Words) {
    let figures = PeriodFigures(entries, today: almanac.today)
    let first = entries.first?.day ?? week.first
    let range = words.range(first...(entries.last?.day ?? first))
    name = week.start == 0 ? words.weekName(week) : range
    dates = week.start == 0 ? range : nil
    total = figures.daysWithData > 0 ? words.number(figures.sum) : words.none
    average =
      figures.counted == 0 ? "" : words.text(HistoryText.averageADay, ("n", figures.mean(words)))
    let (closed, known) = (figures.closed, figures.withRings)
    ringsShort =
      known == 0 ? "" : words.text(HistoryText.ringsOfShort, ("n", words.number(closed)), ("of", words.number(known)))
    rings = known == 0 ? "" : words.count(HistoryText.ringsOf, known, ("closed", words.number(closed)))
    days = entries.reversed().map { DayRow($0, today: almanac.today, scale: scale, words: words) }
  }

  static let fields = Fields<WeekRows>(
    .text("name", \.name), .text("dates", \.dates), .text("total", \.total), .text("average", \.average),
    .text("ringsShort", \.ringsShort), .text("rings", \.rings), .list("days", \.days))
}

/// One day in a list.
struct DayRow: PageModel {
  let address: Route
  let iso: ISOWord
  let date: DateWord
  /// Nil: the remark stands for it.
  let steps: NumberWord?
  /// The word for a day without a number, or a remark beside a number that is not final.
  let remark: String?
  let bar: RowBar
  let rings: RingPicture
  let move: RingCell
  let exercise: RingCell
  let stand: RingCell

  init(_ entry: DayEntry, today: CivilDay, scale: Double, words: Words) {
    address = entry.day == today ? .today : .day(entry.day)
    iso = ISOWord(day: entry.day)
    date = DateWord(day: entry.day, pattern: .short, words: words)
    let number = entry.state.number
    steps = number.map { NumberWord(value: $0, words: words) }
    remark = DayRow.remark(entry, words)
    bar = RowBar(fraction: number.map { Double($0) / scale })
    let known = entry.knownRings
    rings = RingPicture(size: .small, face: entry.ringFace, title: .short(entry, words))
    move = RingCell(known, .move, words)
    exercise = RingCell(known, .exercise, words)
    stand = RingCell(known, .stand, words)
  }

  /// The word for a day without a number, or a remark beside a number that is not final.
  private static func remark(_ entry: DayEntry, _ words: Words) -> String? {
    if entry.isBeingCounted { return words.text(HistoryText.counting) }
    let hasNumber = entry.state.number != nil
    switch entry.state {
    case .partial where hasNumber: return words.text(HistoryText.soFar)
    case .pending: return words.text(HistoryText.waiting)
    default:
      guard hasNumber else { return words.text(WeekText.noData) }
      return entry.flags.contains(.incomplete) ? words.text(HistoryText.incomplete) : nil
    }
  }

  static let fields = Fields<DayRow>(
    .words("address", \.address), .words("iso", \.iso), .words("date", \.date), .words("steps", \.steps),
    .text("remark", \.remark), .drawing("bar", \.bar), .drawing("rings", \.rings),
    .part("move", \.move), .part("exercise", \.exercise), .part("stand", \.stand))
}

/// One ring of a row in numbers; a dash when it is not known.
struct RingCell: PageModel {
  let value: NumberWord?
  let goal: NumberWord?
  let unit: String

  init(_ rings: Rings?, _ kind: RingKind, _ words: Words) {
    guard let rings, let ring = rings[kind] else {
      (value, goal) = (nil, nil)
      unit = ""
      return
    }
    value = NumberWord(value: Words.floored(ring.value), words: words)
    goal = NumberWord(value: Words.rounded(ring.goal), words: words)
    unit = words.ringUnit(kind, rings.moveMode)
  }

  static let fields = Fields<RingCell>(.words("value", \.value), .words("goal", \.goal), .text("unit", \.unit))
}
