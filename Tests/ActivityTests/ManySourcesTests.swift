import Testing

@testable import Activity

/// A day on which very many sources counted the same walks: an upload may name ten thousand.
@Suite("Many sources")
struct ManySourcesTests {
  private static let number = 2000
  private static let walks = 5

  private let merge = Merge(
    sources: (0..<number).map { number in
      Source(key: "app:\(1_000_000 + number)", sourceClass: .other, device: "")
    }, history: ZoneHistory([(since: nil, zone: "Europe/Berlin")], in: Zones.table))

  /// Every source counts as many steps more as it ranks lower, in walks that all have at the same time.
  private let samples: [Sample] = (0..<walks).flatMap { walk in
    (0..<number).map { number in
      let start = at("2025-06-15T08:00:00Z").advanced(hours: walk)
      return Sample(
        start: start, end: walk == 0 ? start : start.advanced(milliseconds: 600_000), count: Double(number + 1),
        key: SampleKey(high: UInt64(number), low: UInt64(walk)), source: Int32(number))
    }
  }

  @Test("what each source would count alone takes one look at each sample, over all sources")
  func looks() {
    let field = MergeField(samples, merge: merge)
    #expect(field.sources.count == Self.number)
    let looks = field.sources.indices.reduce(0) { $0 + field.own($1).intervals.count + field.own($1).instants.count }
    #expect(looks == samples.count)
    #expect(field.sources.indices.allSatisfy { field.pieces(of: $0).count == Self.walks })
  }

  @Test("the best source counts, all others stand beside it as hidden")
  func total() throws {
    let day = try #require(merge.days(samples).values.first)
    #expect(day.shown == Self.walks && day.bySource.count == Self.number)
    for (place, source) in day.bySource.enumerated() {
      #expect(source.source == Int32(place))
      #expect(source.counted == (place == 0 ? Double(Self.walks) : 0))
      #expect(source.hidden == (place == 0 ? 0 : Double(Self.walks * (place + 1))))
    }
  }

  @Test("a source of its own is all that there is")
  func one() {
    let own = samples.filter { $0.source == 7 }
    let field = MergeField(own, merge: merge)
    #expect(field.own(0).intervals.count == Self.walks - 1 && field.own(0).instants.count == 1)
  }
}
