package import Activity

/// Everything that a day's page shows, as plain values.
package struct DayInput: Sendable {
  package var entry: DayEntry
  package var today: CivilDay
  package var firstDay: CivilDay?
  /// The local hours with their shares; empty when nothing is stored.
  package var slots: [Slot]
  package var devices: [DayDevice]
  /// First instant of the day and the one after its end.
  package var interval: Range<Instant>
  package var changes: [DayChange]
  /// From when the goal for steps holds, and the one before it.
  package var goalSince: CivilDay?
  package var goalBefore: Double?
  /// False when the day has too many samples for the picture of who counted when.
  package var hasPicture = true

  package init(
    entry: DayEntry, today: CivilDay, firstDay: CivilDay?, slots: [Slot], devices: [DayDevice],
    interval: Range<Instant>, changes: [DayChange], goalSince: CivilDay? = nil, goalBefore: Double? = nil
  ) {
    self.entry = entry
    self.today = today
    self.firstDay = firstDay
    self.slots = slots
    self.devices = devices
    self.interval = interval
    self.changes = changes
    self.goalSince = goalSince
    self.goalBefore = goalBefore
  }
}

/// One device, whatever sources it wrote through, and what it did on the day.
package struct DayDevice: Sendable {
  package var name: String
  package var sourceClass: SourceClass
  package var counted: Double
  /// Left out because a better device counted the same time.
  package var hidden: Double
  /// By hour; empty when the hours cannot be told apart (a walk in another zone).
  package var countedByHour: [Double]
  package var aloneByHour: [Double]
  package var stretches: [DayPicture.Stretch]

  package init(
    name: String, sourceClass: SourceClass, counted: Double, hidden: Double, countedByHour: [Double] = [],
    aloneByHour: [Double] = [], stretches: [DayPicture.Stretch] = []
  ) {
    self.name = name
    self.sourceClass = sourceClass
    self.counted = counted
    self.hidden = hidden
    self.countedByHour = countedByHour
    self.aloneByHour = aloneByHour
    self.stretches = stretches
  }

  /// What the device would give alone.
  var alone: Double { counted + hidden }

  /// Joins everything beyond the fourth device.
  package static func grouped(_ devices: [DayDevice], others: String) -> [DayDevice] {
    var groups: [DayDevice] = []
    for device in devices {
      if groups.count < 4 {
        groups.append(device)
      } else {
        groups[3].name = others
        groups[3].add(device)
      }
    }
    return groups
  }

  private mutating func add(_ other: DayDevice) {
    counted += other.counted
    hidden += other.hidden
    countedByHour = DayDevice.sum(countedByHour, other.countedByHour)
    aloneByHour = DayDevice.sum(aloneByHour, other.aloneByHour)
    stretches = (stretches + other.stretches).sorted { $0.time.lowerBound < $1.time.lowerBound }
  }

  private static func sum(_ one: [Double], _ other: [Double]) -> [Double] {
    if one.isEmpty { return other }
    return other.isEmpty ? one : zip(one, other).map { $0 + $1 }
  }
}

/// How the day's number changed after it was over.
package struct DayChange: Sendable {
  /// Why a number that was shown has changed.
  package enum Reason: String, Sendable, CaseIterable {
    case late, merged, zone, moved, corrected, deleted
  }
  package var at: LocalTime
  package var old: Int
  package var new: Int?
  package var reason: Reason

  package init(at: LocalTime, old: Int, new: Int?, reason: Reason) {
    self.at = at
    self.old = old
    self.new = new
    self.reason = reason
  }
}
