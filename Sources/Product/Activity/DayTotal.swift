/// What a stored day says about itself. Raw values are stored.
package struct DayFlags: OptionSet, Hashable, Sendable {
  package let rawValue: Int16
  package init(rawValue: Int16) { self.rawValue = rawValue }

  /// More than 7 days old and still not covered to its end.
  package static let incomplete = DayFlags(rawValue: 1)
  /// Shows more than 100,000.
  package static let implausible = DayFlags(rawValue: 2)
  /// A part was typed by hand.
  package static let manualPart = DayFlags(rawValue: 4)
}

/// A local hour of a day, or the part of one that lies on one side of a change of clock.
package struct Slot: Hashable, Sendable {
  /// Seconds from the first instant of the day (`ZoneHistory.firstInstant(of:)`).
  package var start: Int32
  /// Seconds; 3600 for a full hour.
  package var length: Int32
  /// 0…23 by the local clock.
  package var hour: Int8
  /// How often this hour came before on this day: 0, or 1 for the `02b` of a day of 25 hours.
  package var turn: Int8
  /// The exact share; pages print its rounded value and never add slots.
  package var share: Double

  @inlinable
  package init(start: Int32, length: Int32, hour: Int8, turn: Int8 = 0, share: Double) {
    self.start = start
    self.length = length
    self.hour = hour
    self.turn = turn
    self.share = share
  }

  /// Hour and turn in one number to store: hour + 32·turn.
  package var code: Int16 { Int16(hour) &+ 32 &* Int16(turn) }

  package init(start: Int32, length: Int32, code: Int16, share: Double) {
    self.init(
      start: start, length: length, hour: Int8(truncatingIfNeeded: code & 31),
      turn: Int8(truncatingIfNeeded: code >> 5), share: share)
  }

  /// `07`, and `02b` for a repeated hour.
  package var label: String {
    let letters = ["", "b", "c", "d"]
    let suffix = letters[min(max(Int(turn), 0), 3)]
    return (hour < 10 ? "0" : "") + String(hour) + suffix
  }
}

/// What one source counted on a day, and what of it was left out because a better one counted the same minutes.
/// counted + hidden is what the source alone would give.
package struct SourceCount: Hashable, Sendable {
  package var source: Int32
  package var counted: Double
  package var hidden: Double

  @inlinable
  package init(source: Int32, counted: Double, hidden: Double) {
    self.source = source
    self.counted = counted
    self.hidden = hidden
  }
}

/// The merged total of one type on one day.
package struct DayTotal: Hashable, Sendable {
  package var exact: Double
  /// Every hour of the day in order, also those without steps.
  package var slots: [Slot]
  /// Best source first.
  package var bySource: [SourceCount]
  package var flags: DayFlags

  package init(exact: Double, slots: [Slot] = [], bySource: [SourceCount] = [], flags: DayFlags = []) {
    self.exact = exact
    self.slots = slots
    self.bySource = bySource
    self.flags = flags
  }

  /// The one integer that every page, week and export uses.
  package var shown: Int { shownSteps(exact) }
}
