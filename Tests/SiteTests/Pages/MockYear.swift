import Activity
import People
import Site
import Support
import Templates
import Testing

/// The invented year of the design's mock-ups, so that pages can be laid beside them. "Now" is Thursday 26 November 2026,
/// 16:42.
enum MockYear {
  static let today = day("2026-11-26")
  static let now = LocalTime(day: today, minutes: 16 * 60 + 42, offset: 3600)

  static func day(_ iso: String) -> CivilDay {
    guard let day = CivilDay(iso: iso) else { preconditionFailure("not a date: \(iso)") }
    return day
  }

  static func almanac(weekStart: Int = 0) throws -> Almanac {
    let lines = try Repository.text("Tests/Fixtures/mock-year.txt")
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    var entries = lines.map { entry(of: $0.split(separator: " ").map(String.init)) }
    for later in 1...4 { entries.append(DayEntry(day: today + later, state: .future)) }
    return Almanac(today: today, weekStart: weekStart, firstDay: entries.first?.day, entries: entries)
  }

  private static func entry(of words: [String]) -> DayEntry {
    let day = day(words[0])
    guard let steps = Int(words[1]) else { return DayEntry(day: day, state: .none) }
    let state: DayState = day == today ? .partial(steps) : steps > 0 ? .value(steps) : .zero
    guard words.count == 5 else { return DayEntry(day: day, state: state, isPaused: words.last == "paused") }
    let rings = words[2...].map { pair -> RingValue in
      let parts = pair.split(separator: "/").compactMap { Double($0) }
      return RingValue(value: parts[0], goal: parts[1])
    }
    return DayEntry(
      day: day, state: state,
      rings: Rings(
        ActivitySummary(day: day, moveMode: .energy, move: rings[0], exercise: rings[1], stand: rings[2])))
  }

  static let todayHours: [Double] = [
    0, 0, 0, 0, 0, 0, 124, 842, 1310, 236, 318, 402, 1486, 690, 274, 1022, 1728, 0, 0, 0, 0, 0, 0, 0,
  ]
  static let usualHours: [Double] = [
    10, 0, 0, 0, 0, 20, 160, 610, 980, 420, 340, 420, 980, 640, 380, 520, 810, 1240, 1010, 640, 380, 220, 120, 60,
  ]

  static func slots(_ shares: [Double]) -> [Slot] {
    shares.enumerated().map {
      Slot(start: Int32($0.offset * 3600), length: 3600, hour: Int8($0.offset), share: $0.element)
    }
  }

  static func todayInput(weekStart: Int = 0) throws -> TodayInput {
    let almanac = try almanac(weekStart: weekStart)
    var hours = [today: slots(todayHours)]
    for week in 1...10 { hours[today - 7 * week] = slots(usualHours) }
    let marks = (0..<14).map { place in almanac[today - 13 + place].map { mark($0) } ?? .none }
    var tally = StreakTally()
    for entry in almanac.entries where entry.day <= today { tally.add(mark(entry), on: entry.day) }
    return TodayInput(
      almanac: almanac, hours: hours, now: now, elapsed: 16 * 3600 + 42 * 60, streak: tally.streak,
      streakKind: .ring(.move), marks: marks,
      updates: [
        .init(
          name: "Apple Health export", note: "export.zip", kind: .file,
          at: LocalTime(day: today, minutes: 16 * 60 + 31, offset: 3600), age: 11 * 60_000)
      ], known: nil)
  }

  private static func mark(_ entry: DayEntry) -> DayMark {
    if entry.isPaused { return .paused }
    guard let move = entry.rings?.move else { return .none }
    if move.closed { return .met }
    return entry.day == today ? .open : .missed
  }

  static func dayInput() throws -> DayInput {
    let almanac = try almanac()
    let entry = try #require(almanac[day("2026-11-22")])
    let watch: [Double] = [0, 640, 1120, 3690, 1510, 420, 980, 860, 0, 0, 310, 1405, 520, 240, 95]
    let phone: [Double] = [212, 120, 980, 2105, 1402, 310, 0, 0, 648, 1206, 420, 1190, 88, 160, 40]
    let total: [Double] = [212, 680, 1145, 3735, 1522, 470, 980, 860, 648, 1206, 440, 1445, 548, 280, 115]
    func pad(_ values: [Double]) -> [Double] { [Double](repeating: 0, count: 7) + values + [0, 0] }
    let start = Instant(seconds: Int64(entry.day.number) * 86_400 - 3600)
    func stretches(_ minutes: [(Int, Int)], counted: Bool) -> [DayPicture.Stretch] {
      minutes.map { begin, length in
        let from = start.advanced(milliseconds: Int64(begin) * 60_000)
        return DayPicture.Stretch(time: from..<from.advanced(milliseconds: Int64(length) * 60_000), isCounted: counted)
      }
    }
    return DayInput(
      entry: entry, today: today, firstDay: almanac.firstDay, slots: slots(pad(total)),
      devices: [
        DayDevice(
          name: "Apple Watch", sourceClass: .watch, counted: 11_790, hidden: 0, countedByHour: pad(watch),
          aloneByHour: pad(watch),
          stretches: stretches(
            [(486, 90), (582, 162), (774, 120), (1038, 30), (1086, 84), (1200, 36), (1266, 12)], counted: true)),
        DayDevice(
          name: "iPhone", sourceClass: .phone, counted: 2_496, hidden: 6_385,
          countedByHour: pad(zip(total, watch).map { $0 - $1 }), aloneByHour: pad(phone),
          stretches: (stretches([(432, 36), (480, 6), (900, 114), (1020, 18), (1242, 6)], counted: true)
            + stretches([(486, 18), (540, 36), (582, 162), (1038, 30), (1086, 54), (1200, 36)], counted: false))
            .sorted { $0.time.lowerBound < $1.time.lowerBound }),
      ], interval: start..<start.advanced(hours: 24),
      changes: [
        DayChange(
          at: LocalTime(day: day("2026-11-23"), minutes: 418, offset: 3600), old: 12_640, new: 14_286, reason: .late)
      ], goalSince: day("2026-01-01"))
  }
}
