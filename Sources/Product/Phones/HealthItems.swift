package import Activity
package import PhoneKit

extension Walk {
  /// As HealthKit would hand it over. `zone` is written as its time zone if the phone knows one.
  package func sample(of owner: String, zone: String?) -> HealthSample {
    var metadata: [String: String] = [:]
    if device == .hand { metadata["HKWasUserEntered"] = "1" }
    metadata["HKTimeZone"] = zone
    return HealthSample(
      uuid: uuid, type: DataType.stepCount.name, start: HealthDate(milliseconds: start.milliseconds),
      end: HealthDate(milliseconds: end.milliseconds), value: Double(count), unit: "count",
      recorded: HealthDate(milliseconds: recorded.milliseconds),
      source: HealthSample.Source(
        name: device.sourceName(of: owner), bundle: device.bundle, productType: device.productType,
        osVersion: device.sourceVersion),
      metadata: metadata.isEmpty ? nil : metadata)
  }

  package var deletion: HealthDeletion {
    HealthDeletion(uuid: uuid, start: HealthDate(milliseconds: start.milliseconds))
  }
}

extension HealthActivitySummary {
  /// As HealthKit would hand it over.
  package init(_ summary: ActivitySummary) {
    self.init(date: summary.day.iso)
    activityMoveMode = Int(summary.moveMode.rawValue)
    switch summary.moveMode {
    case .energy:
      activeEnergyBurned = summary.move?.value
      activeEnergyBurnedGoal = summary.move?.goal
    case .minutes:
      appleMoveTime = summary.move?.value
      appleMoveTimeGoal = summary.move?.goal
    }
    appleExerciseTime = summary.exercise?.value
    appleExerciseTimeGoal = summary.exercise?.goal
    appleStandHours = summary.stand?.value
    appleStandHoursGoal = summary.stand?.goal
    if summary.paused { isPaused = true }
  }
}

extension AskedInterval {
  /// Nil for an empty stretch.
  init?(_ type: DataType, from: Instant, to: Instant, complete: Bool = true) {
    guard from < to else { return nil }
    self.init(
      type: type.name, from: HealthDate(milliseconds: from.milliseconds), to: HealthDate(milliseconds: to.milliseconds),
      complete: complete)
  }
}
