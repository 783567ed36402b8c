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
  private let account: PreviewAccount
  private let zoneTable: ZoneTable
  private var sources: [Source] = []
  private var sourceNumbers: [Source: Int32] = [:]
  private var zones: [ZoneRules] = []
  private var zoneNumbers: [String: Int16] = [:]
  private var samples: [SampleKey: (feed: Feed, sample: Sample)] = [:]
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
  /// refused one is noted in `fileErrors`.
  package mutating func addAppleExport(name: String, path: String, receivedAt: Instant) throws(IntakeProblem) {
    let before = self
    do throws(IntakeProblem) {
      let reader = try AppleExportReader(path: path, receivedAt: receivedAt)
      var present = Snapshot()
      while let slice = try reader.next() { add(slice, of: name, to: &present) }
      counts = reader.counts
      if !reader.isTruncated { replace(.apple, by: present) }
    } catch {
      guard case .refused(let fileError, _) = error else { throw error }
      self = before
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
      guard samples[sample.key] == nil else {
        duplicates += 1
        continue
      }
      sample.source = sourceNumbers[Int(sample.source)]
      sample.zone = sample.zone.flatMap { zoneNumbers[Int($0)] }
      samples[sample.key] = (slice.feed, sample)
    }
    for summary in slice.summaries {
      present.days.insert(summary.day)
      rings[summary.day] = summary.isEmpty ? nil : (slice.feed, summary)
    }
    rejected += slice.refused.map { (name, $0) }
    fileErrors += slice.fileErrors.map { (name, $0) }
  }

  private mutating func replace(_ feed: Feed, by present: Snapshot) {
    samples = samples.filter { $0.value.feed != feed || present.keys.contains($0.key) }
    rings = rings.filter { $0.value.feed != feed || present.days.contains($0.key) }
  }

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
    return merge.days(samples.values.map(\.sample))
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
