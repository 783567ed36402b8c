package import Activity

/// The settings of a person that a preview needs.
package struct PreviewAccount: Sendable {
  package var zones: ZoneHistory
  /// 0 = Monday … 6 = Sunday.
  package var weekStart: Int
  package var options: MergeOptions

  package init(zones: ZoneHistory, weekStart: Int = 0, options: MergeOptions = .init()) {
    self.zones = zones
    self.weekStart = weekStart
    self.options = options
  }
}

/// What imports would make of files, one after the other, without a database: the same reading and the same merge as the
/// server's. Holds all samples in memory.
package struct Preview {
  private var account: PreviewAccount
  private let zoneTable: ZoneTable
  private var sources: [Source] = []
  private var sourceNumbers: [Source: Int32] = [:]
  private var zones: [ZoneRules] = []
  private var zoneNumbers: [String: Int16] = [:]
  private var shelf = PreviewShelf()
  private var rings: [CivilDay: (feed: Feed, summary: ActivitySummary)] = [:]

  package private(set) var rejected: [(file: String, refusal: Refusal)] = []
  package private(set) var fileErrors: [(file: String, error: FileError)] = []
  package private(set) var counts = IntakeCounts()
  /// Samples that were there already under their key.
  package private(set) var duplicates = 0

  package init(account: PreviewAccount, zoneTable: ZoneTable) {
    self.account = account
    self.zoneTable = zoneTable
  }

  /// Reads the export at `path`, zipped or not, called `name` in the answer. Throws only if the file cannot be read; a
  /// refused one is noted in `fileErrors`. As in an import, what was read before a fault in the middle of the file stays.
  package mutating func addAppleExport(name: String, path: String, receivedAt: Instant) throws(IntakeProblem) {
    do throws(IntakeProblem) {
      let reader = try AppleExportReader(path: path, receivedAt: receivedAt)
      defer { counts = reader.counts }
      var present = Snapshot()
      while let slice = try reader.next() { add(slice, of: name, to: &present) }
      if !reader.isTruncated { replace(.apple, by: present) }
    } catch {
      guard case .refused(let fileError, _) = error else { throw error }
      fileErrors.append((name, fileError))
    }
  }

  /// What a whole export holds: everything else of its feed was deleted on the phone (merge.md 8.4).
  private struct Snapshot {
    var keys: Set<SampleKey> = []
    var days: Set<CivilDay> = []
  }

  private mutating func add(_ slice: Batch, of name: String, to present: inout Snapshot) {
    let sourceNumbers = slice.sources.map { number(of: $0) }
    let zoneNumbers = slice.zones.map { number(ofZone: $0) }
    for var sample in slice.samples {
      present.keys.insert(sample.key)
      sample.source = sourceNumbers[Int(sample.source)]
      sample.zone = sample.zone.flatMap { zoneNumbers[Int($0)] }
      if !shelf.add(sample, of: slice.feed) { duplicates += 1 }
    }
    for summary in slice.summaries {
      present.days.insert(summary.day)
      rings[summary.day] = summary.isEmpty ? nil : (slice.feed, summary)
    }
    rejected += slice.refused.map { (name, $0) }
    fileErrors += slice.fileErrors.map { (name, $0) }
  }

  private mutating func replace(_ feed: Feed, by present: Snapshot) {
    shelf.keep(only: present.keys, of: feed)
    rings = rings.filter { $0.value.feed != feed || present.days.contains($0.key) }
  }

  /// Takes what a phone uploaded, called `name` in the answer.
  package mutating func add(_ upload: Upload, name: String, receivedAt: Instant) {
    if let zone = upload.zone.flatMap({ zoneTable.zone(named: $0) }) { account.zones.append(zone, since: receivedAt) }
    let sourceNumbers = upload.batch.sources.map { number(of: $0) }
    let zoneNumbers = upload.batch.zones.map { number(ofZone: $0) }
    let versions = Dictionary(upload.batch.syncs.map { ($0.sample, $0) }) { $1 }
    for (place, sample) in upload.batch.samples.enumerated() {
      var sample = sample
      sample.source = sourceNumbers[Int(sample.source)]
      sample.zone = sample.zone.flatMap { zoneNumbers[Int($0)] }
      let isNew =
        versions[place].map {
          shelf.add(sample, of: upload.batch.feed, identifier: $0.identifier, version: $0.version)
        } ?? shelf.add(sample, of: upload.batch.feed)
      if !isNew { duplicates += 1 }
    }
    for deletion in upload.batch.deletions { shelf.delete(deletion.key) }
    for summary in upload.batch.summaries { rings[summary.day] = summary.isEmpty ? nil : (upload.batch.feed, summary) }
    rejected += upload.refused.map { refused in
      let before = refused.item.list == .activitySummaries ? upload.added : 0
      return (name, Refusal(record: before + refused.item.record, reason: refused.reason, detail: refused.detail))
    }
    counts.records += upload.received
  }

  /// A file that cannot be read as a whole.
  package mutating func refuse(name: String, _ error: FileError) { fileErrors.append((name, error)) }

  private mutating func number(of source: Source) -> Int32 {
    if let known = sourceNumbers[source] { return known }
    let number = Int32(truncatingIfNeeded: sources.count)
    sources.append(source)
    sourceNumbers[source] = number
    return number
  }

  /// Nil for a zone that nobody knows: then the account's zone decides.
  private mutating func number(ofZone name: String) -> Int16? {
    if let known = zoneNumbers[name] { return known }
    guard let rules = zoneTable.zone(named: name) else { return nil }
    let number = Int16(truncatingIfNeeded: zones.count)
    zones.append(rules)
    zoneNumbers[name] = number
    return number
  }

  // MARK: what comes out

  /// Sources in the order in which they were met.
  package var allSources: [Source] { sources }

  /// Days with steps.
  package func days() -> [CivilDay: DayTotal] {
    let merge = Merge(sources: sources, zones: zones, history: account.zones, options: account.options)
    return merge.days(shelf.samples.values.map(\.sample))
  }

  /// Days with rings.
  package func summaries() -> [CivilDay: ActivitySummary] { rings.mapValues(\.summary) }

  /// Weeks that have a day with steps or rings.
  package func weeks(_ days: [CivilDay: DayTotal]) -> [Week: PreviewWeek] {
    var weeks: [Week: PreviewWeek] = [:]
    for (day, total) in days {
      weeks[Week(containing: day, start: account.weekStart), default: PreviewWeek()].add(total.shown)
    }
    for (day, summary) in summaries() {
      let week = Week(containing: day, start: account.weekStart)
      weeks[week, default: PreviewWeek()].daysAllClosed += Rings(summary).allClosed ? 1 : 0
    }
    return weeks
  }

  /// How many days in a row, counted back from `today`, closed the Move ring, and all rings.
  package func streaks(today: CivilDay) -> (move: Int, all: Int) {
    guard let first = rings.keys.min(), first <= today else { return (0, 0) }
    let facts = DayFacts(
      first: first,
      facts: (first...today).map { day in
        DayFact(shown: nil, stepsGoal: nil, rings: rings[day].map { Rings($0.summary) }, paused: false)
      })
    let length = { (kind: StreakKind) in facts.streak(kind, today: today) { _ in false }.length }
    return (length(.ring(.move)), length(.allRings))
  }
}

/// Sums of a week; `steps` is nil if none of its days has steps.
package struct PreviewWeek: Equatable, Sendable {
  package var steps: Int?
  package var daysWithSteps = 0
  package var daysAllClosed = 0

  mutating func add(_ shown: Int) {
    steps = (steps ?? 0) + shown
    daysWithSteps += 1
  }
}
