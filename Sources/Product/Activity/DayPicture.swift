/// What each source did on one day, for the picture of its hours: shares by hour, and when it counted.
package struct DayPicture: Hashable, Sendable {
  package struct Stretch: Hashable, Sendable {
    package let time: Range<Instant>
    /// False: a better source counted the same time.
    package let isCounted: Bool
  }

  package struct Part: Hashable, Sendable {
    package let source: Int32
    /// By hour of the day: what of this source went into the total, and what it would give alone.
    package fileprivate(set) var counted: [Double]
    package fileprivate(set) var alone: [Double]
    /// By time; pieces less than two minutes apart are joined.
    package fileprivate(set) var stretches: [Stretch]
  }

  package let interval: Range<Instant>
  /// The hours of the person's own clock.
  package let slots: [Slot]
  /// Best source first; only those that had something on the day.
  package let parts: [Part]
}

extension Merge {
  /// Shows how the samples of one day shared it. Hours are those of the person's own clock: nil when a sample brings a
  /// zone of its own, since then the day has hours that this clock does not show.
  ///
  /// `samples` must hold those that overlap `window(of: day...day)`. O(n log n) for each source.
  package func picture(of day: CivilDay, _ samples: [Sample]) -> DayPicture? {
    let interval = history.interval(of: day)
    if samples.contains(where: { $0.zone != nil && $0.start < interval.upperBound && $0.end >= interval.lowerBound }) {
      return nil
    }
    let field = MergeField(samples, merge: self)
    let cells = HourCell.cells(of: history.runs(of: day))
    let winners = field.winners()
    var parts: [DayPicture.Part] = []
    for source in field.sources.indices {
      let won = winners.filter { Int(field.ranked[Int($0.rank)].source) == source }
      let alone = field.pieces(of: source)
      var part = DayPicture.Part(
        source: field.sources[source].number, counted: Self.shares(won, field, cells),
        alone: Self.shares(alone, field, cells), stretches: [])
      guard part.alone.contains(where: { $0 > 0 }) else { continue }
      part.stretches = Self.stretches(won: won, alone: alone, in: interval)
      parts.append(part)
    }
    return DayPicture(interval: interval, slots: cells.slots, parts: parts)
  }

  private static func shares(_ pieces: [Piece], _ field: MergeField, _ cells: [HourCell]) -> [Double] {
    var shares = [Double](repeating: 0, count: cells.count)
    for piece in pieces {
      let sample = field.ranked[Int(piece.rank)]
      for (place, cell) in cells.enumerated() {
        if piece.start == piece.end {
          if cell.start <= piece.start, piece.start < cell.end { shares[place] += sample.count }
        } else {
          let overlap = min(piece.end, cell.end) &- max(piece.start, cell.start)
          if overlap > 0 { shares[place] += sample.share(of: overlap) }
        }
      }
    }
    return shares
  }

  private static func stretches(
    won: [Piece], alone: [Piece], in interval: Range<Instant>
  ) -> [DayPicture.Stretch] {
    let counted = joined(won.map { $0.start..<max($0.start, $0.end) })
    let all = joined(alone.map { $0.start..<max($0.start, $0.end) })
    var found = counted.map { DayPicture.Stretch(time: instants($0), isCounted: true) }
    for range in all {
      var place = range.lowerBound
      for taken in counted where taken.upperBound > place && taken.lowerBound < range.upperBound {
        if taken.lowerBound > place {
          found.append(DayPicture.Stretch(time: instants(place..<taken.lowerBound), isCounted: false))
        }
        place = max(place, taken.upperBound)
      }
      if place < range.upperBound {
        found.append(DayPicture.Stretch(time: instants(place..<range.upperBound), isCounted: false))
      }
    }
    return found.compactMap { stretch in
      let time = stretch.time.clamped(to: interval)
      return time.isEmpty ? nil : DayPicture.Stretch(time: time, isCounted: stretch.isCounted)
    }.sorted { $0.time.lowerBound < $1.time.lowerBound }
  }

  private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = joined.last, range.lowerBound &- last.upperBound < 120_000 {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  private static func instants(_ range: Range<Int64>) -> Range<Instant> {
    Instant(milliseconds: range.lowerBound)..<Instant(milliseconds: range.upperBound)
  }
}
