import Activity
import People
import Postgres

enum SummarySQL {
  static let columns =
    "day, move_mode, move, move_goal, exercise, exercise_goal, stand, stand_goal, paused"

  static let range = Statement(
    "summaries",
    "SELECT \(columns) FROM activity_summaries WHERE person_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day",
    [.int64, .date, .date])

  /// The last one received stands (merge.md 9.1).
  static let upsert = Statement(
    "upsert_summaries",
    """
    INSERT INTO activity_summaries (person_id, client_id, received_at, \(columns))
    SELECT p.person_id, $2, $3, t.* FROM persons p, unnest($4::date[], $5::smallint[], $6::double precision[],
      $7::double precision[], $8::double precision[], $9::double precision[], $10::double precision[],
      $11::double precision[], $12::boolean[]) AS t (\(columns))
    WHERE p.person_id = $1
    ON CONFLICT (person_id, day) DO UPDATE SET client_id = excluded.client_id, received_at = excluded.received_at,
      move_mode = excluded.move_mode, move = excluded.move, move_goal = excluded.move_goal,
      exercise = excluded.exercise, exercise_goal = excluded.exercise_goal, stand = excluded.stand,
      stand_goal = excluded.stand_goal, paused = excluded.paused
    """,
    [
      .int64, .int64, .instant, .dates, .int16s, .doubles, .doubles, .doubles, .doubles, .doubles, .doubles, .bools,
    ])

  /// An empty summary takes the day's row away (merge.md 9.5).
  static let remove = Statement(
    "remove_summaries", "DELETE FROM activity_summaries WHERE person_id = $1 AND day = ANY ($2)", [.int64, .dates])

  /// A full export holds only these days of its own (merge.md 8.4).
  static let keepOnly = Statement(
    "keep_summaries",
    "DELETE FROM activity_summaries WHERE person_id = $1 AND client_id = $2 AND NOT day = ANY ($3) RETURNING day",
    [.int64, .int64, .dates])

  static let all: [(statement: Statement, reach: Reach)] = [
    (range, .onePerson), (upsert, .onePerson), (remove, .onePerson), (keepOnly, .onePerson),
  ]
}

extension ActivitySummary {
  /// A row of `SummarySQL.columns`.
  init(_ row: Row, from first: Int = 0) {
    func ring(_ column: Int) -> RingValue? {
      row.optionalDouble(first + column).map { RingValue(value: $0, goal: row.optionalDouble(first + column + 1)) }
    }
    self.init(
      day: CivilDay(number: row.date(first)), moveMode: MoveMode(rawValue: row.int16(first + 1)) ?? .energy,
      move: ring(2), exercise: ring(4), stand: ring(6), paused: row.bool(first + 8))
  }

  /// Adds the statements that store a batch's summaries; of several for one day the last stands. Answers the days.
  static func write(
    _ summaries: [ActivitySummary], of person: PersonID, client: ClientID, at now: Instant,
    into pipeline: inout Pipeline
  ) -> Set<CivilDay> {
    let last = Dictionary(summaries.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
    let kept = last.values.filter { !$0.isEmpty }.sorted { $0.day < $1.day }
    let empty = last.values.filter(\.isEmpty).map(\.day.number)
    if !empty.isEmpty { pipeline.add(SummarySQL.remove, [.int64(person.number), .dates(empty)]) }
    if !kept.isEmpty {
      pipeline.add(
        SummarySQL.upsert,
        [
          .int64(person.number), .int64(client.number), .instant(now.microseconds), .dates(kept.map(\.day.number)),
          .int16s(kept.map(\.moveMode.rawValue)), .doublesOrNil(kept.map { $0.move?.value }),
          .doublesOrNil(kept.map { $0.move?.goal }), .doublesOrNil(kept.map { $0.exercise?.value }),
          .doublesOrNil(kept.map { $0.exercise?.goal }), .doublesOrNil(kept.map { $0.stand?.value }),
          .doublesOrNil(kept.map { $0.stand?.goal }), .bools(kept.map(\.paused)),
        ])
    }
    return Set(last.keys)
  }
}
