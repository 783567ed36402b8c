import Activity
import Consent
import EventLoop
import Files
import Glibc
import Intake
import People
import Storage
import Support
import Testing

@testable import Jobs

private let thirty = (0..<30).map { (minute: $0 * 40, value: "\($0 + 1)") }

@Suite("Jobs")
struct JobRunnerTests {
  @Test("an import that was killed anywhere is taken up after a restart and counts the same", arguments: 0..<5)
  func killed(after steps: Int) async throws {
    let home = try JobHome()
    try await home.run(slices: 7) { runner, store, _ in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      let job = try #require(try await store.claimJob(instance: "test", lease: 60))
      let writer = try await store.beginImport(job)
      let reader = try AppleExportReader(
        path: home.folder + "/" + id.description, receivedAt: home.clock.now, sliceSize: 10)
      for _ in 0..<min(steps, 3) {
        guard let slice = try reader.next() else { break }
        try await writer.add(slice, position: 1, records: Int64(reader.counts.records))
      }
      if steps > 3 { _ = try await writer.count(limit: 1) }
      // Here the process is gone. Its lease holds for others …
      #expect(try await runner.runDue() == 0)
      // … but not for itself.
      #expect(try await runner.runDue(restarted: true) == 1)
      #expect(try home.days(of: ada) == ["2025-06-10": 120, "2025-06-11": 345])
      #expect(try home.outcome(id) == ["3", nil])
      #expect(try home.rows("SELECT count(*) FROM samples") == [["30"]])
      #expect(home.files.isEmpty)
      // The old writer has lost it.
      await #expect(throws: Problem.self) { try await writer.end(.done, problem: nil) }
    }
  }

  @Test("another instance takes an import over when the lease has run out")
  func leaseRunsOut() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      _ = try await store.claimJob(instance: "another", lease: 60)
      #expect(try await runner.runDue(restarted: true) == 0)
      home.clock.advance(milliseconds: 61_000)
      #expect(try await runner.runDue() == 1)
      #expect(try home.outcome(id) == ["3", nil])
    }
  }

  @Test("a file that broke off adds and takes nothing away; a whole one replaces")
  func snapshot() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      let rings =
        "<ActivitySummary dateComponents=\"2025-06-09\" activeEnergyBurned=\"5\" activeEnergyBurnedGoal=\"9\"/>"
      for (records, closed, also, steps) in [
        ([(0, "100"), (1, "50")], true, rings, 150), ([(2, "7")], false, "", 157),
        ([(0, "100"), (2, "7")], true, "", 107),
      ] {
        let id = try await home.receive(
          export(records.map { (minute: $0.0, value: $0.1) }, closed: closed, also: also), of: ada, store: store)
        try await runner.runDue()
        #expect(try home.outcome(id) == ["3", closed ? nil : "truncated"])
        #expect(try home.days(of: ada) == ["2025-06-10": steps])
        let kept = try home.rows("SELECT day FROM activity_summaries")
        #expect(kept == (steps == 107 ? [] : [["2025-06-09"]]))
      }
    }
  }

  @Test("a cancelled import stops at the next slice, and its file goes")
  func cancelled() async throws {
    let home = try JobHome()
    try await home.run(slices: 1) { runner, store, poller in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let many = (0..<4000).map { (minute: $0 % 6000, value: "1") }
      let id = try await home.receive(export(many), of: ada, store: store)
      var isOver = false
      poller.spawn {
        _ = try? await runner.runDue()
        isOver = true
      }
      while try home.outcome(id).first == "0" { await poller.yield() }
      #expect(try await store.cancelImport(.onServer(for: ada, client: nil), id))
      while !isOver { await poller.yield() }
      #expect(try home.outcome(id) == ["5", nil])
      #expect(home.files.isEmpty)
      #expect(try home.rows("SELECT count(*) < 4000 FROM samples") == [["t"]])
      #expect(try home.rows("SELECT count(*) FROM stale_days") == [["0"]])
    }
  }

  @Test("a server that stops puts its import back, and goes on with it afterwards")
  func stopping() async throws {
    let home = try JobHome()
    let signal = JobSignal()
    let id = try await home.run(slices: 1, signal: signal) { runner, store, poller in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      var isOver = false
      poller.spawn {
        await runner.run()
        isOver = true
      }
      while try home.outcome(id).first == "0" { await poller.yield() }
      signal.stop()
      while !isOver { await poller.yield() }
      return id
    }
    try await home.run { runner, _, _ in
      _ = try await runner.runDue()
      #expect(try home.outcome(id) == ["3", nil])
      #expect(try home.rows("SELECT count(*) FROM samples") == [["30"]])
      #expect(try home.rows("SELECT count(*) FROM jobs") == [["0"]])
    }
  }

  @Test("an import whose file is gone fails in words, and the next one runs")
  func missingFile() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let gone = try await home.receive(export(thirty), of: ada, store: store)
      unlink(home.folder + "/" + gone.description)
      let next = try await home.receive(export(thirty), of: ada, store: store)
      try await runner.runDue()
      #expect(try home.outcome(gone) == ["4", "unreadable: errno \(ENOENT)"])
      #expect(try home.outcome(next) == ["3", nil])
    }
  }

  @Test("a full disk makes an import wait, not fail")
  func fullDisk() async throws {
    let home = try JobHome()
    try await home.run { _, store, poller in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      var settings = JobSettings(importFolder: home.folder, instance: "test")
      settings.freeBytes = .max
      let full = JobRunner(store: store, poller: poller, settings: settings)
      #expect(try await full.runDue() == 1)
      #expect(try home.outcome(id) == ["0", nil])
      home.clock.advance(milliseconds: 61_000)
      settings.freeBytes = 0
      #expect(try await JobRunner(store: store, poller: poller, settings: settings).runDue() == 1)
      #expect(try home.outcome(id) == ["3", nil])
    }
  }

  @Test("an import during which the program ends is begun three times, then it is given up in words")
  func deadly() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      for attempt in 1...3 {
        let job = try #require(try await store.claimJob(instance: "test", lease: 60))
        #expect(job.tries == attempt)
        let writer = try await store.beginImport(job)
        let reader = try AppleExportReader(
          path: home.folder + "/" + id.description, receivedAt: home.clock.now, sliceSize: 10)
        try await writer.add(try #require(try reader.next()), position: 1, records: 10)
        // Here the process is gone, each time.
        try await store.takeBackJobs(of: "test")
      }
      // After the third time not at once: a server that is to start must not read it first of all.
      #expect(try await store.claimJob(instance: "test", lease: 60) == nil)
      home.clock.advance(milliseconds: 61_000)
      #expect(try await runner.runDue() > 0)
      #expect(try home.outcome(id) == ["4", ImportRow.crashed])
      #expect(home.files.isEmpty)
      // What was stored is counted all the same.
      #expect(try home.days(of: ada) == ["2025-06-10": 55])
      #expect(try home.rows("SELECT count(*) FROM jobs") == [["0"]])
    }
  }

  @Test("an import that gets further each time is never given up, however often the program ends")
  func killedOften() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      for attempt in 1...5 {
        let job = try #require(try await store.claimJob(instance: "test", lease: 60))
        #expect(job.tries <= 2)
        let writer = try await store.beginImport(job)
        let reader = try AppleExportReader(
          path: home.folder + "/" + id.description, receivedAt: home.clock.now, sliceSize: 5)
        for slice in 1...attempt {
          try await writer.add(try #require(try reader.next()), position: Int64(slice), records: Int64(5 * slice))
        }
        // Here the process is gone, each time a slice later.
        try await store.takeBackJobs(of: "test")
        home.clock.advance(milliseconds: 61_000)
      }
      #expect(try await runner.runDue() > 0)
      #expect(try home.outcome(id) == ["3", nil])
    }
  }

  @Test("a piece of work that outlasts the lease keeps it")
  func longWork() async throws {
    let home = try JobHome()
    try await home.run { _, store, poller in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      _ = try await home.receive(export(thirty), of: ada, store: store)
      var settings = JobSettings(importFolder: home.folder, instance: "test")
      settings.lease = 1
      let runner = JobRunner(store: store, poller: poller, settings: settings)
      let job = try #require(try await store.claimJob(instance: "test", lease: 1))
      let lease = Lease(job, runner)
      home.clock.advance(milliseconds: 10_000)
      // Asked on a worker, so that the loop is free to hold the lease.
      let isHeld = {
        try await poller.onWorker {
          let now = home.clock.now.milliseconds
          return try home.rows("SELECT extract(epoch FROM leased_until) * 1000 > \(now) FROM jobs") == [["t"]]
        }
      }
      #expect(try await !isHeld())
      try await lease.holding {
        for _ in 0..<2000 where try await !isHeld() { await poller.yield() }
      }
      #expect(try await isHeld())
      #expect(try await store.claimJob(instance: "another", lease: 1) == nil)
    }
  }

  @Test("waiting for the disk, for another import or for the database uses no attempt up")
  func waiting() async throws {
    let home = try JobHome()
    try await home.run { runner, store, poller in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      let first = try await home.receive(export(thirty), of: ada, store: store)
      var settings = JobSettings(importFolder: home.folder, instance: "test")
      settings.freeBytes = .max
      let full = JobRunner(store: store, poller: poller, settings: settings)
      for _ in 0..<5 {
        #expect(try await full.runDue() == 1)
        home.clock.advance(milliseconds: 61_000)
      }
      let job = try #require(try await store.claimJob(instance: "another", lease: 6000))
      _ = try await store.beginImport(job)
      let second = try await home.receive(export(thirty), of: ada, store: store)
      for _ in 0..<5 {
        #expect(try await runner.runDue() == 1)
        home.clock.advance(milliseconds: 4000)
      }
      #expect(try home.rows("SELECT max(tries), max(attempts) FROM jobs WHERE leased_by IS NULL") == [["0", "5"]])
      try await store.putBack(job, after: 0, error: nil, isTried: false)
      _ = try await runner.runDue()
      home.clock.advance(milliseconds: 4000)
      _ = try await runner.runDue()
      #expect(try home.outcome(first) == ["3", nil])
      #expect(try home.outcome(second) == ["3", nil])
    }
  }

  @Test("a file that is refused in its middle fails, keeps what came before, and takes nothing away")
  func refusedLate() async throws {
    let home = try JobHome()
    try await home.run(slices: 10) { runner, store, _ in
      let ada = try await home.account("ada", zone: "America/New_York", store: store)
      _ = try await home.receive(export([(minute: 1, value: "1000")]), of: ada, store: store)
      try await runner.runDue()
      let id = try await home.receive(export(thirty, also: "<!ENTITY lol \"lol\">"), of: ada, store: store)
      try await runner.runDue()
      #expect(try home.outcome(id) == ["4", "entity_declaration"])
      #expect(try home.rows("SELECT stored > 0, removed FROM imports WHERE import_id = \(id.number)") == [["t", "0"]])
      // Days are right for what is stored: nothing is stale, the older sample is still there.
      #expect(try home.rows("SELECT count(*) FROM stale_days") == [["0"]])
      #expect(try home.days(of: ada)["2025-06-10"] == 1120)
      #expect(home.files.isEmpty)
      // The whole file adds the rest and counts nothing twice.
      let whole = try await home.receive(export(thirty), of: ada, store: store)
      try await runner.runDue()
      #expect(try home.outcome(whole) == ["3", nil])
      #expect(try home.days(of: ada) == ["2025-06-10": 120, "2025-06-11": 345])
    }
  }

  @Test("refused records are counted beyond the ones that are listed")
  func manyRefused() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let bad = (0..<10_007).map { (minute: $0 % 60, value: "x") }
      let id = try await home.receive(export(bad), of: ada, store: store)
      try await runner.runDue()
      let counts = try home.rows("SELECT refused, (SELECT count(*) FROM refused_records) FROM imports")
      #expect(counts == [["10007", "10000"]])
      #expect(try home.outcome(id) == ["3", nil])
    }
  }
}

@Suite("Cleaning")
struct CleaningTests {
  @Test("a part that somebody is writing stays, however old; it goes when its writer is gone")
  func parts() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let path = home.folder + "/" + store.freshImport().description
      try Disk.replace(home.folder + "/" + store.freshImport().description + ".part", with: [1])
      // As `stepwell import` does beside a server that starts.
      let part = try PartFile(for: path)
      try part.write([1, 2, 3])
      var times = [timeval](repeating: timeval(tv_sec: time(nil) - 172_800, tv_usec: 0), count: 2)
      utimes(path + ".part", &times)
      await runner.cleanUp()
      #expect(home.files == [String(path.split(separator: "/").last ?? "") + ".part"])
      try part.finish()
      #expect(try Disk.read(path) == [1, 2, 3])
    }
  }

  @Test("old files of imports that are over and of broken uploads go, all others stay")
  func oldFiles() async throws {
    let home = try JobHome()
    let signal = JobSignal()
    try await home.run(signal: signal) { runner, store, poller in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let open = try await home.receive(export(thirty), of: ada, store: store)
      _ = try await store.claimJob(instance: "another", lease: 60)
      let unknown = store.freshImport().description
      let names = [
        unknown, "\(store.freshImport()).part", "notes.txt", store.freshImport().description, open.description,
      ]
      for name in names { close(creat(home.folder + "/" + name, 0o600)) }
      // Written two days ago, all but the fourth.
      for name in names where name != names[3] {
        var times = [timeval](repeating: timeval(tv_sec: time(nil) - 172_800, tv_usec: 0), count: 2)
        utimes(home.folder + "/" + name, &times)
      }
      var isOver = false
      poller.spawn {
        await runner.run()
        isOver = true
      }
      while home.files.count > 3 { await poller.yield() }
      signal.stop()
      while !isOver { await poller.yield() }
      #expect(Set(home.files) == ["notes.txt", names[3], open.description])
    }
  }
}
