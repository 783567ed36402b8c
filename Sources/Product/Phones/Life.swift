package import Activity

/// Steps that one device counted at a stretch.
package struct Walk: Hashable, Sendable {
  /// The id that HealthKit would give it, two halves of a UUID.
  package var id: SampleKey
  package var device: Device
  package var start: Instant
  package var end: Instant
  package var count: Int
  /// When it reached the phone's store.
  package var recorded: Instant
  /// When it was deleted there; nil if it still is there.
  package var deleted: Instant?

  /// The id as text, upper case like HealthKit's.
  package var uuid: String { id.uuid }
}

extension SampleKey {
  /// The notation of UUIDs, upper case.
  var uuid: String {
    var text = ""
    let digits = Array("0123456789ABCDEF")
    for place in 0..<32 {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      let half = place < 16 ? high : low
      text.append(digits[Int(half >> UInt64(60 - 4 * (place % 16)) & 15)])
    }
    return text
  }
}

/// What a scenario comes to at a given moment: everything that the person's phone has seen until then.
package struct Life: Sendable {
  package let scenario: Scenario
  package let now: Instant
  package let today: CivilDay
  /// Where the person was, as Settings wants it; the first entry holds from the beginning.
  package let zones: [(since: Instant?, zone: String)]
  package let history: ZoneHistory
  /// The days for which the person paused the rings.
  package let pauses: [ClosedRange<CivilDay>]
  /// Everything counted until now, by start. Some may reach the phone later (`recorded`) or be gone again (`deleted`).
  package let walks: [Walk]
  /// Oldest first; today's as it stands now.
  package let summaries: [ActivitySummary]
  /// The home zone alone, by which a scenario finds the days on which the clock changes.
  let home: ZoneHistory

  package var firstDay: CivilDay { today - (scenario.length - 1) }

  /// What the phone's store holds at a moment, by start.
  package func walks(heldAt moment: Instant) -> [Walk] {
    walks.filter { $0.recorded <= moment && !($0.deleted.map { $0 <= moment } ?? false) }
  }

  /// The rings of a day as the phone knew them at an earlier moment; nil if it knew none. What the watch hands over late comes late.
  package func summary(of day: CivilDay, at moment: Instant) -> ActivitySummary? {
    guard day >= firstDay, day <= today else { return nil }
    let changes = scenario.changes(on: day, today: today, clock: home)
    guard !changes.contains(.nothing) else { return nil }
    var known = min(moment, now)
    for case .late(let hours) in changes { known = known.advanced(hours: -hours) }
    guard known > history.firstInstant(of: day) else { return nil }
    let played = PlayedDay(scenario, day, today: today, now: known, history: history, changes: changes)
    var summary = played.summary()
    summary.paused = pauses.contains { $0.contains(day) }
    return summary
  }

  /// The rings that the phone shows at `through` and did not show so at `after` (nil: before everything), oldest first.
  package func summaries(after: Instant?, through: Instant) -> [ActivitySummary] {
    var latest = 0
    for case .late(let hours) in scenario.rules.map(\.change) { latest = max(latest, hours) }
    let reach = latest / 24 + 2
    let first = max(firstDay, after.map { history.day(at: $0) - reach } ?? firstDay)
    let last = min(today, history.day(at: through))
    guard first <= last else { return [] }
    return (first...last).compactMap { day in
      let summary = summary(of: day, at: through)
      return after.flatMap { self.summary(of: day, at: $0) } == summary ? nil : summary
    }
  }

  /// What changed in the phone's store after one moment and up to another: what an anchored query would give.
  package func changes(after: Instant, through: Instant) -> (added: [Walk], deleted: [Walk]) {
    let added = walks.filter { walk in
      walk.recorded > after && walk.recorded <= through && !(walk.deleted.map { $0 <= through } ?? false)
    }
    let deleted = walks.filter { walk in
      guard let gone = walk.deleted else { return false }
      return gone > after && gone <= through && walk.recorded <= after
    }
    return (added, deleted)
  }
}

extension Scenario {
  /// Plays the scenario up to `now`. Zones that the table lacks count as UTC.
  package func play(until now: Instant, in table: ZoneTable) -> Life {
    let home = ZoneHistory([(since: nil, zone: self.home)], in: table)
    let today = home.day(at: now)
    var zones: [(since: Instant?, zone: String)] = [(nil, self.home)]
    for trip in trips {
      let away = ZoneHistory([(since: nil, zone: trip.zone)], in: table)
      zones.append((home.firstInstant(of: today + trip.days.lowerBound).advanced(hours: 10), trip.zone))
      zones.append((away.firstInstant(of: today + trip.days.upperBound).advanced(hours: 12), self.home))
    }
    let history = ZoneHistory(zones, in: table)
    var walks: [Walk] = []
    var summaries: [ActivitySummary] = []
    let actualToday = history.day(at: now)
    for day in (actualToday - (length - 1))...actualToday {
      let changes = changes(on: day, today: actualToday, clock: home)
      if changes.contains(.nothing) { continue }
      var played = PlayedDay(self, day, today: actualToday, now: now, history: history, changes: changes)
      played.flights = zones.compactMap(\.since)
      walks += played.walks()
      summaries.append(played.summary())
    }
    return Life(
      scenario: self, now: now, today: actualToday, zones: zones, history: history,
      pauses: pauses.map { (actualToday + $0.lowerBound)...(actualToday + $0.upperBound) },
      walks: walks.sorted { ($0.start, $0.device.rawValue, $0.id) < ($1.start, $1.device.rawValue, $1.id) },
      summaries: summaries, home: home)
  }
}
