import Activity
import People
import Postgres

enum RecountSQL {
  /// First statement of every transaction that changes a person's data: its row lock makes them one after the other
  /// (storage.md R7). Open pages of the person are told when the transaction commits.
  static let lock = Statement(
    "lock_person",
    """
    UPDATE persons SET ingest_seq = ingest_seq + 1 WHERE person_id = $1 AND erased_at IS NULL
    RETURNING include_manual, zone_since, zone_name, pg_notify('\(ChangeSQL.channel)', person_id::text)
    """, [.int64])

  /// When something changed, for "last update".
  static let noteChange = Statement(
    "note_change", "UPDATE persons SET changed_at = $2 WHERE person_id = $1", [.int64, .instant])

  static let markStale = Statement(
    "mark_stale",
    """
    INSERT INTO stale_days (person_id, type, day, reason)
    SELECT p.person_id, t.type, t.day, $4 FROM persons p, unnest($2::smallint[], $3::date[]) AS t (type, day)
    WHERE p.person_id = $1
    ON CONFLICT (person_id, type, day) DO UPDATE SET reason = greatest(stale_days.reason, excluded.reason)
      WHERE stale_days.reason < excluded.reason
    """, [.int64, .int16s, .dates, .int16])

  /// All counted days from a day on, and two beside them on each side: a change of zone may move steps by 26 hours.
  static let markAllStale = Statement(
    "mark_all_stale",
    """
    INSERT INTO stale_days (person_id, type, day, reason)
    SELECT DISTINCT d.person_id, d.type, d.day + n, $3::smallint FROM day_totals d, generate_series(-2, 2) AS n
    WHERE d.person_id = $1 AND d.day >= $2
    ON CONFLICT (person_id, type, day) DO UPDATE SET reason = greatest(stale_days.reason, excluded.reason)
      WHERE stale_days.reason < excluded.reason
    """, [.int64, .date, .int16])

  /// The newest first: what people look at is right first.
  static let stale = Statement(
    "stale_days",
    "SELECT type, day, reason FROM stale_days WHERE person_id = $1 ORDER BY day DESC LIMIT $2", [.int64, .int64])

  static let countStale = Statement(
    "count_stale_days", "SELECT count(*) FROM stale_days WHERE person_id = $1", [.int64])

  static let clearStale = Statement(
    "clear_stale_days",
    """
    DELETE FROM stale_days s USING unnest($2::smallint[], $3::date[]) AS t (type, day)
    WHERE s.person_id = $1 AND s.type = t.type AND s.day = t.day
    """, [.int64, .int16s, .dates])

  static let all: [(statement: Statement, reach: Reach)] = [
    (lock, .onePerson), (noteChange, .onePerson), (markStale, .onePerson), (markAllStale, .onePerson),
    (stale, .onePerson), (countStale, .onePerson), (clearStale, .onePerson),
  ]
}

/// A person whose data this transaction alone may change, with what counting needs.
struct LockedPerson {
  let id: PersonID
  let now: Instant
  var history: ZoneHistory
  let zones: ZoneTable
  let hasTombstones: Bool
  var numbering: Numbering
  let includeManual: Bool

  /// The owner's date of this moment: days before it are closed.
  var today: CivilDay { history.day(at: now) }

  /// The merge rule with the person's own order of sources.
  var merge: Merge {
    let ordered = numbering.sources.filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
    var priority: [String] = []
    for source in ordered where priority.last != source.source.key { priority.append(source.source.key) }
    return Merge(
      sources: Dictionary(numbering.sources.map { ($0.number, $0.source) }, uniquingKeysWith: { first, _ in first }),
      zones: numbering.zones.compactMapValues { zones.zone(named: $0) }, history: history,
      options: MergeOptions(priority: priority, includeManual: includeManual))
  }
}

extension Store {
  /// Takes the row lock of a person and reads what counting needs, in one round trip. Throws `notFound` for nobody.
  func lock(_ person: PersonID, at now: Instant, in change: Transaction) async throws -> LockedPerson {
    try await lock(person, at: now, in: change) { _ in }.0
  }

  /// The same with more statements in the round trip; their rows come second.
  func lock(
    _ person: PersonID, at now: Instant, in change: Transaction, also build: (inout Pipeline) -> Void
  ) async throws -> (LockedPerson, [Rows]) {
    let own: [Parameter] = [.int64(person.number)]
    let rows = try await change.pipeline {
      $0.add(RecountSQL.lock, own)
      // After the lock: these see what the transaction before us wrote.
      $0.add(SourceSQL.list, own)
      $0.add(SourceSQL.zones, own)
      $0.add(SampleSQL.hasTombstones, own)
      build(&$0)
    }
    let table = zones()
    let zoneNames = try rows[2].map { ($0.int16(0), $0.text(1)) }
    let numbering = Numbering(
      sources: try rows[1].map(StoredSource.init),
      zones: Dictionary(zoneNames, uniquingKeysWith: { first, _ in first }))
    let hasTombstones = try rows[3].first { $0.bool(0) } ?? true
    let found = try rows[0].first { row in
      LockedPerson(
        id: person, now: now,
        history: ZoneHistory(DatedZone.list(since: row.instants(1), names: row.texts(2)), in: table), zones: table,
        hasTombstones: hasTombstones, numbering: numbering, includeManual: row.bool(0))
    }
    guard let found else { throw Problem(.notFound, "There is no such person.") }
    return (found, Array(rows.dropFirst(4)))
  }
}

extension ZoneHistory {
  init(_ zones: [DatedZone], in table: ZoneTable) {
    self.init(zones.map { (since: $0.since, zone: $0.zone) }, in: table)
  }
}
