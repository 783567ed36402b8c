/// What a person may choose about merging (merge.md 3.4 and 4.7).
package struct MergeOptions: Hashable, Sendable {
  /// Own order of source keys, best first; listed sources outrank all others.
  package var priority: [String]
  package var includeManual: Bool

  package init(priority: [String] = [], includeManual: Bool = true) {
    self.priority = priority
    self.includeManual = includeManual
  }
}

/// The merge rule (merge.md 3 to 6) for one person: at each moment only the best sample counts.
///
/// The result does not depend on the order of the samples, and every sum is made in rank order, so that each day has the
/// same bits whether it is computed alone or with a whole life. Samples must be of one type. A sample that Intake would
/// never let through (negative, longer than 4 days, outside the years 1 to 9999) is left out.
package struct Merge: Sendable {
  package let history: ZoneHistory
  package let options: MergeOptions
  private let zones: [Int16: ZoneRules]
  /// By number of the source.
  private let places: [SourcePlace?]

  /// `sources` and `zones` by the numbers that the samples carry.
  package init(
    sources: [Int32: Source], zones: [Int16: ZoneRules] = [:], history: ZoneHistory, options: MergeOptions = .init()
  ) {
    self.history = history
    self.options = options
    self.zones = zones
    places = SourcePlace.ranked(sources, priority: options.priority)
  }

  /// `sources` and `zones` by position, as a `Batch` has them.
  package init(
    sources: [Source], zones: [ZoneRules?] = [], history: ZoneHistory, options: MergeOptions = .init()
  ) {
    let numbered = sources.enumerated().map { (Int32(truncatingIfNeeded: $0.offset), $0.element) }
    let named = zones.enumerated().compactMap { place, zone in zone.map { (Int16(truncatingIfNeeded: place), $0) } }
    self.init(
      sources: Dictionary(numbered) { first, _ in first }, zones: Dictionary(named) { first, _ in first },
      history: history, options: options)
  }

  /// Totals of all days that the samples touch, or of those in `wanted`. A day that no sample touches has no entry; one
  /// that only zero samples touch is 0. O(n log n).
  ///
  /// With `wanted` the answer is exact if `samples` holds at least those that overlap `window(of: wanted)`.
  package func days(_ samples: [Sample], in wanted: ClosedRange<CivilDay>? = nil) -> [CivilDay: DayTotal] {
    let field = MergeField(samples, merge: self)
    var ledger = DayLedger(history: history, wanted: wanted)
    ledger.add(field.winners(), of: field)
    for zero in field.zeros { ledger.touch(zero.instant, zone: zero.zone) }
    for source in field.rivals { ledger.addAlone(field.pieces(of: source), of: field) }
    return ledger.totals(of: field)
  }

  /// The instants that can have a date in `days`, in the person's zones or in any zone of a walk. The samples that a
  /// recomputation needs are those with start < upper bound and end ≥ lower bound.
  package func window(of days: ClosedRange<CivilDay>) -> Range<Instant> {
    // A traveller may see a date before the one that precedes it: two days at either end are looked at.
    let ends = [0, 1].flatMap {
      [min(days.lowerBound + $0, days.upperBound), max(days.upperBound - $0, days.lowerBound)]
    }
    var window = history.interval(of: days.lowerBound)
    for day in ends { window.widen(to: history.interval(of: day)) }
    for zone in zones.values {
      let local = ZoneHistory(zone)
      for day in ends { window.widen(to: local.interval(of: day)) }
    }
    return window
  }

  /// The dates whose totals may change when a sample over [start, end] comes, goes or changes.
  package func days(touchedFrom start: Instant, to end: Instant) -> ClosedRange<CivilDay> {
    let last = end > start ? end.advanced(milliseconds: -1) : start
    var touched = history.days(from: start, through: last)
    for zone in zones.values {
      let local = ZoneHistory(zone).days(from: start, through: last)
      touched = min(touched.lowerBound, local.lowerBound)...max(touched.upperBound, local.upperBound)
    }
    return touched
  }

  func zone(_ number: Int16?) -> ZoneRules? { number.flatMap { zones[$0] } }

  func place(of source: Int32) -> SourcePlace {
    let found = source >= 0 && Int(source) < places.count ? places[Int(source)] : nil
    return found ?? SourcePlace(rank: .max, isManual: false, number: source)
  }
}

/// Where a source stands for a person; 0 is best. Sources that cannot be told apart by rule (one key of two classes in the
/// person's own order) share a rank, and days count them as one: the one with the smallest number.
struct SourcePlace: Sendable {
  var rank: Int32
  var isManual: Bool
  var number: Int32

  static func ranked(_ sources: [Int32: Source], priority: [String]) -> [SourcePlace?] {
    let listed = Dictionary(priority.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    let sorted = sources.filter { (0..<1 << 20).contains($0.key) }.map { number, source in
      Candidate(number: number, source: source, listed: listed[source.key] ?? .max)
    }.sorted { $0.stands(before: $1) }
    var places = [SourcePlace?](repeating: nil, count: Int((sources.keys.filter { $0 < 1 << 20 }.max() ?? -1) + 1))
    var place = SourcePlace(rank: -1, isManual: false, number: 0)
    for (index, candidate) in sorted.enumerated() {
      if index == 0 || sorted[index - 1].isBetter(than: candidate) {
        place.rank += 1
        place.number = candidate.number
      }
      place.isManual = candidate.source.sourceClass == .manual
      places[Int(candidate.number)] = place
    }
    return places
  }

  private struct Candidate {
    var number: Int32
    var source: Source
    var listed: Int

    /// Own order first, then class, then the key that is smaller by code points (which is the order of UTF-8).
    func isBetter(than other: Candidate) -> Bool {
      if listed != other.listed { return listed < other.listed }
      if listed == .max, source.sourceClass != other.source.sourceClass {
        return source.sourceClass < other.source.sourceClass
      }
      return source.key.utf8.lexicographicallyPrecedes(other.source.key.utf8)
    }

    func stands(before other: Candidate) -> Bool {
      if isBetter(than: other) { return true }
      return !other.isBetter(than: self) && number < other.number
    }
  }
}

extension Range<Instant> {
  fileprivate mutating func widen(to other: Range<Instant>) {
    self = Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
