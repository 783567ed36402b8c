package import Activity
package import Consent
package import People
import Postgres

enum SettingsSQL {
  static let look = Statement(
    "change_look",
    """
    UPDATE persons SET display_name = coalesce($2, display_name), week_start = coalesce($3, week_start),
      theme = coalesce($4, theme), language = coalesce($5, language) WHERE person_id = $1
    """, [.int64, .text, .int16, .int16, .text])

  static let zones = Statement(
    "change_zones", "UPDATE persons SET zone_since = $2, zone_name = $3 WHERE person_id = $1",
    [.int64, .instants, .texts])

  static let standingZones = Statement(
    "standing_zones", "SELECT zone_since, zone_name FROM persons WHERE person_id = $1", [.int64])

  static let manual = Statement(
    "change_manual", "UPDATE persons SET include_manual = $2 WHERE person_id = $1", [.int64, .bool])

  static let login = Statement("login", "SELECT login FROM accounts WHERE person_id = $1", [.int64])

  static let all: [(statement: Statement, reach: Reach)] = [
    (look, .onePerson), (zones, .onePerson), (standingZones, .onePerson), (manual, .onePerson), (login, .onePerson),
  ]
}

/// Changing the zone, the order of sources or whether typed steps count makes days stale. A job counts them again, newest
/// first, at once: merging years of samples would hold up everybody else on a page's loop. Each answers whether there is
/// anything to count.
extension Store {
  /// Display name, start of week, theme, language: whatever is not nil. Throws `invalid` for a name that cannot be.
  package func changeLook(
    _ permit: WritePermit, displayName: String? = nil, weekStart: WeekStart? = nil, theme: Theme? = nil,
    language: String? = nil
  ) async throws(Problem) {
    let name = displayName.map(AccountRules.displayName)
    if case .some(nil) = name { throw Problem(.invalid, "A name has 1 to 100 characters.") }
    _ = try await query(
      SettingsSQL.look,
      [
        .int64(permit.owner.number), .optional(name ?? nil), .optional(weekStart?.rawValue), .optional(theme?.rawValue),
        .optional(language),
      ])
  }

  /// From `since` on the person lives in `zone`; later entries go. `nil` replaces the whole history by this one zone.
  /// Throws `invalid` for a zone that the zone data lacks.
  @discardableResult
  package func changeZone(_ permit: WritePermit, to zone: String, since: Instant?) async throws(Problem) -> Bool {
    guard zones().zone(named: zone) != nil else {
      throw Problem(.invalid, "This time zone is not known here. Choose one from the list.")
    }
    return try await changeAndCount(permit, .zone) { person, change in
      let standing = try await change.query(SettingsSQL.standingZones, [.int64(permit.owner.number)])
      let old = try standing.first { DatedZone.list(since: $0.instants(0), names: $0.texts(1)) } ?? []
      let new = old.changed(to: zone, since: since)
      guard new != old else { return nil }
      _ = try await change.query(
        SettingsSQL.zones,
        [
          .int64(permit.owner.number), .instants(new.map { $0.since?.microseconds ?? .min }),
          .texts(new.map(\.zone)),
        ])
      return since.map { person.history.day(at: $0) - 1 } ?? CivilDay(number: -100_000)
    }
  }

  /// Whether steps typed by hand count.
  @discardableResult
  package func changeManual(_ permit: WritePermit, counts: Bool) async throws(Problem) -> Bool {
    try await changeAndCount(permit, .merged) { person, change in
      guard person.includeManual != counts else { return nil }
      _ = try await change.query(SettingsSQL.manual, [.int64(permit.owner.number), .bool(counts)])
      return CivilDay(number: -100_000)
    }
  }

  /// The person's own order of source keys, best first; sources that are not named rank after these by class. Empty: the
  /// default order. Keys that nobody sent are ignored.
  @discardableResult
  package func changeSourceOrder(_ permit: WritePermit, keys: [String]) async throws(Problem) -> Bool {
    guard keys.count <= 1_000 else { throw Problem(.invalid, "That is more than 1,000 sources.", limit: 1_000) }
    return try await changeAndCount(permit, .merged) { _, change in
      let ordered = try await change.query(SourceSQL.order, [.int64(permit.owner.number), .texts(keys)])
      return ordered.affected > 0 ? CivilDay(number: -100_000) : nil
    }
  }

  /// Runs `apply` under the person's lock; it answers from which day on totals may differ, nil for none.
  private func changeAndCount(
    _ permit: WritePermit, _ reason: DayRevision.Reason,
    _ apply: (LockedPerson, Transaction) async throws -> CivilDay?
  ) async throws(Problem) -> Bool {
    let now = clock.now()
    let job = Job.recountParameters(permit.owner, at: now)
    return try await transaction(.upload) { change -> Bool in
      let person = try await self.lock(permit.owner, at: now, in: change)
      guard let first = try await apply(person, change) else { return false }
      _ = try await change.commit {
        $0.add(
          RecountSQL.markAllStale,
          [.int64(permit.owner.number), .date(first.number), .int16(reason.rawValue)])
        $0.add(JobSQL.ask, job)
      }
      return true
    }
  }
}

extension [DatedZone] {
  /// The history with `zone` from `since` on; neighbours of the same zone become one.
  func changed(to zone: String, since: Instant?) -> [DatedZone] {
    guard let since else { return [DatedZone(since: nil, zone: zone)] }
    var zones = filter { entry in entry.since.map { $0 < since } ?? true }
    if zones.isEmpty { return [DatedZone(since: nil, zone: zone)] }
    if zones.last?.zone != zone { zones.append(DatedZone(since: since, zone: zone)) }
    return zones
  }
}
