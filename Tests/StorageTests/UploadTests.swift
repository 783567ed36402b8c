import Activity
import Consent
import People
import Postgres
import Support
import Synchronization
import Testing

@testable import Storage

private let phoneSource = Source(key: "hk:com.apple.health.1", sourceClass: .phone, device: "iPhone")
private let watchSource = Source(key: "hk:com.apple.health.2", sourceClass: .watch, device: "Watch")

/// A walk on 26 November 2026, at so many minutes after 08:00 UTC.
private func walk(_ minute: Int, _ length: Int = 5, _ count: Double, key: UInt64, source: Int32 = 0) -> Sample {
  let start = Instant(utc: "2026-11-26T08:00:00Z").advanced(milliseconds: Int64(minute) * 60_000)
  return Sample(
    start: start, end: start.advanced(milliseconds: Int64(length) * 60_000), count: count,
    key: SampleKey(high: key, low: key), source: source)
}

private func batch(_ feed: Feed = .healthKit, _ samples: [Sample]) -> Batch {
  var batch = Batch(feed: feed)
  batch.sources = [phoneSource, watchSource]
  batch.samples = samples
  return batch
}

private func upload(_ number: UInt64, body: UInt8 = 1) -> Upload {
  Upload(batch: (number, number), bodyHash: [body])
}

/// The results of an upload as words, which are also its reply.
private func words(_ outcome: UploadOutcome) -> [UInt8] {
  Array(outcome.results.map(\.rawValue).joined(separator: " ").utf8)
}

extension Store {
  fileprivate func send(
    _ batch: Batch, _ upload: Upload, _ phone: WritePermit
  ) async throws -> String {
    String(decoding: try await receive(batch, upload, permit: phone, reply: words), as: UTF8.self)
  }
}

extension Store {
  fileprivate func expect(
    _ words: String, _ batch: Batch, _ upload: Upload, _ phone: WritePermit,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await send(batch, upload, phone)
    #expect(found == words, sourceLocation: place)
  }
}

@Suite struct UploadTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  private func withPhone(
    feed: Feed = .healthKit, _ body: @escaping @Sendable (Store, WritePermit) async throws -> Void
  ) async throws {
    try await home.withAda { store, ada in
      let client = try await store.addClient(.onServer(for: ada, client: nil), name: "iPhone", feed: feed)
      try await body(store, .onServer(for: ada, client: client))
    }
  }

  @Test("the same batch gets the same reply and changes nothing; with another body it is a conflict")
  func again() async throws {
    try await withPhone { store, phone in
      let first = try await store.send(batch(.healthKit, [walk(0, 5, 100, key: 1)]), upload(1), phone)
      #expect(first == "stored")
      try await store.expect("stored", batch(.healthKit, [walk(0, 5, 999, key: 9)]), upload(1), phone)
      await #expect(throws: Problem.self) {
        try await store.send(batch(.healthKit, []), upload(1, body: 2), phone)
      }
      try await store.expect("duplicate", batch(.healthKit, [walk(0, 5, 100, key: 1)]), upload(2), phone)
      let days = try await store.storedDays(of: phone.owner)
      #expect(days.values.map(\.shown) == [100])
    }
  }

  @Test("an upload that was cut off on either side of its COMMIT and repeated leaves what one leaves")
  func cutOff() async throws {
    try await withPhone { store, phone in
      let calls = Mutex(0)
      let sent = batch(.healthKit, [walk(0, 5, 100, key: 1), walk(10, 5, 50, key: 2, source: 1)])
      let home = self.home
      let reply = try await store.receive(sent, upload(7), permit: phone) { outcome in
        // The connection dies under the first attempt, before its COMMIT: the store repeats the whole of it.
        if calls.withLock({
          $0 += 1; return $0
        }) == 1 {
          _ = try? home.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
          )
        }
        return words(outcome)
      }
      #expect(calls.withLock { $0 } == 2)
      #expect(String(decoding: reply, as: UTF8.self) == "stored stored")
      // The answer was lost after COMMIT: the phone sends again.
      try await store.expect("stored stored", sent, upload(7), phone)
      #expect(try home.rows("SELECT count(*) FROM samples") == [["2"]])
      #expect(try await store.storedDays(of: phone.owner).values.map(\.shown) == [150])
    }
  }

  @Test("eight connections with overlapping batches of one person end with the merge of all samples")
  func together() async throws {
    try await withPhone { store, phone in
      let address = self.home.database.address(.web)
      let clock = self.home.clock.clock
      try await withThrowingTaskGroup(of: Void.self) { group in
        for sender in 0..<8 as Range<UInt64> {
          group.addTask {
            let loop = try EventLoopForTest.start()
            defer { loop.stop() }
            try await loop.run(address: address, clock: clock) { own in
              for part in 0..<5 as Range<UInt64> {
                let samples = (0..<20 as Range<UInt64>).map { place in
                  let key = (sender / 2) * 40 + part * 15 + place
                  return walk(Int(key) * 3, 5, Double(key + 1), key: key + 1, source: Int32(key % 2))
                }
                _ = try await own.send(batch(.healthKit, samples), upload(sender * 100 + part + 1), phone)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let found = try await store.storedDays(of: phone.owner)
      let rows = try await store.pool.query(
        SampleSQL.inRange, [.int64(phone.owner.number), .int16(1), .instant(0), .instant(.max - 1)])
      let sources = try await store.pool.query(SourceSQL.list, [.int64(phone.owner.number)]).map(StoredSource.init)
      let merge = Merge(
        sources: Dictionary(uniqueKeysWithValues: sources.map { ($0.number, $0.source) }),
        history: ZoneHistory([DatedZone(since: nil, zone: "Europe/Berlin")], in: TestZones.table))
      #expect(rows.count == 200)
      #expect(found == merge.days(try rows.map { Sample($0, type: .stepCount) }))
    }
  }

  @Test("a record that changes replaces the earlier one; the same value is a duplicate")
  func replaced() async throws {
    try await withPhone(feed: .healthConnect) { store, phone in
      let feed = Feed.healthConnect
      try await store.expect("stored", batch(feed, [walk(0, 5, 100, key: 1)]), upload(1), phone)
      try await store.expect("duplicate", batch(feed, [walk(0, 5, 100, key: 1)]), upload(2), phone)
      // It moved and grew.
      try await store.expect("replaced", batch(feed, [walk(60, 5, 140, key: 1)]), upload(3), phone)
      #expect(try await store.storedDays(of: phone.owner).values.map(\.shown) == [140])
    }
  }

  @Test("of a writer's own identifier the greatest version stands, whatever comes when")
  func versions() async throws {
    try await withPhone { store, phone in
      func sent(_ key: UInt64, _ count: Double, version: Int64) -> Batch {
        var one = batch(.healthKit, [walk(0, 5, count, key: key)])
        one.syncs = [SyncVersion(sample: 0, identifier: "walk", version: version)]
        return one
      }
      try await store.expect("stored", sent(1, 10, version: 1), upload(1), phone)
      try await store.expect("replaced", sent(2, 20, version: 3), upload(2), phone)
      try await store.expect("older", sent(3, 30, version: 2), upload(3), phone)
      try await store.expect("older", sent(4, 40, version: 3), upload(4), phone)
      try await store.expect("duplicate", sent(2, 20, version: 3), upload(5), phone)
      #expect(try await store.storedDays(of: phone.owner).values.map(\.shown) == [20])
    }
  }

  @Test("what is deleted stays dead, also when it was deleted before it came")
  func dead() async throws {
    try await withPhone { store, phone in
      var gone = batch(.healthKit, [])
      gone.deletions = [Deletion(key: SampleKey(high: 1, low: 1), start: nil)]
      _ = try await store.send(gone, upload(1), phone)
      let sent = batch(.healthKit, [walk(0, 5, 100, key: 1), walk(9, 5, 7, key: 2)])
      try await store.expect("deleted stored", sent, upload(2), phone)
      gone.deletions = [Deletion(key: SampleKey(high: 2, low: 2), start: sent.samples[1].start)]
      _ = try await store.send(gone, upload(3), phone)
      #expect(try await store.storedDays(of: phone.owner).isEmpty)
      try await store.expect("deleted deleted", sent, upload(4), phone)
    }
  }

  @Test("a client of somebody else, or one that was removed, may not upload")
  func strangers() async throws {
    try await withPhone { store, phone in
      let ben = try await store.createAccount(
        NewAccount(login: "ben", displayName: "Ben", passwordHash: nil, zone: "UTC"))
      let stolen = WritePermit.onServer(for: ben, client: phone.client)
      await #expect(throws: Problem.self) { _ = try await store.send(batch(.healthKit, []), upload(1), stolen) }
      try self.home.script("UPDATE clients SET ended_at = now()")
      await #expect(throws: Problem.self) { _ = try await store.send(batch(.healthKit, []), upload(2), phone) }
    }
  }

  @Test("declared intervals join per client, and all clients together answer how far data reaches")
  func coverage() async throws {
    try await withPhone { store, phone in
      let eight = Instant(utc: "2026-11-26T08:00:00Z")
      var first = upload(1)
      first.declared = [(.stepCount, eight..<eight.advanced(hours: 1))]
      _ = try await store.send(batch(.healthKit, []), first, phone)
      var second = upload(2)
      second.declared = [(.stepCount, eight.advanced(hours: 1)..<eight.advanced(hours: 3))]
      let through = Mutex<Instant?>(nil)
      _ = try await store.receive(batch(.healthKit, []), second, permit: phone) { outcome in
        through.withLock { $0 = outcome.coverage[.stepCount]?.through }
        return []
      }
      #expect(through.withLock { $0 } == eight.advanced(hours: 3))
      #expect(try self.home.rows("SELECT cardinality(complete_from) FROM coverage") == [["1"]])
    }
  }

  @Test("a change of a day that is over is kept with its reason; one of today is not")
  func revisions() async throws {
    try await withPhone { store, phone in
      _ = try await store.send(batch(.healthKit, [walk(0, 5, 100, key: 1)]), upload(1), phone)
      _ = try await store.send(batch(.healthKit, [walk(10, 5, 50, key: 2)]), upload(2), phone)
      #expect(try self.home.rows("SELECT 1 FROM day_revisions").isEmpty)
      self.home.clock.advance(milliseconds: 86_400_000)
      _ = try await store.send(batch(.healthKit, [walk(20, 5, 25, key: 3, source: 1)]), upload(3), phone)
      var gone = batch(.healthKit, [])
      gone.deletions = [1, 2, 3].map { Deletion(key: SampleKey(high: $0, low: $0), start: nil) }
      _ = try await store.send(gone, upload(4), phone)
      let claim = try await store.signIn(phone.owner)
      let day = CivilDay(year: 2026, month: 11, day: 26)!
      let page = try store.open(try await store.day(claim, day), claim)
      #expect(page.total == nil)
      #expect(page.revisions.map(\.old) == [150, 175])
      #expect(page.revisions.map(\.new) == [175, nil])
      #expect(page.revisions.map(\.reason) == [.late, .deleted])
      // It comes to life again: the numbers of its revisions go on.
      _ = try await store.send(batch(.healthKit, [walk(30, 5, 5, key: 4)]), upload(5), phone)
      _ = try await store.send(batch(.healthKit, [walk(40, 5, 5, key: 5)]), upload(6), phone)
      let later = try store.open(try await store.day(claim, day), claim)
      #expect(later.revisions.map(\.new) == [175, nil, 10])
    }
  }
}
