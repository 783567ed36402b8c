/// Ranks sorted by the source of their samples, within a source in the order in which they came. Made in one pass (a counting
/// sort), so that many sources cost no more than few.
struct RanksBySource {
  private var ranks: [Int32] = []
  /// Where each source begins, and where the last one ends.
  private var starts: [Int] = []

  /// Of no source at all.
  init() {}

  init(_ ordered: [Int32], of ranked: [RankedSample], sources: Int) {
    starts = [Int](repeating: 0, count: sources + 1)
    for rank in ordered { starts[Int(ranked[Int(rank)].source) + 1] += 1 }
    for source in 0..<sources { starts[source + 1] += starts[source] }
    var next = starts
    ranks = [Int32](repeating: 0, count: ordered.count)
    for rank in ordered {
      let source = Int(ranked[Int(rank)].source)
      ranks[next[source]] = rank
      next[source] += 1
    }
  }

  subscript(source: Int) -> ArraySlice<Int32> { ranks[starts[source]..<starts[source + 1]] }
}
