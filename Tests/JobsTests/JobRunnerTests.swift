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
