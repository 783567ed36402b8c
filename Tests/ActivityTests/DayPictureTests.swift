import Activity
import Testing

struct DayPictureTests {
  private static let day = CivilDay(iso: "2026-03-02")!
  private let merge: Merge

  init() {
    merge = Merge(
      sources: [
        1: Source(key: "apple:Watch", sourceClass: .watch, device: "Watch"),
        2: Source(key: "hk:watch", sourceClass: .watch, device: "Watch"),
        3: Source(key: "apple:Phone", sourceClass: .phone, device: "Phone"),
      ], zones: [:], history: ZoneHistory([], in: ZoneTable(files: [:])), options: MergeOptions())
  }

  private func sample(_ hours: Range<Int64>, _ count: Double, of source: Int32) -> Sample {
    let midnight = Instant(seconds: Int64(Self.day.number) * 86_400)
    return Sample(
      start: midnight.advanced(milliseconds: hours.lowerBound * 3_600_000),
      end: midnight.advanced(milliseconds: hours.upperBound * 3_600_000), count: count,
      key: SampleKey(high: UInt64(source), low: UInt64(hours.lowerBound)), source: source)
  }

  @Test("two feeds of one watch tell of the same steps: alone it would give what each of them gives")
  func twoFeeds() throws {
    let samples = [
      sample(8..<9, 100, of: 1), sample(8..<9, 100, of: 2), sample(10..<11, 40, of: 2), sample(8..<9, 70, of: 3),
      sample(12..<13, 5, of: 3),
    ]
    let apart = try #require(merge.picture(of: Self.day, samples))
    #expect(apart.parts.map { $0.alone.reduce(0, +) } == [100, 140, 75])
    let joined = try #require(merge.picture(of: Self.day, samples, devices: [[2, 1], [3]]))
    #expect(joined.parts.map(\.sources) == [[1, 2], [3]])
    #expect(joined.parts.map { $0.alone.reduce(0, +) } == [140, 75])
    #expect(joined.parts.map { $0.counted.reduce(0, +) } == [140, 5])
    // The watch hid nothing of itself; the phone's first hour is the watch's.
    #expect(joined.parts[0].stretches.allSatisfy(\.isCounted) && joined.parts[0].stretches.count == 2)
    #expect(joined.parts[1].stretches.map(\.isCounted) == [false, true])
  }
}
