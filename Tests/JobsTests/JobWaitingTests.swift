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

@Suite("Jobs that wait")
struct JobWaitingTests {
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
      #expect(try home.outcome(id) == ["0", ImportRow.noSpace])
      home.clock.advance(milliseconds: 61_000)
      settings.freeBytes = 0
      #expect(try await JobRunner(store: store, poller: poller, settings: settings).runDue() == 1)
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

  @Test("an import that waits for the disk says so until it goes on")
  func noted() async throws {
    let home = try JobHome()
    try await home.run { runner, store, poller in
      let ada = try await home.account("ada", zone: "UTC", store: store)
      let id = try await home.receive(export(thirty), of: ada, store: store)
      var settings = JobSettings(importFolder: home.folder, instance: "test")
      settings.freeBytes = .max
      _ = try await JobRunner(store: store, poller: poller, settings: settings).runDue()
      #expect(try home.outcome(id) == ["0", ImportRow.noSpace])
      home.clock.advance(milliseconds: 61_000)
      let job = try #require(try await store.claimJob(instance: "test", lease: 60))
      _ = try await store.beginImport(job)
      #expect(try home.outcome(id) == ["1", nil])
    }
  }
}
