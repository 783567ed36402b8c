import Activity
import Consent
import People
import Postgres
import Support
import Testing

@testable import Storage

/// What a person's data should be after some random deeds, kept in memory.
private struct Model {
  static let sources = [
    Source(key: "apple:Ada’s Phone", sourceClass: .phone, device: "iPhone"),
    Source(key: "apple:Ada’s Watch", sourceClass: .watch, device: "Watch"),
    Source(key: "apple:Walker", sourceClass: .other, device: "Walker"),
    Source(key: "manual", sourceClass: .manual, device: "By hand"),
    Source(key: "apple:Ada’s Phone", sourceClass: .other, device: "an app on it"),
  ]
  static let walkZones = ["Asia/Tokyo", "America/New_York"]
  /// 23 March 2025: around the change of clocks in Berlin.
  static let start: Int64 = 1_742_688_000

  var apple: [SampleKey: Sample] = [:]
  var phone: [SampleKey: Sample] = [:]
  var dead: Set<SampleKey> = []
  var zones = [DatedZone(since: nil, zone: "Europe/Berlin")]
  var countsManual = true
  var order: [String] = []
  var random: Seeded

  mutating func sample() -> Sample {
    let start = Instant(milliseconds: Model.start * 1000 + Int64.random(in: 0..<12 * 86_400_000, using: &random))
    let length = [0, 30_000, 600_000, 3_600_000, 30_000_000, 200_000_000].randomElement(using: &random)!
    let zone: Int16? = Int.random(in: 0..<12, using: &random) == 0 ? Int16.random(in: 0..<2, using: &random) : nil
    return Sample(
      start: start, end: start.advanced(milliseconds: Int64(length)),
      count: Bool.random(using: &random) ? Double(Int.random(in: 0..<900, using: &random)) : 7369.1420323996308,
      recorded: Bool.random(using: &random) ? nil : start.advanced(hours: 400),
      key: SampleKey(high: random.next(), low: random.next()),
      source: Int32.random(in: 0..<5, using: &random), zone: zone)
  }

  func batch(_ feed: Feed, _ samples: some Sequence<Sample>) -> Batch {
    var batch = Batch(feed: feed)
    batch.sources = Model.sources
    batch.zones = Model.walkZones
    batch.samples = Array(samples)
    return batch
  }

  /// A fresh merge of everything there is, in the database's numbers of sources.
  func totals(numbers: [SourceIdentity: Int32], stored: [StoredSource]) -> [CivilDay: DayTotal] {
    let zones = Dictionary(
      uniqueKeysWithValues: Model.walkZones.enumerated().map {
        (Int16($0.offset), TestZones.table.zone(named: $0.element)!)
      })
    let merge = Merge(
      sources: Dictionary(uniqueKeysWithValues: stored.map { ($0.number, $0.source) }), zones: zones,
      history: ZoneHistory(self.zones, in: TestZones.table),
      options: MergeOptions(priority: order, includeManual: countsManual))
    return merge.days(
      (Array(apple.values) + Array(phone.values)).map { sample in
        var numbered = sample
        let source = Model.sources[Int(sample.source)]
        numbered.source = numbers[SourceIdentity(key: source.key, sourceClass: source.sourceClass)]!
        return numbered
      })
  }
}

extension Store {
  func storedDays(of person: PersonID) async throws -> [CivilDay: DayTotal] {
    let rows = try await pool.query(
      DaySQL.standing,
      [.int64(person.number), .int16(DataType.stepCount.rawValue), .date(-100_000), .date(100_000)])
    var days: [CivilDay: DayTotal] = [:]
    for row in rows {
      let total = DayTotal(row, from: 3)
      #expect(Int(row.int32(1)) == total.shown)
      days[CivilDay(number: row.date(0))] = total
    }
    return days
  }

  fileprivate func sources(of person: PersonID) async throws -> [StoredSource] {
    try await pool.query(SourceSQL.list, [.int64(person.number)]).map(StoredSource.init)
  }
}

@Suite struct CountingTests {
  @Test(
    "whatever is imported, sent, deleted and set, days equal a fresh merge of what remains",
    arguments: 0..<Soak.times(100, 1_000))
  func sequences(seed: Int) async throws {
    let home = try Home()
    try await home.run { store in
      var model = Model(random: Seeded(UInt64(seed)))
      let person = try await store.createAccount(
        NewAccount(login: "person\(seed)", displayName: "P", passwordHash: nil, zone: "Europe/Berlin"))
      let hand = WritePermit.onServer(for: person, client: nil)
      let client = try await store.addClient(hand, name: "phone", feed: .healthKit)
      let phone = WritePermit.onServer(for: person, client: client)
      for _ in 0..<6 {
        try await CountingTests.step(&model, store, hand: hand, phone: phone)
        while try await store.recount(hand, limit: 5) > 0 {}
        try await CountingTests.check(model, store, person)
      }
    }
  }

  private static func step(
    _ model: inout Model, _ store: Store, hand: WritePermit, phone: WritePermit
  ) async throws {
    let choice = Int.random(in: 0..<9, using: &model.random)
    switch choice {
    case 0, 1, 2: try await importFile(&model, store, hand)
    case 3, 4: try await upload(&model, store, phone)
    case 5: try await delete(&model, store, phone)
    case 6: try await changeZone(&model, store, hand)
    case 7:
      model.countsManual.toggle()
      try await store.changeManual(hand, counts: model.countsManual)
    default:
      let keys = ["apple:Walker", "apple:Ada’s Phone", "manual", "apple:Ada’s Watch"]
      model.order = Array(keys.shuffled(using: &model.random).prefix(Int.random(in: 0...3, using: &model.random)))
      try await store.changeSourceOrder(hand, keys: model.order)
      let known = Set(try await store.sources(of: hand.owner).map(\.source.key))
      model.order = model.order.filter(known.contains)
    }
  }

  /// A new export keeps most of the old one, and brings more; some of it twice.
  private static func importFile(_ model: inout Model, _ store: Store, _ hand: WritePermit) async throws {
    let kept = model.apple.values.sorted { $0.key < $1.key }.filter { _ in
      Int.random(in: 0..<10, using: &model.random) > 0
    }
    var all = kept
    for _ in 0..<Int.random(in: 1..<25, using: &model.random) { all.append(model.sample()) }
    all += all.prefix(5)
    all.shuffle(using: &model.random)
    let middle = all.count / 2
    _ = try await store.importFile(
      hand.owner, [model.batch(.apple, all[..<middle]), model.batch(.apple, all[middle...])], counting: 4)
    model.apple = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
  }

  private static func upload(_ model: inout Model, _ store: Store, _ phone: WritePermit) async throws {
    var samples = (0..<Int.random(in: 1..<20, using: &model.random)).map { _ in model.sample() }
    if let old = model.phone.values.min(by: { $0.key < $1.key }) { samples.append(old) }
    if let dead = model.dead.min() {
      samples[0].key = dead
    }
    let batch = model.batch(.healthKit, samples)
    let number = (model.random.next(), model.random.next())
    for _ in 0..<2 {
      let reply = try await store.receive(batch, Upload(batch: number, bodyHash: [1]), permit: phone) { outcome in
        Array(outcome.results.map { "\($0)" }.joined(separator: ",").utf8)
      }
      let words = String(decoding: reply, as: UTF8.self).split(separator: ",")
      #expect(words.count == samples.count)
      for (sample, word) in zip(samples, words) {
        let expected =
          model.dead.contains(sample.key) ? "deleted" : model.phone[sample.key] == nil ? "stored" : "duplicate"
        #expect(word == expected)
      }
    }
    for sample in samples where !model.dead.contains(sample.key) { model.phone[sample.key] = sample }
  }

  private static func delete(_ model: inout Model, _ store: Store, _ phone: WritePermit) async throws {
    var batch = Batch(feed: .healthKit)
    for sample in model.phone.values.sorted(by: { $0.key < $1.key }) where Bool.random(using: &model.random) {
      let start = Bool.random(using: &model.random) ? sample.start : nil
      batch.deletions.append(Deletion(key: sample.key, start: start))
    }
    batch.deletions.append(Deletion(key: SampleKey(high: model.random.next(), low: 1), start: nil))
    let number = (model.random.next(), model.random.next())
    let there = batch.deletions.filter { model.phone[$0.key] != nil }.count
    _ = try await store.receive(batch, Upload(batch: number, bodyHash: []), permit: phone) { outcome in
      #expect(outcome.deleted == there)
      return []
    }
    for deletion in batch.deletions {
      model.phone[deletion.key] = nil
      model.dead.insert(deletion.key)
    }
  }

  private static func changeZone(_ model: inout Model, _ store: Store, _ hand: WritePermit) async throws {
    let names = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Chatham", "Asia/Kolkata"]
    let zone = names.randomElement(using: &model.random)!
    let since = Instant(seconds: Model.start + Int64.random(in: 0..<12 * 86_400, using: &model.random))
    let dated: Instant? = Int.random(in: 0..<3, using: &model.random) == 0 ? nil : since
    try await store.changeZone(hand, to: zone, since: dated)
    model.zones = model.zones.changed(to: zone, since: dated)
  }

  private static func check(_ model: Model, _ store: Store, _ person: PersonID) async throws {
    let sources = try await store.sources(of: person)
    let numbers = Dictionary(
      uniqueKeysWithValues: sources.map {
        (SourceIdentity(key: $0.source.key, sourceClass: $0.source.sourceClass), $0.number)
      })
    let expected = model.totals(numbers: numbers, stored: sources)
    let found = try await store.storedDays(of: person)
    for day in Set(found.keys).union(expected.keys).sorted() where found[day] != expected[day] {
      Issue.record("\(day.iso): found \(describe(found[day])), expected \(describe(expected[day]))")
    }
    try await checkFacts(found, store, person)
  }

  private static func checkFacts(_ days: [CivilDay: DayTotal], _ store: Store, _ person: PersonID) async throws {
    let rows = try await store.pool.query(FactSQL.years, [.int64(person.number), .int16s([2024, 2025, 2026])])
    let facts = DayFacts(try rows.map { YearFacts(year: Int($0.int16(0)), bytes: $0.bytes(1)) })
    for number in 20_160..<20_200 {
      let day = CivilDay(number: Int32(number))
      let shown = days[day]?.shown
      #expect(facts[day] == DayFact(shown: shown, stepsGoal: 10_000, rings: nil, paused: false))
    }
  }
}

private func describe(_ total: DayTotal?) -> String {
  guard let total else { return "nothing" }
  let slots = total.slots.filter { $0.share != 0 }.map { "\($0.label)@\($0.start)+\($0.length)=\($0.share)" }
  let sources = total.bySource.map { "\($0.source):\($0.counted)/\($0.hidden)" }
  return "\(total.exact) flags \(total.flags.rawValue) \(sources) \(slots)"
}
