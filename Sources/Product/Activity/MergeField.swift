/// A sample in its place: its position in `MergeField.ranked` is its rank, 0 is best.
struct RankedSample {
  var start: Int64
  var end: Int64
  var count: Double
  /// Position among the sources that occur, best first.
  var source: Int32
  var zone: Int16?

  /// The share of a part that is so many milliseconds long; all of it for a sample without length.
  func share(of milliseconds: Int64) -> Double {
    let duration = end &- start
    return milliseconds == duration ? count : count * Double(milliseconds) / Double(duration)
  }
}

/// A stretch that one sample wins, or the instant of a sample without length that counts (start = end).
struct Piece {
  var rank: Int32
  var start: Int64
  var end: Int64
}

/// The samples of one merge, ranked (merge.md 4.1), and the sweep over them.
struct MergeField {
  /// Best first; usable ones with a count only.
  private(set) var ranked: [RankedSample] = []
  /// Number and manual flag of the sources that occur, best first.
  private(set) var sources: [(number: Int32, isManual: Bool)] = []
  /// Starts of samples with count 0: they only make their day a day.
  private(set) var zeros: [(instant: Instant, zone: ZoneRules?)] = []
  private let merge: Merge
  /// Ranks of samples with a length by start, and of those without (of several at one instant the best first).
  private var intervals: [Int32] = []
  private var instants: [Int32] = []
  /// The same source by source, so that what each would count alone takes a look at its own samples only.
  private var ownIntervals = RanksBySource()
  private var ownInstants = RanksBySource()

  private struct Entry {
    var place: Int32
    var index: Int32
    var recorded: Int64
  }

  init(_ samples: [Sample], merge: Merge) {
    self.merge = merge
    var entries: [Entry] = []
    entries.reserveCapacity(samples.count)
    for (index, sample) in samples.enumerated() where MergeField.isUsable(sample) {
      let place = merge.place(of: sample.source)
      if place.isManual, !merge.options.includeManual { continue }
      if sample.count == 0 {
        zeros.append((sample.start, merge.zone(sample.zone)))
      } else {
        entries.append(
          Entry(
            place: place.rank, index: Int32(truncatingIfNeeded: index), recorded: sample.recorded.milliseconds))
      }
    }
    entries.sort { one, other in
      if one.place != other.place { return one.place < other.place }
      if one.recorded != other.recorded { return one.recorded > other.recorded }
      return MergeField.isBetter(samples[Int(one.index)], than: samples[Int(other.index)])
    }
    rank(entries, samples)
  }

  private static func isUsable(_ sample: Sample) -> Bool {
    let years = -62_135_596_800_000...253_402_300_799_999 as ClosedRange<Int64>
    return years.contains(sample.start.milliseconds) && years.contains(sample.end.milliseconds)
      && sample.start <= sample.end && sample.end.milliseconds(since: sample.start) <= Sample.longest
      && sample.count >= 0 && sample.count.isFinite
  }

  /// The rest of the rank, for samples of one source that were stored at the same moment. Two records that agree in all of
  /// this are one record.
  private static func isBetter(_ one: Sample, than other: Sample) -> Bool {
    if one.start != other.start { return one.start > other.start }
    if one.end != other.end { return one.end > other.end }
    if one.count != other.count { return one.count > other.count }
    if one.key != other.key { return one.key > other.key }
    return (one.zone ?? -1, one.source) > (other.zone ?? -1, other.source)
  }

  private mutating func rank(_ entries: [Entry], _ samples: [Sample]) {
    ranked.reserveCapacity(entries.count)
    var slots: [Int32: Int32] = [:]
    var lastSource: Int32?
    var lastSlot: Int32 = 0
    var rankOf = [Int32](repeating: -1, count: samples.count)
    for (rank, entry) in entries.enumerated() {
      let sample = samples[Int(entry.index)]
      rankOf[Int(entry.index)] = Int32(truncatingIfNeeded: rank)
      if sample.source != lastSource {
        let place = merge.place(of: sample.source)
        lastSource = sample.source
        lastSlot = slots[place.number] ?? Int32(truncatingIfNeeded: sources.count)
        if slots.updateValue(lastSlot, forKey: place.number) == nil {
          sources.append((place.number, place.isManual))
        }
      }
      ranked.append(
        RankedSample(
          start: sample.start.milliseconds, end: sample.end.milliseconds, count: sample.count, source: lastSlot,
          zone: sample.zone))
    }
    orderByStart(rankOf)
  }

  private struct Start {
    var start: Int64
    var rank: Int32
  }

  /// `rankOf`: the rank of each sample in the order in which it was given, -1 where it takes no part. Samples mostly come
  /// by start: then nothing is left to sort.
  private mutating func orderByStart(_ rankOf: [Int32]) {
    var long: [Start] = []
    var short: [Start] = []
    long.reserveCapacity(ranked.count)
    for rank in rankOf where rank >= 0 {
      let sample = ranked[Int(rank)]
      let start = Start(start: sample.start, rank: rank)
      if sample.start == sample.end { short.append(start) } else { long.append(start) }
    }
    var last = Int64.min
    let isOrdered = long.allSatisfy { entry in
      defer { last = entry.start }
      return entry.start >= last
    }
    if !isOrdered { long.sort { $0.start < $1.start } }
    short.sort { $0.start != $1.start ? $0.start < $1.start : $0.rank < $1.rank }
    intervals = long.map(\.rank)
    instants = short.map(\.rank)
    guard sources.count > 1 else { return }
    ownIntervals = RanksBySource(intervals, of: ranked, sources: sources.count)
    ownInstants = RanksBySource(instants, of: ranked, sources: sources.count)
  }

  /// Zone of the walk of a sample, where it is known.
  func zone(of sample: RankedSample) -> ZoneRules? { sample.zone == nil ? nil : merge.zone(sample.zone) }

  /// The stretches that count, by time, then the instants that count, by time.
  func winners() -> [Piece] { MergeField.sweep(ranked, intervals[...], instants[...]) }

  /// Sources of which a better one may hide a part: all but the best.
  var rivals: Range<Int> { min(1, sources.count)..<sources.count }

  /// What a source alone would count. O(n log n) for all sources together.
  func pieces(of source: Int) -> [Piece] {
    let (long, short) = own(source)
    return MergeField.sweep(ranked, long, short)
  }

  /// What several sources would count together, as those do through which one device writes.
  func pieces(of group: Set<Int>) -> [Piece] {
    let isOfGroup = { (rank: Int32) in group.contains(Int(self.ranked[Int(rank)].source)) }
    return MergeField.sweep(ranked, intervals.filter(isOfGroup)[...], instants.filter(isOfGroup)[...])
  }

  /// The ranks of a source's samples with and without a length, by start.
  func own(_ source: Int) -> (intervals: ArraySlice<Int32>, instants: ArraySlice<Int32>) {
    guard sources.count > 1 else { return (intervals[...], instants[...]) }
    return (ownIntervals[source], ownInstants[source])
  }

  /// At each instant the best of the samples that contain it (merge.md 4.2). Both lists hold ranks by start.
  private static func sweep(
    _ ranked: [RankedSample], _ intervals: ArraySlice<Int32>, _ instants: ArraySlice<Int32>
  ) -> [Piece] {
    var pieces: [Piece] = []
    pieces.reserveCapacity(intervals.count + instants.count)
    var active = RankHeap(capacity: 16)
    var next = intervals.startIndex
    var place = Int64.min
    while true {
      while let best = active.best, ranked[Int(best)].end <= place { active.removeBest() }
      if active.best == nil {
        guard next < intervals.endIndex else { break }
        place = ranked[Int(intervals[next])].start
      }
      while next < intervals.endIndex, ranked[Int(intervals[next])].start <= place {
        active.insert(intervals[next])
        next += 1
      }
      guard let best = active.best else { continue }
      let border = next < intervals.endIndex ? ranked[Int(intervals[next])].start : Int64.max
      let end = min(ranked[Int(best)].end, border)
      if let last = pieces.last, last.rank == best, last.end == place {
        pieces[pieces.count - 1].end = end
      } else {
        pieces.append(Piece(rank: best, start: place, end: end))
      }
      place = end
    }
    if !instants.isEmpty { add(instants, of: ranked, to: &pieces) }
    return pieces
  }

  /// A sample without length counts in full unless a better one contains its instant (merge.md 4.4).
  private static func add(_ instants: ArraySlice<Int32>, of ranked: [RankedSample], to pieces: inout [Piece]) {
    let stretches = pieces.count
    var stretch = 0
    var last: Int64?
    for rank in instants {
      let moment = ranked[Int(rank)].start
      // Of several at one instant the best comes first.
      if moment == last { continue }
      last = moment
      while stretch < stretches, pieces[stretch].end <= moment { stretch += 1 }
      let hidden = stretch < stretches && pieces[stretch].start <= moment && pieces[stretch].rank < rank
      if !hidden { pieces.append(Piece(rank: rank, start: moment, end: moment)) }
    }
  }
}
