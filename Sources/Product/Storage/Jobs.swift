package import Activity
import Bytes
package import People
import Postgres

enum JobSQL {
  /// Puts a job in the queue, or asks once more for one that is there.
  static let ask = Statement(
    "ask_job",
    """
    INSERT INTO jobs (bucket, job_id, person_id, run_at, kind) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (bucket, job_id) DO UPDATE SET asked = jobs.asked + 1, run_at = least(jobs.run_at, excluded.run_at)
    """, [.int16, .int64, .int64, .instant, .int16])

  /// In which bucket is something due? Takes no lock: `claim` decides.
  static let due = Statement(
    "due_job",
    """
    SELECT bucket FROM jobs WHERE bucket = ANY ($1) AND run_at <= $2 AND (leased_until IS NULL OR leased_until < $2)
    ORDER BY run_at LIMIT 1
    """, [.int16s, .instant])

  /// A try that nobody puts back ended with its process. After two of them the next has to wait, ever longer: a job that kills
  /// the server each time must not keep it from starting.
  static let claim = Statement(
    "claim_job",
    """
    UPDATE jobs SET leased_until = $4, leased_by = $3, attempts = attempts + 1, tries = tries + 1,
      run_at = CASE WHEN tries < 2 THEN run_at ELSE $2 + interval '1 minute' * (1 << least(tries - 2, 10)) END
    WHERE bucket = $1 AND job_id = (
      SELECT job_id FROM jobs WHERE bucket = $1 AND run_at <= $2 AND (leased_until IS NULL OR leased_until < $2)
      ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING job_id, person_id, kind, attempts, asked, tries
    """, [.int16, .instant, .text, .instant])

  /// Whatever this instance held when it was killed is free again.
  static let takeBack = Statement(
    "take_back_jobs",
    "UPDATE jobs SET leased_until = NULL, leased_by = NULL WHERE bucket = ANY ($1) AND leased_by = $2",
    [.int16s, .text])

  /// This attempt got further than all before it: what ended them is behind it.
  static let progressed = Statement(
    "job_progressed", "UPDATE jobs SET tries = 1 WHERE bucket = $1 AND job_id = $2 AND attempts = $3 AND tries > 1",
    [.int16, .int64, .int32])

  static let extend = Statement(
    "extend_job",
    "UPDATE jobs SET leased_until = $4 WHERE bucket = $1 AND job_id = $2 AND attempts = $3",
    [.int16, .int64, .int32, .instant])

  static let finish = Statement(
    "finish_job", "DELETE FROM jobs WHERE bucket = $1 AND job_id = $2 AND attempts = $3 AND asked = $4",
    [.int16, .int64, .int32, .int32])

  static let release = Statement(
    "release_job",
    """
    UPDATE jobs SET leased_until = NULL, leased_by = NULL, run_at = $4, last_error = $5, tries = $6
    WHERE bucket = $1 AND job_id = $2 AND attempts = $3
    """, [.int16, .int64, .int32, .instant, .text, .int32])

  static let drop = Statement(
    "drop_job", "DELETE FROM jobs WHERE bucket = $1 AND job_id = $2", [.int16, .int64])

  static let all: [(statement: Statement, reach: Reach)] = [
    (ask, .oneBucket), (due, .oneBucket), (claim, .oneBucket), (takeBack, .oneBucket), (progressed, .oneBucket),
    (extend, .oneBucket),
    (finish, .oneBucket), (release, .oneBucket), (drop, .oneBucket),
  ]
}

/// A piece of work that outlasts a request.
package struct Job: Sendable {
  /// What is to be done.
  package enum Work: Sendable, Equatable {
    case readImport(PersonID, ImportID)
    case recount(PersonID)
  }

  package let id: Int64
  package let work: Work
  /// How often it was taken, this time included: the number of this claim.
  package let attempt: Int
  /// How many of these, this one included, were not put back unharmed: failures, and ends of the whole process.
  package let tries: Int
  let bucket: Int16
  /// How often it was asked for when it was taken.
  let asked: Int32

  /// Jobs lie in 16 buckets by person, so that each can be claimed with the key of its table (storage.md R10).
  static let buckets = [Int16](0..<16)

  static func bucket(of person: PersonID) -> Int16 { Int16(person.number & 15) }

  /// Parameters of `JobSQL.ask`; a person has at most one recount waiting.
  static func recountParameters(_ person: PersonID, at now: Instant) -> [Parameter] {
    [
      .int16(bucket(of: person)), .int64(person.number), .int64(person.number), .instant(now.microseconds),
      .int16(1),
    ]
  }

  static func importParameters(_ id: ImportID, of person: PersonID, at now: Instant) -> [Parameter] {
    [.int16(bucket(of: person)), .int64(id.number), .int64(person.number), .instant(now.microseconds), .int16(0)]
  }

  fileprivate init(_ row: Row, bucket: Int16) {
    let person = PersonID(row.int64(1))
    id = row.int64(0)
    work = row.int16(2) == 0 ? .readImport(person, ImportID(row.int64(0))) : .recount(person)
    attempt = Int(row.int32(3))
    asked = row.int32(4)
    tries = Int(row.int32(5))
    self.bucket = bucket
  }

  fileprivate var key: [Parameter] { [.int16(bucket), .int64(id), .int32(Int32(clamping: attempt))] }
}

extension Store {
  /// Takes the next due job, if any, for `instance` (a name that survives a restart). The lease runs `seconds` and must be
  /// extended in time, else another instance takes the job over.
  package func claimJob(instance: String, lease seconds: Int) async throws(Problem) -> Job? {
    for _ in 0..<8 {
      let now = clock.now()
      let due = try await query(JobSQL.due, [.int16s(Job.buckets), .instant(now.microseconds)])
      guard let bucket = try reading({ () throws(PostgresError) in try due.first { $0.int16(0) } }) else { return nil }
      let end = now.advanced(milliseconds: Int64(seconds) * 1000)
      let claimed = try await query(
        JobSQL.claim, [.int16(bucket), .instant(now.microseconds), .text(instance), .instant(end.microseconds)])
      let job = try reading { () throws(PostgresError) in try claimed.first { Job($0, bucket: bucket) } }
      if let job { return job }
    }
    return nil
  }

  /// Jobs that `instance` held before a crash are free at once. Call it before anything claims jobs under this name, and only
  /// while no other process bears it.
  package func takeBackJobs(of instance: String) async throws(Problem) {
    _ = try await query(JobSQL.takeBack, [.int16s(Job.buckets), .text(instance)])
  }

  /// Extends the lease; false when another instance has taken the job over meanwhile: stop at once then.
  package func extend(_ job: Job, lease seconds: Int) async throws(Problem) -> Bool {
    let end = clock.now().advanced(milliseconds: Int64(seconds) * 1000)
    return try await query(JobSQL.extend, job.key + [.instant(end.microseconds)]).affected > 0
  }

  /// The job is done; when it was asked for again meanwhile, it is free to be taken again.
  package func finish(_ job: Job) async throws(Problem) {
    let finished = try await query(JobSQL.finish, job.key + [.int32(job.asked)])
    if finished.affected == 0 { try await release(job, after: 0, error: nil, tries: 0) }
  }

  /// Puts the job back to be taken again after `delay` milliseconds; `error` is for the log and for `stepwell doctor`.
  /// `isTried`: it failed. Else it had to wait, or was not to blame, and this try does not count.
  package func putBack(_ job: Job, after delay: Int64, error: String?, isTried: Bool) async throws(Problem) {
    try await release(job, after: delay, error: error, tries: isTried ? job.tries : job.tries - 1)
  }

  private func release(_ job: Job, after delay: Int64, error: String?, tries: Int) async throws(Problem) {
    let next = clock.now().advanced(milliseconds: delay)
    _ = try await query(
      JobSQL.release,
      job.key + [
        .instant(next.microseconds), .optional(error.map { $0.cut(toBytes: 2000) }),
        .int32(Int32(clamping: max(0, tries))),
      ])
  }
}
