import Foundation
import Postgres
import Support
import Testing

/// Power cuts while phones upload: what was answered 200 is there exactly once, nothing is there by half.
@Suite(.serialized)
struct KillTests {
  private enum Victim: CaseIterable { case server, database, both }

  /// A kill in `make test` for each victim, fifty in `make soak`.
  private static let rounds = Soak.times(3, 50)

  @Test("server, database and both are killed in mid-body while phones upload: nothing answered is lost or there twice")
  func kills() throws {
    let server = try HouseServer()
    let browser = try HouseBrowser(server)
    _ = try browser.setUp()
    let uploads = try PhoneUploads(server, tokens: (1...3).map { try browser.addDevice("Phone \($0)") })
    defer { uploads.stop() }
    for round in 0..<Self.rounds {
      let victim = Victim.allCases[round % Victim.allCases.count]
      let slow = try uploads.startSlowly(server)
      try uploads.wait(forMore: 5 + round * 7 % 23)
      #expect(!slow.hasEnded, "the slow phone is in the middle of its body")
      let began = ContinuousClock.now
      try strike(victim, server, uploads)
      try uploads.wait(forMore: 1)
      let pause = began.duration(to: .now)
      // A phone's next upload is taken within three seconds; a debug build beside other tests gets more.
      #expect(pause < .seconds(Soak.isOn ? 3 : 15), "the first answer after \(pause)")
      print("round \(round): \(victim) killed, the next 200 after \(pause)")
      // Where only the database died, the slow phone goes on; it has had its turn.
      kill(slow.identifier, SIGKILL)
      _ = slow.wait()
      try expectWhole(server, uploads)
    }
    uploads.finish()
    try expectWhole(server, uploads)
    #expect(uploads.faults.isEmpty, "\(uploads.faults)")
    #expect(uploads.waiting.isEmpty)
    for batch in uploads.answered {
      #expect(try uploads.send(batch) == batch.answer, "the same answer once more")
    }
    #expect(server.stop() == 0)
  }

  private func strike(_ victim: Victim, _ server: HouseServer, _ uploads: PhoneUploads) throws {
    let database = try server.databaseProcess()
    switch victim {
    case .server: try server.killAndStartAgain()
    case .database: kill(database, SIGKILL)
    case .both:
      kill(database, SIGKILL)
      try server.killAndStartAgain()
    }
    uploads.base = server.base
  }

  /// Every answered batch with all its samples once, every other one wholly or not at all, and days that are their sum.
  private func expectWhole(_ server: HouseServer, _ uploads: PhoneUploads) throws {
    let (answered, waiting) = (uploads.answered, uploads.waiting)
    let database = try EmbeddedPostgres.open(server.home.folder, sharing: true)
    defer { database.abandon() }
    let connection = try BlockingConnection(database.superuserAddress(database: "stepwell"))
    let rows = try connection.rows("SELECT extract(epoch FROM started_at)::bigint, count(*) FROM samples GROUP BY 1")
    var found: [Int: Int] = [:]
    for row in rows { found[Int(row[0] ?? "") ?? 0] = Int(row[1] ?? "") ?? 0 }
    for batch in answered {
      #expect(batch.seconds.allSatisfy { found[$0] == 1 }, "batch \(batch.id) was answered")
    }
    for batch in waiting {
      let there = batch.seconds.filter { found[$0] != nil }.count
      #expect(there == 0 || there == batch.seconds.count, "batch \(batch.id) is there by half")
      #expect(batch.seconds.allSatisfy { found[$0] ?? 1 == 1 })
    }
    let sums = try connection.rows(
      """
      SELECT (SELECT sum(value) FROM samples)::bigint = (SELECT sum(exact) FROM day_totals)::bigint,
        (SELECT count(*) = count(DISTINCT (client_id, batch_id)) FROM upload_batches)
      """)
    #expect(sums == [["t", "t"]])
  }
}
