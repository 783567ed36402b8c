import Activity
import Postgres

/// What became of one sample of an upload (semantics.md 8).
package enum SampleResult: String, Sendable {
  case stored, duplicate, replaced, older
  /// It was deleted before, and late uploads stay dead.
  case deleted
  /// The person does not let this device send this type.
  case consentMissing = "consent_missing"
}

extension Batch {
  /// Only what is of these types, and where its samples stood. Deletions name no type: they need the one of steps.
  func restricted(to types: Set<DataType>) -> (batch: Batch, places: [Int]) {
    let isAllowed = types.contains(.activitySummary) && types.contains(.stepCount)
    if isAllowed, samples.allSatisfy({ $0.type == .stepCount }) { return (self, Array(samples.indices)) }
    let places = samples.indices.filter { types.contains(samples[$0].type) }
    var kept = self
    kept.samples = places.map { samples[$0] }
    if places.count < samples.count {
      let positions = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1, $0) })
      kept.syncs = syncs.compactMap { sync in
        positions[sync.sample].map { SyncVersion(sample: $0, identifier: sync.identifier, version: sync.version) }
      }
    }
    if !types.contains(.activitySummary) { kept.summaries = [] }
    if !types.contains(.stepCount) { kept.deletions = [] }
    return (kept, places)
  }
}

extension Feed {
  /// Whether records of this feed may come again with other values: the later one replaces (decisions.md "Sample key").
  var changes: Bool { self != .apple && self != .healthKit }

  /// Whether such a record may also move to another start, so that only its key finds it.
  var moves: Bool { self == .healthConnect }
}

/// A sample that is stored already, as far as an upload has to know it.
struct StandingSample {
  let start: Instant
  let length: Int32
  let value: Double

  /// Key and sample of a row of `UploadSQL.standing`.
  static func read(_ row: Row) -> (SampleKey, StandingSample) {
    let key = row.uuid(3)
    return (
      SampleKey(high: key.0, low: key.1),
      StandingSample(
        start: Instant(microseconds: row.instant(0)), length: row.int32(1), value: row.double(4))
    )
  }

  func says(_ sample: Sample) -> Bool {
    start == sample.start && Int64(length) == sample.end.milliseconds(since: sample.start) && value == sample.count
  }
}

/// A writer's own identifier with what stands for it.
struct StandingSync: Equatable {
  var version: Int64
  var start: Instant
  var key: SampleKey
}

struct SyncKey: Hashable {
  let source: Int16
  let type: DataType
  let identifier: String
}

/// Decides, sample by sample in the order of the upload, what to store and what to take away. Pure: it is given what stands.
struct UploadPlan {
  let feed: Feed
  var buried: Set<SampleKey> = []
  /// Of feeds whose records change; empty for others, where the INSERT itself finds duplicates.
  var standing: [SampleKey: StandingSample] = [:]
  var syncs: [SyncKey: StandingSync] = [:]

  private(set) var results: [SampleResult] = []
  /// Positions of the samples to store, by key; the later of two wins where records change.
  private(set) var stores: [SampleKey: Int] = [:]
  private(set) var removals: [SampleKey: Instant] = [:]
  private(set) var changedSyncs: Set<SyncKey> = []

  /// `count`: samples that will be added.
  init(feed: Feed, count: Int) {
    self.feed = feed
    results.reserveCapacity(count)
    stores.reserveCapacity(count)
  }

  mutating func add(_ sample: Sample, sync: (key: SyncKey, version: Int64)?) {
    let place = results.count
    results.append(.stored)
    if let sync {
      results[place] = add(sample, at: place, sync: sync.key, version: sync.version)
    } else {
      results[place] = buried.contains(sample.key) ? .deleted : add(sample, at: place)
    }
  }

  /// The INSERT found all but these to be there already.
  mutating func foundStanding(except new: Set<SampleKey>) {
    for (key, place) in stores where !new.contains(key) && results[place] == .stored { results[place] = .duplicate }
  }

  private mutating func add(_ sample: Sample, at place: Int) -> SampleResult {
    if let earlier = stores[sample.key] {
      guard feed.changes else { return .duplicate }
      let result = results[earlier]
      results[earlier] = .older
      stores[sample.key] = place
      return result
    }
    guard let there = standing[sample.key] else {
      stores[sample.key] = place
      return .stored
    }
    if there.says(sample) { return .duplicate }
    removals[sample.key] = there.start
    stores[sample.key] = place
    return .replaced
  }

  /// merge.md 8.3: a greater version replaces; an equal one only where the feed's records change.
  private mutating func add(_ sample: Sample, at place: Int, sync: SyncKey, version: Int64) -> SampleResult {
    var result = SampleResult.stored
    if let there = syncs[sync] {
      if there.key == sample.key, there.version == version, !feed.changes { return .duplicate }
      guard version > there.version || (version == there.version && feed.changes) else { return .older }
      if there.key == sample.key, standing[sample.key]?.says(sample) == true {
        syncs[sync]?.version = version
        changedSyncs.insert(sync)
        return .duplicate
      }
      result = .replaced
      if let earlier = stores.removeValue(forKey: there.key) {
        results[earlier] = .older
      } else {
        removals[there.key] = there.start
      }
    }
    syncs[sync] = StandingSync(version: version, start: sample.start, key: sample.key)
    changedSyncs.insert(sync)
    // What is dead stays dead, but what it came to replace is gone, too.
    guard !buried.contains(sample.key) else { return .deleted }
    if let there = standing[sample.key] { removals[sample.key] = there.start }
    stores[sample.key] = place
    return result
  }
}
