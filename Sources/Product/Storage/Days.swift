import Activity
import People
import Postgres

enum DaySQL {
  static let upsert = Statement(
    "upsert_day",
    """
    INSERT INTO day_totals (person_id, type, day, exact, shown, flags, revision, slot_share, slot_start, slot_length,
      slot_code, source_id, source_counted, source_hidden)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    ON CONFLICT (person_id, type, day) DO UPDATE SET exact = excluded.exact, shown = excluded.shown,
      flags = excluded.flags, revision = excluded.revision, slot_share = excluded.slot_share,
      slot_start = excluded.slot_start, slot_length = excluded.slot_length, slot_code = excluded.slot_code,
      source_id = excluded.source_id, source_counted = excluded.source_counted, source_hidden = excluded.source_hidden
    """,
    [
      .int64, .int16, .date, .double, .int32, .int16, .int32, .doubles, .int32s, .int32s, .int16s, .int16s, .doubles,
      .doubles,
    ])

  static let remove = Statement(
    "remove_days", "DELETE FROM day_totals WHERE person_id = $1 AND type = $2 AND day = ANY ($3)",
    [.int64, .int16, .dates])

  /// What stands on these days now; $3 first and $4 last day.
  static let standing = Statement(
    "standing_days",
    """
    SELECT day, shown, revision, exact, flags, slot_share, slot_start, slot_length, slot_code, source_id, source_counted,
      source_hidden
    FROM day_totals WHERE person_id = $1 AND type = $2 AND day BETWEEN $3 AND $4
    """, [.int64, .int16, .date, .date])

  /// The last number that a day's revisions have used; also of days that have no total any more.
  static let lastRevisions = Statement(
    "last_revisions",
    """
    SELECT day, max(revision) FROM day_revisions WHERE person_id = $1 AND type = $2 AND day BETWEEN $3 AND $4 GROUP BY day
    """, [.int64, .int16, .date, .date])

  static let addRevisions = Statement(
    "add_revisions",
    """
    INSERT INTO day_revisions (person_id, type, day, revision, at, old, new, reason)
    SELECT p.person_id, $2, t.day, t.revision, $3, t.old, t.new, t.reason FROM persons p,
      unnest($4::date[], $5::integer[], $6::integer[], $7::integer[], $8::smallint[]) AS t (day, revision, old, new, reason)
    WHERE p.person_id = $1 ON CONFLICT DO NOTHING
    """, [.int64, .int16, .instant, .dates, .int32s, .int32s, .int32s, .int16s])

  static let all: [(statement: Statement, reach: Reach)] = [
    (upsert, .onePerson), (remove, .onePerson), (standing, .onePerson), (lastRevisions, .onePerson),
    (addRevisions, .onePerson),
  ]
}

extension DayTotal {
  /// Whether the hours are the 24 full ones of a plain day, which need no lists of their own.
  var isPlain: Bool {
    slots.count == 24
      && slots.enumerated().allSatisfy { $1.start == Int32($0 * 3600) && $1.length == 3600 && $1.code == Int16($0) }
  }

  /// Parameters of `DaySQL.upsert`.
  func parameters(person: PersonID, type: DataType, day: CivilDay, revision: Int32) -> [Parameter] {
    [
      .int64(person.number), .int16(type.rawValue), .date(day.number), .double(exact), .int32(Int32(clamping: shown)),
      .int16(flags.rawValue), .int32(revision), .doubles(slots.map(\.share)),
      isPlain ? .null : .int32s(slots.map(\.start)), isPlain ? .null : .int32s(slots.map(\.length)),
      isPlain ? .null : .int16s(slots.map(\.code)), .int16s(bySource.map { Int16(truncatingIfNeeded: $0.source) }),
      .doubles(bySource.map(\.counted)), .doubles(bySource.map(\.hidden)),
    ]
  }

  /// Columns `first`… of a row: exact, flags, slot_share, slot_start, slot_length, slot_code, source_id, source_counted,
  /// source_hidden.
  init(_ row: Row, from first: Int) {
    let sources = zip(row.int16s(first + 6), zip(row.doubles(first + 7), row.doubles(first + 8)))
    self.init(
      exact: row.double(first), slots: [Slot](row, from: first + 2),
      bySource: sources.map { SourceCount(source: Int32($0), counted: $1.0, hidden: $1.1) },
      flags: DayFlags(rawValue: row.int16(first + 1)))
  }
}

extension [Slot] {
  /// Columns `first`… of a row: slot_share, slot_start, slot_length, slot_code.
  init(_ row: Row, from first: Int) {
    let shares = row.doubles(first)
    guard !row.isNull(first + 1) else {
      self = shares.enumerated().map {
        Slot(
          start: Int32(truncatingIfNeeded: $0 &* 3600), length: 3600, hour: Int8(truncatingIfNeeded: $0), share: $1)
      }
      return
    }
    self = zip(zip(shares, row.int16s(first + 3)), zip(row.int32s(first + 1), row.int32s(first + 2))).map {
      Slot(start: $1.0, length: $1.1, code: $0.1, share: $0.0)
    }
  }
}
