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

@Suite("Imports that do not come to their end")
struct ImportEndTests {
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

  @Test("an import that cannot be begun is tried three times, then it fails in words and its file goes")
  func neverBegun() async throws {
    let home = try JobHome()
    try await home.run { runner, store, _ in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      _ = try home.rows("ALTER TABLE imports ADD CONSTRAINT broken CHECK (attempt = 0)")
      for attempt in 1...3 {
        #expect(try home.outcome(id) == ["0", nil], "before attempt \(attempt)")
        #expect(try await runner.runDue() > 0)
        home.clock.advance(milliseconds: 301_000)
      }
      let outcome = try home.outcome(id)
      #expect(outcome.first == "4" && outcome.last??.hasPrefix("internal: ") == true, "\(outcome)")
      #expect(home.files.isEmpty)
      _ = try await runner.runDue()
      #expect(try home.rows("SELECT count(*) FROM jobs") == [["0"]])
    }
  }
}
