package import Activity
import Bytes
package import Consent
package import People
import Postgres

enum ImportSQL {
  static let columns = """
    import_id, name, bytes, position, state, stored, greatest(0, duplicate - stored_before), refused, summaries, removed,
    days, started_at, ended_at, problem, records, first_at, last_at,
    (SELECT count(*) FROM stale_days s WHERE s.person_id = $1 AND imports.state = 2)
    """

  static let add = Statement(
    "add_import",
    """
    INSERT INTO imports (person_id, import_id, name, bytes, started_at, state)
    SELECT p.person_id, $2, $3, $4, $5, 0 FROM persons p WHERE p.person_id = $1 ON CONFLICT DO NOTHING
    """, [.int64, .int64, .text, .int64, .instant])

  static let cancel = Statement(
    "cancel_import",
    "UPDATE imports SET state = 5, ended_at = $3 WHERE person_id = $1 AND import_id = $2 AND state < 3",
    [.int64, .int64, .instant])

  /// Is another import of this person under way?
  static let other = Statement(
    "other_import",
    "SELECT EXISTS (SELECT FROM imports WHERE person_id = $1 AND import_id <> $2 AND state IN (1, 2))",
    [.int64, .int64])

  /// A writer takes the import: those before it have lost it. Counts begin anew except what is stored for good.
  /// A claim has a number of its own, so the same one may begin twice: a repeat after an answer that was lost.
  static let begin = Statement(
    "begin_import",
    """
    UPDATE imports SET attempt = $3, state = greatest(state, 1::smallint),
      stored_before = CASE WHEN state = 2 THEN stored_before ELSE stored END,
      duplicate = CASE WHEN state = 2 THEN duplicate ELSE 0 END, refused = CASE WHEN state = 2 THEN refused ELSE 0 END,
      summaries = CASE WHEN state = 2 THEN summaries ELSE 0 END, slice = 0, records = CASE WHEN state = 2 THEN records ELSE 0 END,
      position = CASE WHEN state = 2 THEN position ELSE 0 END, problem = NULL
    WHERE person_id = $1 AND import_id = $2 AND state < 3 AND attempt <= $3 RETURNING state, name, bytes, started_at
    """, [.int64, .int64, .int32])

  /// Why it does not go on; `begin` takes the word away.
  static let waits = Statement(
    "import_waits",
    """
    UPDATE imports SET problem = $3
    WHERE person_id = $1 AND import_id = $2 AND state < 3 AND problem IS DISTINCT FROM $3
    """, [.int64, .int64, .text])

  /// Ends one that no writer could take in hand.
  static let fail = Statement(
    "fail_import",
    "UPDATE imports SET state = 4, ended_at = $3, problem = $4 WHERE person_id = $1 AND import_id = $2 AND state < 3",
    [.int64, .int64, .instant, .text])

  /// A row if this writer still holds the import, in this state; in it the number of the last slice that it stored.
  static let held = Statement(
    "held_import",
    "SELECT slice FROM imports WHERE person_id = $1 AND import_id = $2 AND attempt = $3 AND state = $4",
    [.int64, .int64, .int32, .int16])

  static let progress = Statement(
    "import_progress",
    """
    UPDATE imports SET position = greatest(position, $3), records = greatest(records, $4), stored = stored + $5,
      duplicate = duplicate + $6, refused = refused + $7, summaries = summaries + $8, removed = removed + $9,
      first_at = least(first_at, $10), last_at = greatest(last_at, $11), client_id = coalesce($12, client_id),
      slice = greatest(slice, $13)
    WHERE person_id = $1 AND import_id = $2
    """,
    [.int64, .int64, .int64, .int64, .int64, .int64, .int64, .int64, .int64, .instant, .instant, .int64, .int32])

  static let startCounting = Statement(
    "import_counting",
    """
    UPDATE imports SET state = 2, days = (SELECT count(*) FROM stale_days s WHERE s.person_id = $1)
    WHERE person_id = $1 AND import_id = $2 AND state = 1
    """, [.int64, .int64])

  static let end = Statement(
    "end_import",
    "UPDATE imports SET state = $3, ended_at = $4, problem = $5 WHERE person_id = $1 AND import_id = $2",
    [.int64, .int64, .int16, .instant, .text])

  /// How is one import? For commands on the server.
  static let one = Statement(
    "one_import_on_server", "SELECT \(columns) FROM imports WHERE person_id = $1 AND import_id = $2", [.int64, .int64])

  /// Which imports still need their files?
  static let open = Statement("open_imports", "SELECT import_id FROM imports WHERE state < 3", [])

  static let refuse = Statement(
    "add_refused",
    """
    INSERT INTO refused_records (person_id, import_id, record, reason, detail)
    SELECT p.person_id, $2, t.* FROM persons p, unnest($3::bigint[], $4::text[], $5::text[]) t WHERE p.person_id = $1
    ON CONFLICT DO NOTHING
    """, [.int64, .int64, .int64s, .texts, .texts])

  static let all: [(statement: Statement, reach: Reach)] = [
    (add, .onePerson), (cancel, .onePerson), (other, .onePerson), (begin, .onePerson), (held, .onePerson),
    (waits, .onePerson), (fail, .onePerson),
    (progress, .onePerson), (startCounting, .onePerson), (end, .onePerson), (one, .onePerson), (open, .scatter),
    (refuse, .onePerson),
  ]
}

extension Store {
  /// A fresh id for the file's name on disk and then for `received`.
  package func freshImport() -> ImportID { .fresh(at: clock.now().milliseconds, random: random) }

  /// The whole file lies on disk: notes the import and puts a job in the queue. Repeating it changes nothing.
  package func received(
    _ permit: WritePermit, import id: ImportID, name: String, bytes: Int64
  ) async throws(Problem) {
    let now = clock.now()
    try await transaction { change in
      _ = try await change.commit {
        $0.add(
          ImportSQL.add,
          [
            .int64(permit.owner.number), .int64(id.number), .text(name.cut(toBytes: 400)), .int64(bytes),
            .instant(now.microseconds),
          ])
        $0.add(JobSQL.ask, Job.importParameters(id, of: permit.owner, at: now))
      }
    }
  }

  /// Stops an import that is not over; what it stored stays. False when there is none of this id.
  package func cancelImport(_ permit: WritePermit, _ id: ImportID) async throws(Problem) -> Bool {
    try await stop(id, of: permit.owner) { (ImportSQL.cancel, [$0]) }
  }

  /// Ends a claimed import that cannot be begun, in words (see `ImportRow.problem`); what attempts before it stored stays.
  package func failImport(_ job: Job, problem: String) async throws(Problem) {
    guard case .readImport(let person, let id) = job.work else { throw .ourMistake("job \(job.id) is no import") }
    _ = try await stop(id, of: person) { (ImportSQL.fail, [$0, .text(problem)]) }
  }

  /// By a statement that is given the person, the import, and what `end` makes of the instant. The days that it touched are
  /// counted by a job.
  private func stop(
    _ id: ImportID, of person: PersonID, _ end: (Parameter) -> (Statement, [Parameter])
  ) async throws(Problem) -> Bool {
    let now = clock.now()
    let (statement, more) = end(.instant(now.microseconds))
    return try await transaction { change in
      _ = try await self.lock(person, at: now, in: change)
      let rows = try await change.commit {
        $0.add(statement, [.int64(person.number), .int64(id.number)] + more)
        $0.add(JobSQL.drop, [.int16(Job.bucket(of: person)), .int64(id.number)])
        $0.add(JobSQL.ask, Job.recountParameters(person, at: now))
      }
      return (rows.first?.affected ?? 0) > 0
    }
  }

  /// Notes why a claimed import waits, for its page; it goes on by itself.
  package func noteWaiting(_ job: Job, problem: String) async throws(Problem) {
    guard case .readImport(let person, let id) = job.work else { throw .ourMistake("job \(job.id) is no import") }
    _ = try await query(ImportSQL.waits, [.int64(person.number), .int64(id.number), .text(problem)])
  }

  /// One import; nil when there is none of this id. For commands on the server.
  package func importRow(_ permit: ReadPermit, _ id: ImportID) async throws(Problem) -> ImportRow? {
    let rows = try await query(ImportSQL.one, [.int64(permit.owner.number), .int64(id.number)])
    return try reading { () throws(PostgresError) in try rows.first { ImportRow($0) } }
  }

  /// The imports of all persons that are not over: files of others may go. Scatter; for a job that cleans up.
  package func openImports() async throws(Problem) -> Set<ImportID> {
    let rows = try await query(ImportSQL.open, [])
    return Set(try reading { () throws(PostgresError) in try rows.map { ImportID($0.int64(0)) } })
  }

  /// Takes a claimed import in hand. Throws `conflict` while another import of the person runs (put the job back for a
  /// moment), `notFound` when it was cancelled or is over (finish the job).
  package func beginImport(_ job: Job) async throws(Problem) -> ImportWriter {
    guard case .readImport(let person, let id) = job.work else { throw .ourMistake("job \(job.id) is no import") }
    let now = clock.now()
    let key: [Parameter] = [.int64(person.number), .int64(id.number)]
    return try await transaction { change in
      let (_, rows) = try await self.lock(person, at: now, in: change) { $0.add(ImportSQL.other, key) }
      guard try rows[0].first({ $0.bool(0) }) == false else {
        throw Problem(.conflict, "Another import is under way.")
      }
      let begun = try await change.query(ImportSQL.begin, key + [.int32(Int32(clamping: job.attempt))])
      let writer = try begun.first { row in
        ImportWriter(
          store: self, permit: .onServer(for: person, client: nil), job: job, id: id, name: row.text(1),
          bytes: row.int64(2), receivedAt: Instant(microseconds: row.instant(3)),
          isRead: row.int16(0) == ImportRow.State.counting.rawValue)
      }
      guard let writer else { throw Problem(.notFound, "This import is over.") }
      return writer
    }
  }
}
