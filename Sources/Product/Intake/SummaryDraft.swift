import Activity

/// The fields of a day's rings as a format delivered them, before they are judged (merge.md 9.1–9.3). Nil: not delivered.
struct SummaryDraft {
  var day: CivilDay?
  var dayText = ""
  /// Kilocalories per unit of the record (merge.md 9.2).
  var calorie = 1.0
  var energy: (value: Double?, goal: Double?) = (nil, nil)
  var minutes: (value: Double?, goal: Double?) = (nil, nil)
  var exercise: (value: Double?, goal: Double?) = (nil, nil)
  var stand: (value: Double?, goal: Double?) = (nil, nil)
  var mode: MoveMode?
  var isPaused = false

  /// Kilocalories in one of a unit; nil for a unit that nobody knows.
  static func calorie(ofUnit unit: String) -> Double? {
    switch unit {
    case "", "Cal", "kcal": 1
    case "kJ": 1 / 4.184
    case "cal": 1 / 1000
    case "J": 1 / 4184
    default: nil
    }
  }

  /// The summary, or the first failing test.
  func judged(receivedAt: Instant) throws(Objection) -> ActivitySummary {
    let day = try checkedDay(receivedAt)
    for part in [energy, minutes, exercise, stand] {
      for amount in [part.value, part.goal].compactMap({ $0 }) {
        if amount < 0 { throw Objection(.negative, "\(amount)") }
        if !amount.isFinite { throw Objection(.absurd, "\(amount)") }
      }
    }
    let kilocalories = (value: energy.value.map { $0 * calorie }, goal: energy.goal.map { $0 * calorie })
    let mode = mode ?? ((minutes.goal ?? 0) > 0 && !((energy.goal ?? 0) > 0) ? .minutes : .energy)
    return ActivitySummary(
      day: day, moveMode: mode, move: ring(mode == .minutes ? minutes : kilocalories), exercise: ring(exercise),
      stand: ring(stand), paused: isPaused)
  }

  private func ring(_ part: (value: Double?, goal: Double?)) -> RingValue? {
    part.value.map { RingValue(value: $0, goal: part.goal) }
  }

  private func checkedDay(_ receivedAt: Instant) throws(Objection) -> CivilDay {
    guard let day else { throw Objection(.badDate, dayText) }
    guard day.year >= 2000 else { throw Objection(.sentinelDate, day.iso) }
    // The date of a place 14 hours ahead, ten minutes after receipt: no calendar is further.
    let latest = receivedAt.advanced(milliseconds: 51_000_000)
    guard Int64(day.number) * 86_400_000 <= latest.milliseconds else { throw Objection(.future, day.iso) }
    return day
  }
}
