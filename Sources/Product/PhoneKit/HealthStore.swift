// PhoneKit: what a phone app embeds to send a person's steps and rings to a Stepwell server.
//
// It reads changes from a health store, keeps every batch on disk until the server has answered that it is stored, repeats with growing
// pauses, and asks again for what the server says it lacks. It knows no socket: `send` is given. It must never know how samples merge.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One change of a health store, in the words of HealthKit.
public struct HealthChanges: Sendable, Equatable {
  public var added: [HealthSample]
  public var deleted: [HealthDeletion]
  public var activitySummaries: [HealthActivitySummary]
  /// Which stretches of which types these changes are complete for.
  public var asked: [AskedInterval]
  /// Where the next call goes on. Opaque; kept beside the queue.
  public var anchor: Data
  /// True if the store has more to say right now.
  public var hasMore: Bool

  public init(
    added: [HealthSample] = [], deleted: [HealthDeletion] = [], activitySummaries: [HealthActivitySummary] = [],
    asked: [AskedInterval] = [], anchor: Data, hasMore: Bool = false
  ) {
    self.added = added
    self.deleted = deleted
    self.activitySummaries = activitySummaries
    self.asked = asked
    self.anchor = anchor
    self.hasMore = hasMore
  }

  public var isEmpty: Bool { added.isEmpty && deleted.isEmpty && activitySummaries.isEmpty && asked.isEmpty }
}

/// What PhoneKit needs of HealthKit (or of a simulated phone). Calls may come from any thread.
public protocol HealthStore: Sendable {
  /// What changed since `anchor` (nil: everything), at most `limit` items. The same anchor must give the same changes again or newer ones,
  /// never fewer: a batch that was not stored on disk is asked for again.
  func changes(since anchor: Data?, limit: Int) async throws -> HealthChanges
  /// Everything of a type in a stretch of time, for what the server says it lacks.
  func everything(of type: String, from: Date, to: Date) async throws -> HealthChanges
  /// IANA name of the zone that the phone is in now.
  var zone: String { get }
}

/// HKQuantitySample as the server reads it. Dates are instants; `value` is in `unit`.
public struct HealthSample: Codable, Sendable, Equatable {
  /// The app and device that recorded a sample.
  public struct Source: Codable, Sendable, Equatable {
    public var name: String
    public var bundle: String
    public var productType: String?
    public var osVersion: String?

    public init(name: String, bundle: String, productType: String? = nil, osVersion: String? = nil) {
      self.name = name
      self.bundle = bundle
      self.productType = productType
      self.osVersion = osVersion
    }
  }

  public var uuid: String
  public var type: String
  public var start: Date
  public var end: Date
  public var value: Double
  public var unit: String
  public var recorded: Date?
  public var source: Source
  /// HKMetadata keys with text, numbers or flags as text.
  public var metadata: [String: String]?

  public init(
    uuid: String, type: String, start: Date, end: Date, value: Double, unit: String, recorded: Date? = nil,
    source: Source,
    metadata: [String: String]? = nil
  ) {
    self.uuid = uuid
    self.type = type
    self.start = start
    self.end = end
    self.value = value
    self.unit = unit
    self.recorded = recorded
    self.source = source
    self.metadata = metadata
  }
}

/// HKDeletedObject; the start spares the server a search where the phone knows it.
public struct HealthDeletion: Codable, Sendable, Equatable {
  public var uuid: String
  public var start: Date?

  public init(uuid: String, start: Date? = nil) {
    self.uuid = uuid
    self.start = start
  }
}

/// HKActivitySummary of one calendar day. Energy in kilocalories, times in minutes, stand in hours.
public struct HealthActivitySummary: Codable, Sendable, Equatable {
  /// `YYYY-MM-DD`, from dateComponents.
  public var date: String
  public var activeEnergyBurned: Double?
  public var activeEnergyBurnedGoal: Double?
  public var appleMoveTime: Double?
  public var appleMoveTimeGoal: Double?
  public var appleExerciseTime: Double?
  public var appleExerciseTimeGoal: Double?
  public var appleStandHours: Double?
  public var appleStandHoursGoal: Double?
  /// 1 energy, 2 move time (HKActivityMoveMode).
  public var activityMoveMode: Int?
  public var isPaused: Bool?

  public init(date: String) { self.date = date }
}

/// A stretch of time that the phone was asked about, and whether it could tell everything.
public struct AskedInterval: Codable, Sendable, Equatable {
  public var type: String
  public var from: Date
  public var to: Date
  public var complete: Bool

  public init(type: String, from: Date, to: Date, complete: Bool) {
    self.type = type
    self.from = from
    self.to = to
    self.complete = complete
  }
}
