/// A stretch of time in which a person's clock runs evenly within one date: it ends at midnight, when the zone changes
/// its offset, or when the person changes the zone.
package struct ClockRun: Hashable, Sendable {
  package var start: Instant
  package var end: Instant
  /// Seconds east of Greenwich.
  package var offset: Int32
  package var day: CivilDay
}

/// The zones in which a person lived, each from an instant on (merge.md 5.1): decides on which date an instant falls.
package struct ZoneHistory: Hashable, Sendable {
  private var since: [Instant]
  private var zones: [ZoneRules]

  package init(_ zone: ZoneRules) {
    since = [Instant(milliseconds: .min)]
    zones = [zone]
  }

  /// The earliest entry holds for all time before it, too; nil means "always". Without entries it is UTC.
  package init(_ entries: [(since: Instant?, zone: ZoneRules)]) {
    let sorted = (entries.isEmpty ? [(since: nil, zone: .utc)] : entries).enumerated().sorted {
      let one = $0.element.since?.milliseconds ?? .min
      let other = $1.element.since?.milliseconds ?? .min
      return (one, $0.offset) < (other, $1.offset)
    }
    since = sorted.map { $0.element.since ?? Instant(milliseconds: .min) }
    zones = sorted.map(\.element.zone)
  }

  /// Names as they are stored; an unknown one is left out, so that the zone before it goes on.
  package init(_ entries: [(since: Instant?, zone: String)], in table: ZoneTable) {
    self.init(
      entries.compactMap { entry in table.zone(named: entry.zone).map { (since: entry.since, zone: $0) } })
  }

  /// The person is somewhere else from `instant` on; what was noted for later is forgotten.
  package mutating func append(_ zone: ZoneRules, since instant: Instant) {
    while since.count > 1, let last = since.last, last >= instant {
      since.removeLast()
      zones.removeLast()
    }
    guard zones.last?.name != zone.name else { return }
    since.append(instant)
    zones.append(zone)
  }

  package func zone(at instant: Instant) -> ZoneRules { zones[entry(at: instant)] }

  package func offset(at instant: Instant) -> Int32 { zone(at: instant).offset(at: instant.seconds) }

  package func day(at instant: Instant) -> CivilDay { zone(at: instant).day(at: instant) }

  /// The even stretch around an instant. A change of zone that does not move the clock is no border.
  package func run(at instant: Instant) -> ClockRun {
    let here = entry(at: instant)
    var run = zones[here].run(at: instant)
    if zones.count > 1 {
      extendBack(&run, from: here)
      extendAhead(&run, from: here)
    }
    return run
  }

  private func extendBack(_ run: inout ClockRun, from entry: Int) {
    var place = entry
    while place > 0, run.start < since[place] {
      run.start = since[place]
      let earlier = zones[place - 1].run(at: run.start.advanced(milliseconds: -1))
      guard earlier.offset == run.offset, earlier.day == run.day else { return }
      run.start = earlier.start
      place -= 1
    }
  }

  private func extendAhead(_ run: inout ClockRun, from entry: Int) {
    var place = entry + 1
    while place < since.count, since[place] < run.end {
      run.end = since[place]
      let later = zones[place].run(at: run.end)
      guard later.offset == run.offset, later.day == run.day else { return }
      run.end = later.end
      place += 1
    }
  }

  /// All stretches with this date, in order: one on a plain day, more where the clock changes or the person travels,
  /// none where the date does not exist (Samoa, 30 December 2011).
  package func runs(of day: CivilDay) -> [ClockRun] {
    let end = Int64(day.number) &* 86_400_000 &+ 86_400_000 &+ ZoneHistory.widest
    var found: [ClockRun] = []
    var run = firstRun(from: day) { $0.day >= day }
    while true {
      if run.day == day { found.append(run) }
      guard run.end.milliseconds < end, run.end > run.start else { return found }
      run = self.run(at: run.end)
    }
  }

  /// The first stretch that any place can have with this date or later and that satisfies a condition.
  private func firstRun(from day: CivilDay, where fits: (ClockRun) -> Bool) -> ClockRun {
    var run = run(at: Instant(milliseconds: Int64(day.number) &* 86_400_000 &- ZoneHistory.widest))
    while !fits(run), run.end > run.start, run.day <= day { run = self.run(at: run.end) }
    return run
  }

  /// The first instant with this date, or with a later one where the date does not exist.
  package func firstInstant(of day: CivilDay) -> Instant { interval(of: day).lowerBound }

  /// From the first instant with this date to the end of the last stretch with it; empty where the date does not exist.
  package func interval(of day: CivilDay) -> Range<Instant> {
    let runs = runs(of: day)
    if let first = runs.first, let last = runs.last { return first.start..<last.end }
    let later = firstRun(from: day) { $0.day > day }
    return later.start..<later.start
  }

  /// Milliseconds that the date lasts: 23 or 25 hours where the clock changes, other lengths when travelling.
  package func length(of day: CivilDay) -> Int64 {
    runs(of: day).reduce(0) { $0 &+ $1.end.milliseconds(since: $1.start) }
  }

  /// The local hours of a day without shares: what a chart of the day stands on.
  package func slots(of day: CivilDay) -> [Slot] { HourCell.cells(of: runs(of: day)).slots }

  /// The dates that any instant of [from, to] has, at least.
  package func days(from: Instant, through to: Instant) -> ClosedRange<CivilDay> {
    var run = run(at: from)
    var days = run.day...run.day
    while run.end <= to {
      let next = self.run(at: run.end)
      guard next.end > run.end else { break }
      run = next
      days = min(days.lowerBound, run.day)...max(days.upperBound, run.day)
    }
    return days
  }

  /// No place is further from Greenwich, in milliseconds (RFC 9636: 26 hours).
  private static let widest: Int64 = 26 * 3_600_000

  /// Position of the entry in force.
  private func entry(at instant: Instant) -> Int {
    var found = since.count - 1
    while found > 0, since[found] > instant { found -= 1 }
    return found
  }
}
