import Activity
import Foundation
import Intake
import People
import Storage
import Support

/// The rules of merge.md 8 once more, as plainly as possible.
struct UploadShelf {
  private struct Held {
    var sample: Sample
    var source: Source
    var zone: String?
    var device: Int
  }

  private struct Writer: Hashable {
    var source: String
    var identifier: String
  }

  private var held: [SampleKey: Held] = [:]
  private var dead: Set<SampleKey> = []
  private var versions: [Writer: (version: Int64, key: SampleKey)] = [:]

  mutating func take(_ upload: Intake.Upload, from device: Int) {
    let batch = upload.batch
    let syncs = Dictionary(batch.syncs.map { ($0.sample, $0) }, uniquingKeysWith: { $1 })
    for (place, sample) in batch.samples.enumerated() {
      let source = batch.sources[Int(sample.source)]
      if let sync = syncs[place] {
        let writer = Writer(source: source.key, identifier: sync.identifier)
        if let known = versions[writer] {
          guard sync.version > known.version else { continue }
          held[known.key] = nil
        }
        versions[writer] = (sync.version, sample.key)
      }
      if dead.contains(sample.key) { continue }
      if let known = held[sample.key], batch.feed == .healthKit || known.sample.count == sample.count { continue }
      held[sample.key] = Held(
        sample: sample, source: source, zone: sample.zone.map { batch.zones[Int($0)] }, device: device)
    }
    for deletion in batch.deletions {
      dead.insert(deletion.key)
      held[deletion.key] = nil
    }
  }

  /// Everything that a device brought goes.
  mutating func take(from device: Int) {
    let gone = Set(held.filter { $0.value.device == device }.keys)
    for key in gone { held[key] = nil }
    versions = versions.filter { !gone.contains($0.value.key) }
  }

  func merged(in table: ZoneTable) -> [CivilDay: DayTotal] {
    let sources = Array(Set(held.values.map(\.source)))
    let zones = Array(Set(held.values.compactMap(\.zone)))
    let samples = held.values.map { one in
      var sample = one.sample
      sample.source = Int32(sources.firstIndex(of: one.source) ?? 0)
      sample.zone = one.zone.flatMap { zones.firstIndex(of: $0) }.map { Int16($0) }
      return sample
    }
    let merge = Merge(
      sources: Dictionary(uniqueKeysWithValues: sources.enumerated().map { (Int32($0), $1) }),
      zones: Dictionary(
        uniqueKeysWithValues: zones.enumerated().compactMap { place, name in
          table.zone(named: name).map { (Int16(place), $0) }
        }), history: ZoneHistory([(since: nil, zone: "Europe/Berlin")], in: table))
    return merge.days(samples)
  }
}

/// The same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

extension UUID {
  init(from dice: inout SplitMix) {
    let (high, low) = (dice.next(), dice.next())
    let bytes = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
