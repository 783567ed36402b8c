import Activity
import Archive
import Bytes

/// HKActivitySummary of one day as it is read, before it is judged.
struct HealthKitSummary {
  private(set) var draft = SummaryDraft()
  /// What could not be read.
  private(set) var objection: Objection?
  private var older: (value: Double?, goal: Double?) = (nil, nil)

  static func read(_ json: inout JSONReader, after first: JSONReader.Token) throws(JSONError) -> HealthKitSummary {
    var summary = HealthKitSummary()
    try json.readFields(after: first) { (json) throws(JSONError) in try summary.readField(&json) }
    summary.draft.minutes = (
      summary.draft.minutes.value ?? summary.older.value, summary.draft.minutes.goal ?? summary.older.goal
    )
    return summary
  }

  private mutating func readField(_ json: inout JSONReader) throws(JSONError) {
    switch json.string() {
    case "date": try readDay(&json)
    case "activeEnergyBurnedUnit": try readUnit(&json)
    case "activeEnergyBurned": draft.energy.value = try amount(&json)
    case "activeEnergyBurnedGoal": draft.energy.goal = try amount(&json)
    case "appleMoveTime": draft.minutes.value = try amount(&json)
    case "appleMoveTimeGoal": draft.minutes.goal = try amount(&json)
    case "appleMoveMinutes": older.value = try amount(&json)
    case "appleMoveMinutesGoal": older.goal = try amount(&json)
    case "appleExerciseTime": draft.exercise.value = try amount(&json)
    case "appleExerciseTimeGoal": draft.exercise.goal = try amount(&json)
    case "appleStandHours": draft.stand.value = try amount(&json)
    case "appleStandHoursGoal": draft.stand.goal = try amount(&json)
    case "activityMoveMode":
      draft.mode = try json.numberValue().value.flatMap { Int16(exactly: $0) }.flatMap { MoveMode(rawValue: $0) }
    case "isPaused": draft.isPaused = try json.flagValue()
    default: try json.finishValue(after: try json.next())
    }
  }

  private mutating func readDay(_ json: inout JSONReader) throws(JSONError) {
    let token = try json.next()
    guard token == .string else { return try json.finishValue(after: token) }
    draft.dayText = json.detail
    draft.day = json.withText { Timestamp.readDay($0) }
  }

  private mutating func readUnit(_ json: inout JSONReader) throws(JSONError) {
    let unit = try json.textValue() ?? ""
    if let calorie = SummaryDraft.calorie(ofUnit: unit) {
      draft.calorie = calorie
    } else {
      // The unit is judged before the numbers.
      objection = Objection(.badUnit, unit.cut(toBytes: Objection.longestDetail))
    }
  }

  private mutating func amount(_ json: inout JSONReader) throws(JSONError) -> Double? {
    let (value, isAbsent) = try json.numberValue()
    if value == nil, !isAbsent, objection?.reason != .badUnit { objection = Objection(.badNumber) }
    return value
  }
}
