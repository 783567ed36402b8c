import Activity
import People
import Postgres

/// One upload on its way through the transaction.
struct UploadWalk {
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
  /// Positions of the samples that the INSERT is given, in the order of the upload.
  private var stored: [Int] = []
  private var deleted = 0
  /// Keys that this upload is the first to delete.
  private var newlyBuried: Set<SampleKey> = []
  /// Keys of samples that its deletions took away.
  private var removed: Set<SampleKey> = []
  private var mine: [DataType: Coverage] = [:]
  private var others: [DataType: Coverage] = [:]

  init(batch: Batch, upload: Upload, sender: StoredClient, person: LockedPerson, types: Set<DataType>) {
    (self.batch, places) = batch.restricted(to: types)
    sent = batch.samples.count
    self.types = types
    self.upload = upload
    self.sender = sender
    self.person = person
    plan = UploadPlan(feed: batch.feed, count: self.batch.samples.count)
  }

  private var own: Parameter { .int64(person.id.number) }

  /// "Last sync" moves only if something was accepted or coverage advanced.
  var changesSomething: Bool {
    !plan.stores.isEmpty || !newlyBuried.isEmpty || !batch.summaries.isEmpty
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
    if person.hasTombstones || batch.feed.changes || !batch.syncs.isEmpty { try await readStanding(in: change) }
    let syncs = Dictionary(batch.syncs.map { ($0.sample, $0) }, uniquingKeysWith: { $1 })
    for (place, sample) in batch.samples.enumerated() {
      let source = sources.indices.contains(Int(sample.source)) ? sources[Int(sample.source)] : 0
      let sync = syncs.isEmpty ? nil : syncs[place]
      plan.add(
        sample,
        sync: sync.map { (SyncKey(source: source, type: sample.type, identifier: $0.identifier), $0.version) })
    }
  }

  /// What may stand in the way of the samples: stones, versions, and where the feed's records change the records themselves.
  private mutating func readStanding(in change: Transaction) async throws {
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
  }

  /// Writes samples, deletions, summaries, versions and coverage; collects the days that they touch.
  mutating func write(in change: Transaction) async throws {
    stored = plan.stores.values.sorted()
    let samples = stored.map { batch.samples[$0] }
    let columns = try SampleColumns(samples, of: batch, numbering: &person.numbering)
    var places = Places()
    let rows = try await change.pipeline {
      person.numbering.write(for: person.id, into: &$0)
      if !plan.removals.isEmpty {
        let gone = plan.removals.map { ($0.value.microseconds, ($0.key.high, $0.key.low)) }
        places.replaced = $0.add(SampleSQL.remove, [own, .instants(gone.map(\.0)), .uuids(gone.map(\.1))])
      }
      if columns.count > 0 {
        places.added = $0.add(SampleSQL.addSent, columns.parameters(person: person.id, clientNumber: sender.number))
      }
      delete(into: &$0, &places)
      rings = ActivitySummary.write(
        batch.summaries, of: person.id, client: sender.id, at: person.now, into: &$0)
      writeSyncs(into: &$0)
    }
    try collect(rows, places)
    try await deleteMoved(in: change)
    writeCoverage(in: change)
  }

  /// Where the answers of one pipeline stand.
  private struct Places {
    var added: Int?
    var replaced: Int?
    var deleted: [Int] = []
    var buried: Int?
  }

  /// With the starts where the phone knows them; and a stone for each, so that what comes late stays dead.
  private func delete(into pipeline: inout Pipeline, _ places: inout Places) {
    guard !batch.deletions.isEmpty else { return }
    let dated = batch.deletions.filter { $0.start != nil }
    let undated = batch.deletions.filter { $0.start == nil }
    if !dated.isEmpty {
      let starts = dated.compactMap { $0.start?.microseconds }
      places.deleted.append(
        pipeline.add(SampleSQL.remove, [own, .instants(starts), .uuids(Self.halves(dated.map(\.key)))]))
    }
    if !undated.isEmpty {
      places.deleted.append(pipeline.add(SampleSQL.removeByKey, [own, .uuids(Self.halves(undated.map(\.key)))]))
    }
    places.buried = pipeline.add(
      SampleSQL.bury,
      [own, .uuids(Self.halves(batch.deletions.map(\.key))), .instant(person.now.microseconds)])
  }

  /// A start that the phone has wrong must not keep a deleted sample alive: what was buried first now and is not found where
  /// the phone says is looked for by its key.
  private mutating func deleteMoved(in change: Transaction) async throws {
    let missed = Set(batch.deletions.lazy.filter { $0.start != nil }.map(\.key)).intersection(newlyBuried)
      .subtracting(removed)
    guard !missed.isEmpty else { return }
    let rows = try await change.query(SampleSQL.removeByKey, [own, .uuids(Self.halves(Array(missed)))])
    try collectDeleted(rows)
  }

  private static func halves(_ keys: [SampleKey]) -> [(UInt64, UInt64)] { keys.map { ($0.high, $0.low) } }

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

  private mutating func collect(_ rows: [Rows], _ places: Places) throws {
    let added = try collectAdded(places.added.map { rows[$0] })
    for (type, touched) in added.days { days.add(touched, of: type, .late) }
    for (type, newest) in added.newest {
      mine[type, default: Coverage()].newest = max(mine[type]?.newest ?? newest, newest)
    }
    if let place = places.replaced {
      var replaced = TouchedDays(person)
      try replaced.add(rows[place])
      for (type, touched) in replaced.days { days.add(touched, of: type, .corrected) }
    }
    for place in places.deleted { try collectDeleted(rows[place]) }
    if let place = places.buried { newlyBuried = Set(try rows[place].map { SampleKey($0.uuid(0)) }) }
  }

  /// The days of what was not there yet. The answer names keys only when some were.
  private mutating func collectAdded(_ rows: Rows?) throws -> TouchedDays {
    var added = TouchedDays(person)
    guard let rows else { return added }
    let new = try rows.first { $0.isNull(0) ? nil : Set($0.uuids(0).map { SampleKey($0) }) } ?? nil
    if let new { plan.foundStanding(except: new) }
    for place in stored {
      let sample = batch.samples[place]
      if new?.contains(sample.key) ?? true { added.add(sample.start, sample.end, sample.type) }
    }
    return added
  }

  private mutating func collectDeleted(_ rows: Rows) throws {
    var gone = TouchedDays(person)
    try gone.add(rows)
    removed.formUnion(try rows.map { SampleKey($0.uuid(3)) })
    deleted += rows.count
    for (type, touched) in gone.days { days.add(touched, of: type, .deleted) }
  }

  private mutating func writeCoverage(in change: Transaction) {
    for declared in upload.declared where types.contains(declared.type) {
      mine[declared.type, default: Coverage()].declare(declared.interval)
    }
    guard !mine.isEmpty else { return }
    change.later {
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
    let deletions: [SampleResult] = batch.deletions.map { newlyBuried.contains($0.key) ? .stored : .duplicate }
    return UploadOutcome(
      results: results, types: types, summaries: rings.count, deletions: deletions, deleted: deleted,
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
