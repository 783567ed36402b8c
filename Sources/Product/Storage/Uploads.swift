package import Activity
package import Consent
package import People
import Postgres

/// What an upload says about itself beside its records.
package struct Upload: Sendable {
  /// The phone's id for this batch, 128 bits.
  package var batch: (high: UInt64, low: UInt64)
  /// SHA-256 of the body: the same batch must come with the same bytes.
  package var bodyHash: [UInt8]
  /// Intervals that the phone declares complete.
  package var declared: [(type: DataType, interval: Range<Instant>)]
  /// Where the phone is: becomes the person's zone from now on if it is another than theirs. Unknown names are ignored.
  package var zone: String?

  package init(
    batch: (high: UInt64, low: UInt64), bodyHash: [UInt8], declared: [(type: DataType, interval: Range<Instant>)] = [],
    zone: String? = nil
  ) {
    self.batch = batch
    self.bodyHash = bodyHash
    self.declared = declared
    self.zone = zone
  }
}

/// What an upload brought, for its answer.
package struct UploadOutcome: Sendable {
  /// One for each sample of the batch, in its order.
  package let results: [SampleResult]
  /// What the device may send: items of other types were left out.
  package let types: Set<DataType>
  package let summaries: Int
  /// Samples that the batch's deletions took away.
  package let deleted: Int
  /// By type, all of the person's clients together, this upload included.
  package let coverage: [DataType: Coverage]
  /// False when the upload touches so many days that a job counts them.
  package let isCounted: Bool
}

extension Store {
  /// Makes a client that acts for the permit's owner: a phone, a bridge.
  package func addClient(_ permit: WritePermit, name: String, feed: Feed) async throws(Problem) -> ClientID {
    let now = clock.now()
    let id = ClientID.fresh(at: now.milliseconds, random: random)
    try await transaction { change in
      let (_, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(UploadSQL.clients, [.int64(permit.owner.number)])
      }
      let number = (try rows[0].map { StoredClient($0).number }.max() ?? 0) &+ 1
      _ = try await change.commit {
        $0.add(
          UploadSQL.addClient,
          [
            .int64(permit.owner.number), .int64(id.number), .int16(number), .int16(1), .int16(feed.rawValue),
            .text(String(name.prefix(100))), .instant(now.microseconds),
          ])
      }
    }
    return id
  }

  /// Stores a phone's batch, counts its days and keeps the reply that `reply` makes, in one transaction: a batch that was
  /// answered is committed, and the same batch gets the same bytes again. Throws `conflict` for a known batch with another
  /// body, `forbidden` for a client that is not the owner's or was removed, `unauthenticated` when the permit's token is no
  /// more. Items of types without a grant are left out and said to be so. `reply` may run again.
  package func receive(
    _ batch: Batch, _ upload: Upload, permit: WritePermit, reply: (UploadOutcome) -> [UInt8]
  ) async throws(Problem) -> [UInt8] {
    guard let client = permit.client else { throw Problem(.forbidden, "This upload names no device.") }
    let now = clock.now()
    return try await transaction(.upload) { change in
      let own = Parameter.int64(permit.owner.number)
      let (person, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(UploadSQL.batch, [own, .uuid(upload.batch.high, upload.batch.low)])
        $0.add(UploadSQL.clients, [own])
        $0.add(UploadSQL.coverage, [own])
        $0.add(DeviceSQL.rights, [own, .bytes(permit.tokenHash ?? []), .instant(now.microseconds)])
      }
      var types = permit.types
      if permit.tokenHash != nil {
        guard let rights = try rows[3].first(UploadRights.init), rights.client == client else {
          throw Problem(.unauthenticated, "This upload token is not valid.")
        }
        types.formIntersection(rights.types)
      }
      if let known = try rows[0].first({ ($0.bytes(0), $0.bytes(1)) }) {
        guard known.0 == upload.bodyHash else {
          throw Problem(.conflict, "This batch was sent before with another content.", cause: "batch_reused")
        }
        return known.1
      }
      guard let sender = try rows[1].map(StoredClient.init).first(where: { $0.id == client }), !sender.isEnded else {
        throw Problem(.forbidden, "This device is not connected any more.")
      }
      var walk = UploadWalk(batch: batch, upload: upload, sender: sender, person: person, types: types)
      try walk.readCoverage(rows[2])
      try await walk.move(in: change)
      return try await self.finish(&walk, in: change, reply: reply)
    }
  }

  private func finish(
    _ walk: inout UploadWalk, in change: Transaction, reply: (UploadOutcome) -> [UInt8]
  ) async throws -> [UInt8] {
    try await walk.plan(in: change)
    try await walk.write(in: change)
    let person = walk.person
    let own = Parameter.int64(person.id.number)
    let tooMany = walk.days.count > 400
    let outcome = walk.outcome(isCounted: !tooMany)
    let bytes = reply(outcome)
    let done = walk
    try await count(tooMany ? DaysToCount() : walk.days, person: person, rings: walk.rings, in: change) {
      if tooMany { done.days.leave(to: person, into: &$0) }
      // Now and then: a batch's id is random enough to choose one in 32.
      if done.upload.batch.low & 31 == 0 {
        $0.add(UploadSQL.forgetBatches, [own, .instant(person.now.advanced(hours: -30 * 24).microseconds)])
      }
      if done.changesSomething { $0.add(RecountSQL.noteChange, [own, .instant(person.now.microseconds)]) }
      $0.add(UploadSQL.seen, [own, .int64(done.sender.id.number), .instant(person.now.microseconds)])
      $0.add(
        UploadSQL.addBatch,
        [
          own, .uuid(done.upload.batch.high, done.upload.batch.low), .int64(done.sender.id.number),
          .instant(person.now.microseconds), .bytes(done.upload.bodyHash), .bytes(bytes),
        ])
    }
    return bytes
  }
}

/// One upload on its way through the transaction.
private struct UploadWalk {
  let batch: Batch
  let upload: Upload
  let sender: StoredClient
  private let types: Set<DataType>
  /// Which of the samples that were sent are in `batch`.
  private let places: [Int]
  private let sent: Int
  private(set) var person: LockedPerson
  private(set) var days = DaysToCount()
  private(set) var rings: Set<CivilDay> = []
  private var plan: UploadPlan
  private var deleted = 0
  private var mine: [DataType: Coverage] = [:]
  private var others: [DataType: Coverage] = [:]

  init(batch: Batch, upload: Upload, sender: StoredClient, person: LockedPerson, types: Set<DataType>) {
    (self.batch, places) = batch.restricted(to: types)
    sent = batch.samples.count
    self.types = types
    self.upload = upload
    self.sender = sender
    self.person = person
    plan = UploadPlan(feed: batch.feed)
  }

  private var own: Parameter { .int64(person.id.number) }

  /// "Last sync" moves only if something was accepted or coverage advanced.
  var changesSomething: Bool {
    !plan.stores.isEmpty || deleted > 0 || !batch.summaries.isEmpty
      || upload.declared.contains { types.contains($0.type) }
  }

  mutating func readCoverage(_ rows: Rows) throws(PostgresError) {
    for row in rows {
      guard let type = DataType(rawValue: row.int16(0)) else { continue }
      let ranges = zip(row.instants(3), row.instants(4)).filter { $0.0 < $0.1 }
      let read = Coverage(
        complete: ranges.map { Instant(microseconds: $0.0)..<Instant(microseconds: $0.1) },
        newest: row.optionalInstant(2).map { Instant(microseconds: $0) })
      if row.int64(1) == sender.id.number {
        mine[type] = read
      } else {
        others[type, default: Coverage()].formUnion(read)
      }
    }
    try rows.verify()
  }

  /// Where the phone is from now on (merge.md 5.1). Days around now are counted again in the new zone.
  mutating func move(in change: Transaction) async throws {
    guard let zone = upload.zone, person.zones.zone(named: zone) != nil,
      person.history.zone(at: person.now).name != zone
    else { return }
    let standing = try await change.query(SettingsSQL.standingZones, [own])
    let old = try standing.first { DatedZone.list(since: $0.instants(0), names: $0.texts(1)) } ?? []
    let new = old.changed(to: zone, since: person.now)
    let zones: [Parameter] = [own, .instants(new.map { $0.since?.microseconds ?? .min }), .texts(new.map(\.zone))]
    _ = try await change.query(SettingsSQL.zones, zones)
    let today = person.today
    person.history = ZoneHistory(new, in: person.zones)
    days.add((-2...2).map { today + $0 }, of: .stepCount, .zone)
  }

  /// Reads what stands in the way and decides.
  mutating func plan(in change: Transaction) async throws {
    var sources: [Int16] = []
    for source in batch.sources { sources.append(try person.numbering.number(of: source)) }
    let keys = batch.samples.map { ($0.key.high, $0.key.low) }
    let identifiers = batch.syncs.map(\.identifier)
    let rows = try await change.pipeline {
      $0.add(UploadSQL.buried, [own, .uuids(person.hasTombstones ? keys : [])])
      $0.add(UploadSQL.syncs, [own, .texts(identifiers)])
      if batch.feed.moves {
        $0.add(UploadSQL.standingByKey, [own, .uuids(keys)])
      } else {
        let lookedUp = batch.feed.changes ? batch.samples : []
        $0.add(
          UploadSQL.standing,
          [own, .instants(lookedUp.map(\.start.microseconds)), .uuids(batch.feed.changes ? keys : [])])
      }
    }
    plan.buried = Set(try rows[0].map { SampleKey($0.uuid(0)) })
    for row in rows[1] {
      let key = SyncKey(
        source: row.int16(0), type: DataType(rawValue: row.int16(1)) ?? .stepCount, identifier: row.text(2))
      plan.syncs[key] = StandingSync(
        version: row.int64(3), start: Instant(microseconds: row.instant(4)), key: SampleKey(row.uuid(5)))
    }
    try rows[1].verify()
    plan.standing = Dictionary(try rows[2].map(StandingSample.read), uniquingKeysWith: { first, _ in first })
    let syncs = Dictionary(batch.syncs.map { ($0.sample, $0) }, uniquingKeysWith: { $1 })
    for (place, sample) in batch.samples.enumerated() {
      let source = sources.indices.contains(Int(sample.source)) ? sources[Int(sample.source)] : 0
      plan.add(
        sample,
        sync: syncs[place].map { (SyncKey(source: source, type: sample.type, identifier: $0.identifier), $0.version) })
    }
  }

  /// Writes samples, deletions, summaries, versions and coverage; collects the days that they touch.
  mutating func write(in change: Transaction) async throws {
    let samples = plan.stores.values.sorted().map { batch.samples[$0] }
    let columns = try SampleColumns(samples, of: batch, numbering: &person.numbering)
    var removedAt: [Int] = []
    var addedAt: Int?
    let rows = try await change.pipeline {
      person.numbering.write(for: person.id, into: &$0)
      if !plan.removals.isEmpty {
        let gone = plan.removals.map { ($0.value.microseconds, ($0.key.high, $0.key.low)) }
        removedAt.append($0.add(SampleSQL.remove, [own, .instants(gone.map(\.0)), .uuids(gone.map(\.1))]))
      }
      if columns.count > 0 {
        addedAt = $0.add(SampleSQL.add, columns.parameters(person: person.id, clientNumber: sender.number))
      }
      delete(into: &$0, removedAt: &removedAt)
      rings = ActivitySummary.write(
        batch.summaries, of: person.id, client: sender.id, at: person.now, into: &$0)
      writeSyncs(into: &$0)
    }
    try collect(rows, addedAt: addedAt, removedAt: removedAt)
    try await writeCoverage(in: change)
  }

  /// With the starts where the phone knows them; and a stone for each, so that what comes late stays dead.
  private func delete(into pipeline: inout Pipeline, removedAt: inout [Int]) {
    guard !batch.deletions.isEmpty else { return }
    let dated = batch.deletions.filter { $0.start != nil }
    let undated = batch.deletions.filter { $0.start == nil }
    if !dated.isEmpty {
      removedAt.append(
        pipeline.add(
          SampleSQL.remove,
          [
            own, .instants(dated.compactMap { $0.start?.microseconds }),
            .uuids(dated.map { ($0.key.high, $0.key.low) }),
          ]))
    }
    if !undated.isEmpty {
      removedAt.append(
        pipeline.add(SampleSQL.removeByKey, [own, .uuids(undated.map { ($0.key.high, $0.key.low) })]))
    }
    pipeline.add(
      SampleSQL.bury,
      [own, .uuids(batch.deletions.map { ($0.key.high, $0.key.low) }), .instant(person.now.microseconds)])
  }

  private func writeSyncs(into pipeline: inout Pipeline) {
    let changed = plan.changedSyncs.compactMap { key in plan.syncs[key].map { (key, $0) } }
    guard !changed.isEmpty else { return }
    pipeline.add(
      UploadSQL.sync,
      [
        own, .int16s(changed.map(\.0.source)), .int16s(changed.map(\.0.type.rawValue)),
        .texts(changed.map(\.0.identifier)), .int64s(changed.map(\.1.version)),
        .instants(changed.map(\.1.start.microseconds)), .uuids(changed.map { ($0.1.key.high, $0.1.key.low) }),
      ])
  }

  private mutating func collect(_ rows: [Rows], addedAt: Int?, removedAt: [Int]) throws {
    var added = TouchedDays(person)
    var new: Set<SampleKey> = []
    if let addedAt {
      try added.add(rows[addedAt])
      new = Set(try rows[addedAt].map { SampleKey($0.uuid(3)) })
    }
    plan.foundStanding(except: new)
    for (type, touched) in added.days { days.add(touched, of: type, .late) }
    for (type, newest) in added.newest {
      mine[type, default: Coverage()].newest = max(mine[type]?.newest ?? newest, newest)
    }
    for place in removedAt {
      var removed = TouchedDays(person)
      try removed.add(rows[place])
      let isReplacement = place == removedAt.first && !plan.removals.isEmpty
      if !isReplacement { deleted += rows[place].count }
      for (type, touched) in removed.days { days.add(touched, of: type, isReplacement ? .corrected : .deleted) }
    }
  }

  private mutating func writeCoverage(in change: Transaction) async throws {
    for declared in upload.declared where types.contains(declared.type) {
      mine[declared.type, default: Coverage()].declare(declared.interval)
    }
    guard !mine.isEmpty else { return }
    _ = try await change.pipeline {
      for (type, coverage) in mine {
        $0.add(
          UploadSQL.cover,
          [
            own, .int16(type.rawValue), .int64(sender.id.number),
            .optional(instant: coverage.newest?.microseconds),
            .instants(coverage.complete.map(\.lowerBound.microseconds)),
            .instants(coverage.complete.map(\.upperBound.microseconds)),
          ])
      }
    }
  }

  func outcome(isCounted: Bool) -> UploadOutcome {
    var results = [SampleResult](repeating: .consentMissing, count: sent)
    for (place, result) in zip(places, plan.results) { results[place] = result }
    return UploadOutcome(
      results: results, types: types, summaries: rings.count, deleted: deleted,
      coverage: mine.merging(others) { one, other in
        var joined = one
        joined.formUnion(other)
        return joined
      }, isCounted: isCounted)
  }
}

extension SampleKey {
  init(_ halves: (UInt64, UInt64)) { self.init(high: halves.0, low: halves.1) }
}
