/// A slot of a day while it is being filled: instants in milliseconds instead of offsets from the day's beginning.
struct HourCell {
  var start: Int64
  var end: Int64
  var hour: Int8
  var turn: Int8
  var share: Double

  /// The hours of a day from its stretches: cut at each full local hour, at each change of the clock and of the zone.
  static func cells(of runs: [ClockRun]) -> [HourCell] {
    var cells: [HourCell] = []
    cells.reserveCapacity(25)
    for run in runs {
      var place = run.start.milliseconds
      while place < run.end.milliseconds {
        let cell = HourCell(around: place, in: run)
        cells.append(cell)
        place = cell.end
      }
    }
    if runs.count > 1 { cells.numberTurns() }
    return cells
  }
}

extension HourCell {
  /// The hour of a stretch that contains an instant.
  init(around place: Int64, in stretch: ClockRun) {
    let offset = Int64(stretch.offset) &* 1000
    let hours = Instant.floorDivide(place &+ offset, by: 3_600_000)
    start = max(hours &* 3_600_000 &- offset, stretch.start.milliseconds)
    end = min((hours &+ 1) &* 3_600_000 &- offset, stretch.end.milliseconds)
    hour = Int8(truncatingIfNeeded: hours &- Int64(stretch.day.number) &* 24)
    turn = 0
    share = 0
  }
}

extension [HourCell] {
  /// Says for each hour how often it came before on this day.
  fileprivate mutating func numberTurns() {
    var seen = [Int8](repeating: 0, count: 24)
    for index in indices {
      let hour = Int(self[index].hour)
      guard seen.indices.contains(hour) else { continue }
      self[index].turn = seen[hour]
      seen[hour] &+= 1
    }
  }

  /// Slots counted from the first instant of the day.
  func slots(from base: Int64) -> [Slot] {
    map {
      Slot(
        start: Int32(clamping: Instant.floorDivide($0.start &- base, by: 1000)),
        length: Int32(clamping: ($0.end &- $0.start) / 1000), hour: $0.hour, turn: $0.turn, share: $0.share)
    }
  }

  var slots: [Slot] { slots(from: first?.start ?? 0) }
}
