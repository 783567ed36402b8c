package import Activity
import Bytes
package import Consent
package import People
import Postgres

/// Writes one claimed import, slice by slice. Every call is one transaction that also checks that the import still is ours
/// and not cancelled: else it throws `conflict`, and the walk ends without another word. Repeating a call is harmless.
///
/// The walk: `add` for each slice, `sweep` after a whole file (again with `note` while it answers false), `count` until it
/// answers 0, `end`. When `isRead`, an earlier attempt came as far as counting: begin there.
package final class ImportWriter {
  package let permit: WritePermit
  package let job: Job
  package let id: ImportID
  /// The name and size of the file as it was received.
  package let name: String
  package let bytes: Int64
  /// When the whole file had arrived: what lies after it is refused as future.
  package let receivedAt: Instant
  package let isRead: Bool

  private let store: Store
  private var snapshot = SnapshotKeys()
  private var summaryDays: Set<CivilDay> = []
  private var feed: Feed?
  /// The client that stands for files of this feed, and whether it was there before this import.
  private var client: (id: ClientID, number: Int16, isNew: Bool)?
  private var refusedSoFar = 0
  /// The number of the last slice that is stored for certain.
  private var slice: Int32 = 0
  private static let refusedKept = 10_000

  init(
    store: Store, permit: WritePermit, job: Job, id: ImportID, name: String, bytes: Int64, receivedAt: Instant,
    isRead: Bool
  ) {
    self.store = store
    self.permit = permit
    self.job = job
    self.id = id
    self.name = name
    self.bytes = bytes
    self.receivedAt = receivedAt
    self.isRead = isRead
  }

  private var person: PersonID { permit.owner }
  private var key: [Parameter] { [.int64(person.number), .int64(id.number)] }

  /// Stores a slice (at most 10,000 samples; about 1,000 is best): samples, summaries, refused records. `position` and
  /// `records` are how far the file was read with this slice.
  package func add(_ slice: Batch, position: Int64, records: Int64) async throws(Problem) {
    note(slice)
    let now = store.clock.now()
    let fresh = ClientID.fresh(at: now.milliseconds, random: store.random)
    let number = self.slice &+ 1
    client = try await store.transaction(.upload) { change in
      try await self.write(
        slice, number: number, position: position, records: records, at: now, fresh: fresh, in: change)
    }
    self.slice = number
    refusedSoFar += slice.refused.count
  }

  /// Remembers which samples the file holds, without storing anything: for the further passes that `sweep` may ask for.
  package func note(_ slice: Batch) {
    feed = slice.feed
    guard slice.feed == .apple else { return }
    for sample in slice.samples { snapshot.add(sample.key) }
    for summary in slice.summaries { summaryDays.insert(summary.day) }
  }

  /// Removes samples and rings of the feed that the file no longer holds (merge.md 8.4). Only after a whole file. Answers false when
  /// the file is so large that it has to be read once more: `note` every slice again, then call it again.
  package func sweep() async throws(Problem) -> Bool {
    guard feed == .apple, let client, !client.isNew else { return true }
    var place: SweepPlace? = SweepPlace.start
    while let from = place {
      let now = store.clock.now()
      place = try await store.transaction(.upload) { change in
        try await self.sweep(from: from, client: client.number, at: now, in: change)
      }
    }
    if snapshot.next() { return false }
    try await sweepSummaries(of: client.id)
    return true
  }

  /// Counts at most `limit` of the person's stale days; answers how many are left.
  package func count(limit: Int = 60) async throws(Problem) -> Int {
    let now = store.clock.now()
    return try await store.transaction(.upload) { change in
      let (person, _, _) = try await self.lock(.counting, at: now, in: change)
      return try await self.store.countStale(of: person, limit: limit, in: change)
    }
  }

  /// The end: done, or failed with a problem in `FileError`'s or the log's words. The job is finished too.
  package func end(_ state: ImportRow.State, problem: String?) async throws(Problem) {
    let now = store.clock.now()
    try await store.transaction(.upload) { change in
      let (_, rows) = try await self.store.lock(self.person, at: now, in: change) {
        $0.add(ImportSQL.held, self.held(.reading)); $0.add(ImportSQL.held, self.held(.counting))
      }
      guard rows.contains(where: { $0.count > 0 }) else { throw ImportWriter.lost }
      _ = try await change.commit {
        $0.add(
          ImportSQL.end,
          self.key + [
            .int16(state.rawValue), .instant(now.microseconds), .optional(problem.map { $0.cut(toBytes: 1000) }),
          ])
        $0.add(JobSQL.drop, [.int16(self.job.bucket), .int64(self.job.id)])
        // Stale days that are left, as after a file that broke off, are the next job's.
        if state != .done { $0.add(JobSQL.ask, Job.recountParameters(self.person, at: now)) }
      }
    }
  }

  private static let lost = Problem(.conflict, "This import was cancelled or is in other hands.")

  private func held(_ state: ImportRow.State) -> [Parameter] {
    key + [.int32(Int32(clamping: job.attempt)), .int16(state.rawValue)]
  }

  /// The person's lock, held only while the import is ours; begins counting when it has to. Answers the number of the last slice
  /// that is stored, too.
  private func lock(
    _ state: ImportRow.State, at now: Instant, in change: Transaction, also build: (inout Pipeline) -> Void = { _ in }
  ) async throws -> (LockedPerson, [Rows], slice: Int32) {
    let (locked, rows) = try await store.lock(person, at: now, in: change) {
      if state == .counting { $0.add(ImportSQL.startCounting, self.key) }
      $0.add(ImportSQL.held, self.held(state))
      build(&$0)
    }
    let place = state == .counting ? 1 : 0
    guard let slice = try rows[place].first({ $0.int32(0) }) else { throw ImportWriter.lost }
    return (locked, Array(rows.dropFirst(place + 1)), slice)
  }

  // One slice.

  private func write(
    _ slice: Batch, number: Int32, position: Int64, records: Int64, at now: Instant, fresh: ClientID,
    in change: Transaction
  ) async throws -> (ClientID, Int16, Bool) {
    var (locked, rows, last) = try await lock(.reading, at: now, in: change) {
      $0.add(UploadSQL.clients, [.int64(self.person.number)])
    }
    let clients = try rows[0].map(StoredClient.init)
    let known = clients.first { $0.kind == 0 && $0.feed == slice.feed.rawValue && !$0.isEnded }
    let mine = client ?? (known?.id ?? fresh, known?.number ?? (clients.map(\.number).max() ?? 0) &+ 1, known == nil)
    // Stored already, and the answer to COMMIT was lost: once more would count it twice.
    if last >= number { return mine }
    let columns = try SampleColumns(slice.samples, of: slice, numbering: &locked.numbering)
    var summaryDays: Set<CivilDay> = []
    var samplesAt: Int?
    let stored = try await change.pipeline {
      if known == nil {
        $0.add(
          UploadSQL.addClient,
          [
            .int64(self.person.number), .int64(mine.id.number), .int16(mine.number), .int16(0),
            .int16(slice.feed.rawValue), .text(slice.feed.name), .instant(now.microseconds),
          ])
      }
      locked.numbering.write(for: self.person, into: &$0)
      if columns.count > 0 {
        samplesAt = $0.add(
          locked.hasTombstones ? SampleSQL.addLiving : SampleSQL.add,
          columns.parameters(person: self.person, clientNumber: mine.number))
      }
      summaryDays = ActivitySummary.write(slice.summaries, of: self.person, client: mine.id, at: now, into: &$0)
    }
    var touched = TouchedDays(locked)
    if let samplesAt { try touched.add(stored[samplesAt]) }
    let new = samplesAt.map { stored[$0].count } ?? 0
    try await store.refreshFacts(of: person, days: summaryDays, in: change) {
      self.finish(
        slice, new: new, summaries: summaryDays.count, touched: touched, client: mine.id, at: now,
        position: (number, position, records), into: &$0)
    }
    return mine
  }

  private func noteProgress(into pipeline: inout Pipeline) {
    guard job.tries > 1 else { return }
    pipeline.add(
      JobSQL.progressed, [.int16(job.bucket), .int64(job.id), .int32(Int32(clamping: job.attempt))])
  }

  private func finish(
    _ slice: Batch, new: Int, summaries: Int, touched: TouchedDays, client: ClientID, at now: Instant,
    position: (slice: Int32, bytes: Int64, records: Int64), into pipeline: inout Pipeline
  ) {
    let own = Parameter.int64(person.number)
    let columns = touched.columns
    if !columns.days.isEmpty {
      pipeline.add(
        RecountSQL.markStale,
        [own, .int16s(columns.types), .dates(columns.days), .int16(DayRevision.Reason.late.rawValue)])
    }
    // What is stored for the first time lies beyond the place where earlier attempts ended.
    if new > 0 { noteProgress(into: &pipeline) }
    if new > 0 || summaries > 0 { pipeline.add(RecountSQL.noteChange, [own, .instant(now.microseconds)]) }
    for (type, newest) in touched.newest {
      pipeline.add(
        UploadSQL.reach, [own, .int16(type.rawValue), .int64(client.number), .instant(newest.microseconds)])
    }
    let refused = slice.refused.prefix(max(0, ImportWriter.refusedKept - refusedSoFar))
    if !refused.isEmpty {
      pipeline.add(
        ImportSQL.refuse,
        key + [
          .int64s(refused.map { Int64($0.record) }), .texts(refused.map(\.reason.rawValue)),
          .texts(refused.map { $0.detail.cut(toBytes: 400) }),
        ])
    }
    let first = slice.samples.map(\.start).min()
    let last = slice.samples.map(\.end).max()
    pipeline.add(
      ImportSQL.progress,
      key + [
        .int64(position.bytes), .int64(position.records), .int64(Int64(new)),
        .int64(Int64(slice.samples.count - new)), .int64(Int64(slice.refused.count + slice.unlisted)),
        .int64(Int64(slice.summaries.count)), .int64(0), .optional(instant: first?.microseconds),
        .optional(instant: last?.microseconds), .int64(client.number), .int32(position.slice),
      ])
  }

  // The sweep.

  private func sweep(
    from place: SweepPlace, client: Int16, at now: Instant, in change: Transaction
  ) async throws -> SweepPlace? {
    let (locked, rows, _) = try await lock(.reading, at: now, in: change) {
      $0.add(
        SampleSQL.page, [.int64(self.person.number), .instant(place.start), .uuid(place.key.high, place.key.low)])
    }
    var next: SweepPlace?
    var starts: [Int64] = []
    var keys: [(UInt64, UInt64)] = []
    for row in rows[0] {
      let (high, low) = row.uuid(4)
      let key = SampleKey(high: high, low: low)
      next = SweepPlace(start: row.instant(0), key: key)
      guard row.int16(3) == client, snapshot.misses(key) else { continue }
      starts.append(row.instant(0))
      keys.append((high, low))
    }
    try rows[0].verify()
    if !starts.isEmpty {
      let removed = try await change.query(
        SampleSQL.remove, [.int64(person.number), .instants(starts), .uuids(keys)])
      var touched = TouchedDays(locked)
      try touched.add(removed)
      let columns = touched.columns
      _ = try await change.pipeline {
        $0.add(
          RecountSQL.markStale,
          [
            .int64(self.person.number), .int16s(columns.types), .dates(columns.days),
            .int16(DayRevision.Reason.deleted.rawValue),
          ])
        $0.add(
          ImportSQL.progress,
          self.key + [
            .int64(0), .int64(0), .int64(0), .int64(0), .int64(0), .int64(0), .int64(Int64(removed.count)), .null,
            .null,
            .null, .int32(0),
          ])
        $0.add(RecountSQL.noteChange, [.int64(self.person.number), .instant(now.microseconds)])
      }
    }
    return rows[0].count == 10_000 ? next : nil
  }

  private func sweepSummaries(of client: ClientID) async throws(Problem) {
    let now = store.clock.now()
    let kept = summaryDays.map(\.number)
    try await store.transaction(.upload) { change in
      _ = try await self.lock(.reading, at: now, in: change)
      let removed = try await change.query(
        SummarySQL.keepOnly, [.int64(self.person.number), .int64(client.number), .dates(kept)])
      let days = Set(try removed.map { CivilDay(number: $0.date(0)) })
      try await self.store.refreshFacts(of: self.person, days: days, in: change) {
        if !days.isEmpty { $0.add(RecountSQL.noteChange, [.int64(self.person.number), .instant(now.microseconds)]) }
      }
    }
  }
}

/// How far a sweep has come: the key of the last sample it saw.
private struct SweepPlace {
  let start: Int64
  let key: SampleKey

  static let start = SweepPlace(start: .min, key: SampleKey(high: 0, low: 0))
}
