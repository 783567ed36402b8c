/// Identity of a sample: the first 16 bytes of SHA-256 over feed and id (decisions.md, Numbers), big-endian halves.
@usableFromInline
package struct SampleKey: Hashable, Comparable, Sendable {
  @usableFromInline package var high: UInt64
  @usableFromInline package var low: UInt64

  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The first 16 bytes of a hash; missing bytes count as zero.
  package init(firstBytesOf hash: some Collection<UInt8>) {
    var halves: (UInt64, UInt64) = (0, 0)
    for (place, byte) in hash.prefix(16).enumerated() {
      if place < 8 {
        halves.0 |= UInt64(byte) << UInt64(56 - 8 * place)
      } else {
        halves.1 |= UInt64(byte) << UInt64(120 - 8 * place)
      }
    }
    self.init(high: halves.0, low: halves.1)
  }

  @inlinable
  package static func == (one: SampleKey, other: SampleKey) -> Bool { one.high == other.high && one.low == other.low }

  /// Half of a hash is enough of a hash.
  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  @inlinable
  package static func < (one: SampleKey, other: SampleKey) -> Bool {
    one.high != other.high ? one.high < other.high : one.low < other.low
  }
}

/// One count of a device over [start, end) (merge.md 2.1). `source` and `zone` are positions in lists that travel with
/// the samples (`Batch.sources`, `Batch.zones`; in the database their numbers).
@usableFromInline
package struct Sample: Hashable, Sendable {
  /// The longest sample that is kept: 4 days, in milliseconds.
  package static let longest: Int64 = 4 * 86_400_000

  @usableFromInline package var start: Instant
  @usableFromInline package var end: Instant
  @usableFromInline package var count: Double
  /// When the phone stored it; `end` where the format does not say.
  @usableFromInline package var recorded: Instant
  @usableFromInline package var key: SampleKey
  @usableFromInline package var source: Int32
  /// Zone of the walk, only where the format vouches for it; else the person's zones decide.
  @usableFromInline package var zone: Int16?
  @usableFromInline package var type: DataType

  @inlinable
  package init(
    start: Instant, end: Instant, count: Double, recorded: Instant? = nil, key: SampleKey, source: Int32,
    zone: Int16? = nil, type: DataType = .stepCount
  ) {
    self.start = start
    self.end = end
    self.count = count
    self.recorded = recorded ?? end
    self.key = key
    self.source = source
    self.zone = zone
    self.type = type
  }
}
