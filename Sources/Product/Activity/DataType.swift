/// What can be stored and shared. Raw values are stored: never change one. Names are HealthKit's without their prefix.
@usableFromInline
package enum DataType: Int16, Sendable, CaseIterable {
  case stepCount = 1
  /// The rings of a day, always delivered together.
  case activitySummary = 2
  case activeEnergyBurned = 3
  case appleExerciseTime = 4
  case appleStandHour = 5
  case appleMoveTime = 6
  case distanceWalkingRunning = 7

  /// `stepCount`, `activitySummary`, …: the word in JSON.
  package var name: String {
    switch self {
    case .stepCount: "stepCount"
    case .activitySummary: "activitySummary"
    case .activeEnergyBurned: "activeEnergyBurned"
    case .appleExerciseTime: "appleExerciseTime"
    case .appleStandHour: "appleStandHour"
    case .appleMoveTime: "appleMoveTime"
    case .distanceWalkingRunning: "distanceWalkingRunning"
    }
  }

  package init?(named name: some StringProtocol) {
    guard let found = DataType.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// Who sends: the feed is part of a sample's key and decides what a later upload replaces. Raw values are stored.
package enum Feed: Int16, Sendable, CaseIterable {
  case apple = 1
  case healthKit = 2
  case healthAutoExport = 3
  case shortcut = 4
  case healthConnect = 5
  case googleFit = 6
  case samsung = 7
  case fitbit = 8

  /// The name inside sample keys and source keys: `apple`, `hk`, `hae`, …
  package var name: String {
    switch self {
    case .apple: "apple"
    case .healthKit: "hk"
    case .healthAutoExport: "hae"
    case .shortcut: "shortcut"
    case .healthConnect: "hc"
    case .googleFit: "googlefit"
    case .samsung: "samsung"
    case .fitbit: "fitbit"
    }
  }
}
