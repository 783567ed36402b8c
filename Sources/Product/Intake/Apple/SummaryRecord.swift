import Activity
import Archive

/// An `ActivitySummary` element: the rings of one day (merge.md 9). Its day is a calendar date; no zone has a part in it.
enum SummaryRecord {
  /// Reads and judges the attributes; the first failing test in the order of merge.md 7 is thrown.
  static func read(_ xml: inout XMLReader, receivedAt: Instant) throws(Objection) -> ActivitySummary {
    var draft = SummaryDraft()
    let unit = xml.detail("activeEnergyBurnedUnit")
    guard let calorie = SummaryDraft.calorie(ofUnit: unit) else { throw Objection(.badUnit, unit) }
    draft.calorie = calorie
    draft.energy = try pair(&xml, "activeEnergyBurned", "activeEnergyBurnedGoal")
    draft.minutes = try movePair(&xml)
    draft.exercise = try pair(&xml, "appleExerciseTime", "appleExerciseTimeGoal")
    draft.stand = try pair(&xml, "appleStandHours", "appleStandHoursGoal")
    draft.day = xml.attribute("dateComponents") { Timestamp.readDay($0) } ?? nil
    draft.dayText = xml.detail("dateComponents")
    // Exports of today do not say the mode; then the goals tell (merge.md 9.3).
    draft.mode = MoveMode(rawValue: Int16(xml.detail("activityMoveMode")) ?? 0)
    draft.isPaused = ["1", "yes", "true"].contains(xml.detail("isPaused").lowercased())
    return try draft.judged(receivedAt: receivedAt)
  }

  /// `appleMoveTime`, which export version 11 called `appleMoveMinutes`.
  private static func movePair(_ xml: inout XMLReader) throws(Objection) -> (value: Double?, goal: Double?) {
    let newer = try pair(&xml, "appleMoveTime", "appleMoveTimeGoal")
    let older = try pair(&xml, "appleMoveMinutes", "appleMoveMinutesGoal")
    return (newer.value ?? older.value, newer.goal ?? older.goal)
  }

  private static func pair(
    _ xml: inout XMLReader, _ value: StaticString, _ goal: StaticString
  ) throws(Objection) -> (value: Double?, goal: Double?) {
    (try amount(&xml, value), try amount(&xml, goal))
  }

  private static func amount(_ xml: inout XMLReader, _ name: StaticString) throws(Objection) -> Double? {
    if let amount = xml.number(name) { return amount }
    guard xml.isBlank(name) else { throw Objection(.badNumber, xml.detail(name)) }
    return nil
  }
}
