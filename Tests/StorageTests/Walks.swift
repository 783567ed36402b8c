import Activity

/// What tests of Storage write: one phone, walks at noon, rings.
enum Walks {
  static let today = CivilDay(year: 2026, month: 11, day: 26)!
  static let source = Source(key: "apple:iPhone", sourceClass: .phone, device: "iPhone")

  /// Walks of `count` steps at noon UTC on each of `days`.
  static func noons(_ days: [CivilDay], _ count: Double) -> Batch {
    var batch = Batch(feed: .apple)
    batch.sources = [source]
    batch.samples = days.map { day in
      let start = Instant(seconds: Int64(day.number) * 86_400 + 12 * 3_600)
      return Sample(
        start: start, end: start.advanced(milliseconds: 600_000), count: count,
        key: SampleKey(high: UInt64(UInt32(bitPattern: day.number)) << 20 | UInt64(count), low: 1), source: 0)
    }
    return batch
  }

  static func ringed(_ days: [CivilDay], move: Double) -> Batch {
    var batch = Batch(feed: .apple)
    batch.summaries = days.map { day in
      ActivitySummary(
        day: day, moveMode: .energy, move: RingValue(value: move, goal: 500), exercise: RingValue(value: 30, goal: 30),
        stand: nil)
    }
    return batch
  }
}
