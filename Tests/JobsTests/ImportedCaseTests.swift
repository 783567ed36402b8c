import Activity
import Consent
import Foundation
import Jobs
import People
import Storage
import Support
import Testing

private typealias Object = [String: Any]

private struct ImportCase {
  let folder: String
  let config: Object
  let expected: Object

  init(_ folder: String) throws {
    self.folder = folder
    config = try Self.json(folder + "/config.json")
    expected = try Self.json(folder + "/expected.json")
  }

  private static func json(_ path: String) throws -> Object {
    let bytes = try Repository.bytes(path)
    return try JSONSerialization.jsonObject(with: Data(bytes)) as? Object ?? [:]
  }

  var files: [Object] { config["files"] as? [Object] ?? [] }
  var isApples: Bool { files.allSatisfy { ($0["format"] as? String)?.hasPrefix("apple") == true } }
  var account: Object { config["account"] as? Object ?? [:] }

  /// Each with the instant from which on it holds.
  var zones: [(since: Instant?, name: String)] {
    if let name = account["zones"] as? String { return [(nil, name)] }
    return (account["zones"] as? [[Any]] ?? []).map { pair in
      let since = (pair[0] as? String).map { Instant(utc: String($0.prefix(19)) + "Z") }
      return (since, pair[1] as? String ?? "UTC")
    }
  }
}

@Suite("Cases through an import")
struct ImportedCaseTests {
  @Test("every case gives its answer through the database", .serialized, arguments: ["cases", "cases-own"])
  func everyCase(fixtures: String) async throws {
    let home = try JobHome()
    let folders = try Repository.entries("Tests/Fixtures/\(fixtures)").filter(\.isFolder).map(\.name)
    for (number, name) in folders.enumerated() {
      let folder = "Tests/Fixtures/\(fixtures)/\(name)"
      guard try ImportCase(folder).isApples else { continue }
      try await check(folder, home, login: "person\(number)")
    }
  }

  private func check(_ folder: String, _ home: JobHome, login: String) async throws {
    let (person, imports) = try await home.run { runner, store, _ in
      let given = try ImportCase(folder)
      let person = try await home.account(login, zone: given.zones[0].name, store: store)
      let permit = WritePermit.onServer(for: person, client: nil)
      for zone in given.zones.dropFirst() { try await store.changeZone(permit, to: zone.name, since: zone.since) }
      if given.account["includeManual"] as? Bool == false { try await store.changeManual(permit, counts: false) }
      var imports: [(String, ImportID)] = []
      for file in given.files {
        home.clock.set(Instant(utc: file["receivedAt"] as? String ?? ""))
        let path = file["path"] as? String ?? ""
        let id = try await home.receive(try Repository.bytes(folder + "/" + path), of: person, store: store)
        imports.append((path, id))
        try await runner.runDue()
      }
      let order = given.account["priority"] as? [String] ?? []
      if !order.isEmpty {
        try await store.changeSourceOrder(permit, keys: order)
        try await runner.runDue()
      }
      return (person, imports)
    }
    let given = try ImportCase(folder)
    try compareDays(given, home, person)
    try compareRings(given, home, person)
    try compareFaults(given, home, imports)
  }

  private func compareDays(_ given: ImportCase, _ home: JobHome, _ person: PersonID) throws {
    let expected = given.expected["days"] as? Object ?? [:]
    let shown = expected.mapValues { ($0 as? Object)?["steps"] as? Int ?? -1 }
    #expect(try home.days(of: person) == shown, "\(given.folder)")
    let stale = try home.rows("SELECT day FROM stale_days WHERE person_id = \(person.number)")
    #expect(stale.isEmpty, "\(given.folder)")
  }

  private func compareRings(_ given: ImportCase, _ home: JobHome, _ person: PersonID) throws {
    let rows = try home.rows(
      """
      SELECT day, move_mode, move, move_goal, exercise, exercise_goal, stand, stand_goal FROM activity_summaries
      WHERE person_id = \(person.number)
      """)
    let expected = given.expected["rings"] as? Object ?? [:]
    #expect(Set(rows.compactMap { $0[0] }) == Set(expected.keys), "\(given.folder)")
    for row in rows {
      let rings = expected[row[0] ?? ""] as? Object ?? [:]
      #expect((rings["moveMode"] as? String == "minutes" ? "2" : "1") == row[1], "\(given.folder)")
      for (place, ring) in ["move", "exercise", "stand"].enumerated() {
        for (offset, part) in ["value", "goal"].enumerated() {
          let want = ((rings[ring] as? Object)?[part] as? NSNumber)?.doubleValue
          let have = row[2 + 2 * place + offset].flatMap { Double($0) }
          #expect((want == nil) == (have == nil), "\(given.folder) \(ring) \(part)")
          #expect(abs((want ?? 0) - (have ?? 0)) < 1e-3, "\(given.folder) \(ring) \(part)")
        }
      }
    }
  }

  private func compareFaults(_ given: ImportCase, _ home: JobHome, _ imports: [(path: String, id: ImportID)]) throws {
    var refused: [String] = []
    var errors: [String] = []
    for (path, id) in imports {
      let rows = try home.rows("SELECT record, reason FROM refused_records WHERE import_id = \(id.number)")
      refused += rows.map { "\(path) \($0[0] ?? "") \($0[1] ?? "")" }
      let outcome = try home.outcome(id)
      if let problem = outcome[1] { errors.append("\(path) \(problem)") }
      #expect(outcome[0] == (outcome[1] == nil || outcome[1] == "truncated" ? "3" : "4"), "\(given.folder)")
    }
    let expectedRefused = (given.expected["rejected"] as? [Object] ?? []).map {
      "\($0["file"] ?? "") \($0["record"] ?? "") \($0["reason"] ?? "")"
    }
    let expectedErrors = (given.expected["fileErrors"] as? [Object] ?? []).map {
      "\($0["file"] ?? "") \($0["error"] ?? "")"
    }
    #expect(refused.sorted() == expectedRefused.sorted(), "\(given.folder)")
    #expect(errors.sorted() == expectedErrors.sorted(), "\(given.folder)")
    #expect(home.files.isEmpty, "\(given.folder)")
  }
}
