import Activity
import Archive

/// An `ActivitySummary` element: the rings of one day (merge.md 9). Its day is a calendar date; no zone has a part in it.
enum SummaryRecord {
  /// Reads and judges the attributes; the first failing test in the order of merge.md 7 is thrown.
  static func read(_ xml: inout XMLReader, receivedAt: Instant) throws(Objection) -> ActivitySummary {
    let calorie = try energyUnit(&xml)
    let energy = try pair(&xml, "activeEnergyBurned", "activeEnergyBurnedGoal", times: calorie)
    let minutes = try movePair(&xml)
    let exercise = try pair(&xml, "appleExerciseTime", "appleExerciseTimeGoal")
    let stand = try pair(&xml, "appleStandHours", "appleStandHoursGoal")
    let day = try day(&xml, receivedAt)
    for (name, amount) in [energy, minutes, exercise, stand].flatMap({ $0.parts }) {
      if amount < 0 { throw Objection(.negative, name) }
      if !amount.isFinite { throw Objection(.absurd, name) }
    }
    let mode = mode(&xml, energy: energy, minutes: minutes)
    return ActivitySummary(
      day: day, moveMode: mode, move: (mode == .minutes ? minutes : energy).ring, exercise: exercise.ring,
      stand: stand.ring, paused: isPaused(&xml))
  }

  /// Kilocalories per unit of the record.
  private static func energyUnit(_ xml: inout XMLReader) throws(Objection) -> Double {
    switch xml.detail("activeEnergyBurnedUnit") {
    case "", "Cal", "kcal": return 1
    case "kJ": return 1 / 4.184
    case "cal": return 1 / 1000
    case "J": return 1 / 4184
    case let other: throw Objection(.badUnit, other)
    }
  }

  /// Value and goal of a ring, each nil where the attribute is missing or empty.
  private struct Pair {
    var names: (String, String)
    var value: Double?
    var goal: Double?

    var ring: RingValue? { value.map { RingValue(value: $0, goal: goal) } }
    var parts: [(name: String, amount: Double)] {
      [(names.0, value), (names.1, goal)].compactMap { name, amount in amount.map { (name, $0) } }
    }
  }

  private static func pair(
    _ xml: inout XMLReader, _ value: StaticString, _ goal: StaticString, times factor: Double = 1
  ) throws(Objection) -> Pair {
    Pair(
      names: (value.description, goal.description), value: try amount(&xml, value, factor),
      goal: try amount(&xml, goal, factor))
  }

  /// `appleMoveTime`, which export version 11 called `appleMoveMinutes`.
  private static func movePair(_ xml: inout XMLReader) throws(Objection) -> Pair {
    var pair = try pair(&xml, "appleMoveTime", "appleMoveTimeGoal")
    let older = try self.pair(&xml, "appleMoveMinutes", "appleMoveMinutesGoal")
    pair.value = pair.value ?? older.value
    pair.goal = pair.goal ?? older.goal
    return pair
  }

  private static func amount(
    _ xml: inout XMLReader, _ name: StaticString, _ factor: Double
  ) throws(Objection) -> Double? {
    if let amount = xml.number(name) { return factor == 1 ? amount : amount * factor }
    guard xml.isBlank(name) else { throw Objection(.badNumber, xml.detail(name)) }
    return nil
  }

  private static func day(_ xml: inout XMLReader, _ receivedAt: Instant) throws(Objection) -> CivilDay {
    let read = xml.attribute("dateComponents") { Timestamp.readDay($0) } ?? nil
    guard let day = read else { throw Objection(.badDate, xml.detail("dateComponents")) }
    guard day.year >= 2000 else { throw Objection(.sentinelDate, day.iso) }
    // The date of a place 14 hours ahead, ten minutes after receipt: no calendar is further.
    let latest = receivedAt.advanced(milliseconds: 51_000_000)
    guard Int64(day.number) * 86_400_000 <= latest.milliseconds else { throw Objection(.future, day.iso) }
    return day
  }

  /// Exports of today do not say the mode; then the goals tell (merge.md 9.3).
  private static func mode(_ xml: inout XMLReader, energy: Pair, minutes: Pair) -> MoveMode {
    switch xml.detail("activityMoveMode") {
    case "2": return .minutes
    case "1": return .energy
    default: return (minutes.goal ?? 0) > 0 && !((energy.goal ?? 0) > 0) ? .minutes : .energy
    }
  }

  private static func isPaused(_ xml: inout XMLReader) -> Bool {
    ["1", "yes", "true"].contains(xml.detail("isPaused").lowercased())
  }
}
