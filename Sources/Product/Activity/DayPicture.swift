/// What each device did on one day, for the picture of its hours: shares by hour, and when it counted.
package struct DayPicture: Hashable, Sendable {
  /// A stretch of the day in which a device counted.
  package struct Stretch: Hashable, Sendable {
    package let time: Range<Instant>
    /// False: a better device counted the same time.
    package let isCounted: Bool

    package init(time: Range<Instant>, isCounted: Bool) {
      self.time = time
      self.isCounted = isCounted
    }
  }

  /// What one device brought to the day.
  package struct Part: Hashable, Sendable {
    /// The sources through which it wrote, the best first.
    package let sources: [Int32]
    /// By hour of the day: what of this device went into the total, and what it would give alone.
    package fileprivate(set) var counted: [Double]
    package fileprivate(set) var alone: [Double]
    /// By time; pieces less than two minutes apart are joined.
    package fileprivate(set) var stretches: [Stretch]
  }

  package let interval: Range<Instant>
  /// The hours of the day without shares: those of the person's own clock, and others where a walk had them.
  package let slots: [Slot]
  /// Best first; only those that had something on the day.
  package let parts: [Part]
}

extension Merge {
  /// Shows how the samples of one day shared it; nil when none touches it. A walk in a zone of its own stands in the hours
  /// of its own clock, as in the day's total.
  ///
  /// `devices`: sources that are one device, which two feeds tell of the same steps; any other source is a device of its own.
  /// `samples` must hold those that overlap `window(of: day...day)`. O(n log n), and some hours' work for each device.
  package func picture(of day: CivilDay, _ samples: [Sample], devices: [[Int32]] = []) -> DayPicture? {
    let field = MergeField(samples, merge: self)
    let winners = field.winners()
    let slots = slots(of: day, winners, field)
    guard !slots.isEmpty else { return nil }
    var parts: [DayPicture.Part] = []
    var wonBySource = [[Piece]](repeating: [], count: field.sources.count)
    for piece in winners { wonBySource[Int(field.ranked[Int(piece.rank)].source)].append(piece) }
    for group in Self.groups(devices, of: field) {
      let won = group.flatMap { wonBySource[$0] }
      let alone = group.count == 1 ? field.pieces(of: group[0]) : field.pieces(of: Set(group))
      var part = DayPicture.Part(
        sources: group.map { field.sources[$0].number }, counted: shares(self.slots(of: day, won, field), at: slots),
        alone: shares(self.slots(of: day, alone, field), at: slots), stretches: [])
      guard part.alone.contains(where: { $0 > 0 }) else { continue }
      part.stretches = Self.stretches(won: won, alone: alone, in: history.interval(of: day))
      parts.append(part)
    }
    let empty = slots.map { slot in
      var empty = slot
      empty.share = 0
      return empty
    }
    return DayPicture(interval: history.interval(of: day), slots: empty, parts: parts)
  }

  /// Places of sources in the field, those of one device together.
  private static func groups(_ devices: [[Int32]], of field: MergeField) -> [[Int]] {
    var groups: [[Int]] = []
    var groupOfDevice: [Int: Int] = [:]
    for (place, source) in field.sources.enumerated() {
      let device = devices.firstIndex { $0.contains(source.number) }
      if let known = device.flatMap({ groupOfDevice[$0] }) {
        groups[known].append(place)
      } else {
        if let device { groupOfDevice[device] = groups.count }
        groups.append([place])
      }
    }
    return groups
  }

  private func slots(of day: CivilDay, _ pieces: [Piece], _ field: MergeField) -> [Slot] {
    var ledger = DayLedger(history: history, wanted: day...day)
    ledger.add(pieces, of: field)
    return ledger.totals(of: field)[day]?.slots ?? []
  }

  private func shares(_ slots: [Slot], at places: [Slot]) -> [Double] {
    places.map { place in slots.first { $0.start == place.start && $0.code == place.code }?.share ?? 0 }
  }

  private static func stretches(
    won: [Piece], alone: [Piece], in interval: Range<Instant>
  ) -> [DayPicture.Stretch] {
    let counted = joined(won.map { $0.start..<max($0.start, $0.end) })
    let all = joined(alone.map { $0.start..<max($0.start, $0.end) })
    var found = counted.map { DayPicture.Stretch(time: instants($0), isCounted: true) }
    var first = 0
    for range in all {
      var place = range.lowerBound
      // Both lists come by time and do not overlap within themselves: what ends before this range is done with.
      while first < counted.count, counted[first].upperBound <= range.lowerBound { first += 1 }
      for taken in counted[first...].prefix(while: { $0.lowerBound < range.upperBound })
      where taken.upperBound > place {
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
