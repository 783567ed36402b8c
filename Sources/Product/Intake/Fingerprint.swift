import Activity
import Secrets

/// The key of a sample whose format has no id (merge.md 8.1): SHA-256 over feed, source, type, start, end, count, recorded.
/// What goes in here is stored with every sample: changing it would make all of them new.
struct Fingerprint {
  private var bytes: [UInt8] = []

  /// Reuses its buffer from call to call.
  mutating func key(feed: Feed, source: String, sample: Sample) -> SampleKey {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: feed.name.utf8)
    bytes.append(0)
    bytes.append(contentsOf: source.utf8)
    bytes.append(0)
    append(UInt64(truncatingIfNeeded: sample.type.rawValue))
    append(UInt64(bitPattern: sample.start.milliseconds))
    append(UInt64(bitPattern: sample.end.milliseconds))
    append(sample.count.bitPattern)
    append(UInt64(bitPattern: sample.recorded.milliseconds))
    let prefix = SHA256.prefix(bytes)
    return SampleKey(high: prefix.high, low: prefix.low)
  }

  /// The key of a bucket, whose count may grow (decisions.md, Numbers): feed, source, type, start and end.
  mutating func bucketKey(feed: Feed, source: String, type: DataType, start: Instant, end: Instant) -> SampleKey {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: feed.name.utf8)
    bytes.append(0)
    bytes.append(contentsOf: source.utf8)
    bytes.append(0)
    append(UInt64(truncatingIfNeeded: type.rawValue))
    append(UInt64(bitPattern: start.milliseconds))
    append(UInt64(bitPattern: end.milliseconds))
    let prefix = SHA256.prefix(bytes)
    return SampleKey(high: prefix.high, low: prefix.low)
  }

  private mutating func append(_ word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }
}
