/// Which instants a person's senders have declared complete for one type, and how far their samples reach. The ranges
/// are half-open, sorted, disjoint and not empty.
package struct Coverage: Hashable, Sendable {
  package private(set) var complete: [Range<Instant>]
  /// End of the newest sample of senders that declare nothing: it only ends waiting, it never proves a zero.
  package var newest: Instant?

  package init(complete: [Range<Instant>] = [], newest: Instant? = nil) {
    self.complete = []
    self.newest = newest
    for range in complete { declare(range) }
  }

  /// Adds an interval that an upload declared complete.
  package mutating func declare(_ range: Range<Instant>) {
    guard !range.isEmpty else { return }
    var low = range.lowerBound
    var high = range.upperBound
    let first = complete.firstIndex { $0.upperBound >= low } ?? complete.endIndex
    var last = first
    while last < complete.endIndex, complete[last].lowerBound <= high {
      low = min(low, complete[last].lowerBound)
      high = max(high, complete[last].upperBound)
      last += 1
    }
    complete.replaceSubrange(first..<last, with: [low..<high])
  }

  /// Takes an interval back, say when what a device sent is deleted.
  package mutating func withdraw(_ range: Range<Instant>) {
    guard !range.isEmpty else { return }
    complete = complete.flatMap { kept -> [Range<Instant>] in
      guard kept.overlaps(range) else { return [kept] }
      let before = kept.lowerBound..<max(kept.lowerBound, min(kept.upperBound, range.lowerBound))
      let after = min(kept.upperBound, max(kept.lowerBound, range.upperBound))..<kept.upperBound
      return [before, after].filter { !$0.isEmpty }
    }
  }

  /// Joins what several senders declared.
  package mutating func formUnion(_ other: Coverage) {
    for range in other.complete { declare(range) }
    newest = [newest, other.newest].compactMap { $0 }.max()
  }

  /// True when the whole interval was declared complete.
  package func contains(_ interval: Range<Instant>) -> Bool {
    complete.contains { $0.lowerBound <= interval.lowerBound && interval.upperBound <= $0.upperBound }
  }

  /// True when nothing more is expected of `interval`: declared complete, or newer samples have arrived after it.
  package func reaches(_ end: Instant, over interval: Range<Instant>) -> Bool {
    if let newest, newest >= end { return true }
    return contains(interval)
  }

  /// How far everything is there: the end of the last complete range, or of the newest sample where that is later.
  package var through: Instant? { [complete.last?.upperBound, newest].compactMap { $0 }.max() }

  /// The parts of `interval` that were never declared complete: what a phone should send again.
  package func missing(in interval: Range<Instant>) -> [Range<Instant>] {
    var gaps: [Range<Instant>] = []
    var place = interval.lowerBound
    for range in complete where range.overlaps(interval) {
      if range.lowerBound > place { gaps.append(place..<range.lowerBound) }
      place = max(place, range.upperBound)
    }
    if place < interval.upperBound { gaps.append(place..<interval.upperBound) }
    return gaps
  }
}
