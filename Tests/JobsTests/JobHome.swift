import Activity
import Consent
import EventLoop
import Files
import Glibc
import Jobs
import People
import Postgres
import Secrets
import Storage
import Support

/// A database, a folder of uploads, a clock that stands still, and a loop with a store: where jobs live in tests.
final class JobHome: Sendable {
  let database: TestDatabase
  let loop: EventLoop
  let clock = ManualClock("2025-12-31T12:00:00Z")
  let folder: String

  static let zones: ZoneTable = {
    let folder = "Tests/Fixtures/zoneinfo"
    var files: [String: [UInt8]] = [:]
    for path in (try? Repository.files(under: folder)) ?? [] {
      files[String(path.dropFirst(folder.count + 1))] = try? Repository.bytes(path)
    }
    return ZoneTable(files: files)
  }()

  init() throws {
    database = try TestDatabase(Schema.migrations)
    var template = Array("/tmp/stepwell-jobs-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Problem(.internal, "no folder") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    loop = try EventLoop.start(named: "jobs")
  }

  deinit {
    loop.stop()
    system("rm -rf \(folder)")
  }

  /// Runs `body` on the loop with a runner and its store.
  func run<T: Sendable>(
    slices: Int = 1000, signal: JobSignal = JobSignal(),
    _ body: @escaping @Sendable (JobRunner, Store, Poller) async throws -> T
  ) async throws -> T {
    let (address, clock, folder) = (database.address(.web), clock.clock, folder)
    return try await loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address)
      defer { pool.close() }
      let store = Store(pool: pool, zones: { JobHome.zones }, clock: clock, random: .system)
      var settings = JobSettings(importFolder: folder, instance: "test")
      settings.sliceSize = slices
      settings.daysAtOnce = 7
      let runner = JobRunner(store: store, poller: loop.poller, settings: settings, signal: signal)
      return try await body(runner, store, loop.poller)
    }
  }

  /// Puts a file where an upload would have left it, and its job into the queue.
  func receive(_ bytes: [UInt8], of person: PersonID, store: Store) async throws -> ImportID {
    let id = store.freshImport()
    try Disk.replace(folder + "/" + id.description, with: bytes)
    let permit = WritePermit.onServer(for: person, client: nil)
    try await store.received(permit, import: id, name: "export.xml", bytes: Int64(bytes.count))
    return id
  }

  func account(_ login: String, zone: String, store: Store) async throws -> PersonID {
    try await store.createAccount(NewAccount(login: login, displayName: login, passwordHash: nil, zone: zone))
  }

  func rows(_ sql: String) throws -> [[String?]] { try BlockingConnection(database.superuserAddress).rows(sql) }

  /// Day and shown steps, oldest first.
  func days(of person: PersonID) throws -> [String: Int] {
    let rows = try rows("SELECT day, shown FROM day_totals WHERE person_id = \(person.number) AND type = 1")
    return Dictionary(
      rows.compactMap { row in row[0].flatMap { day in row[1].flatMap { Int($0) }.map { (day, $0) } } },
      uniquingKeysWith: { first, _ in first })
  }

  /// State and problem of an import.
  func outcome(_ id: ImportID) throws -> [String?] {
    try rows("SELECT state, problem FROM imports WHERE import_id = \(id.number)").first ?? []
  }

  var files: [String] {
    ((try? Folder.entries(of: folder)) ?? []).map(\.name)
  }
}

/// Thirty records of 1 to 30 steps, forty minutes apart.
let thirty = (0..<30).map { (minute: $0 * 40, value: "\($0 + 1)") }

/// An export with these step records: start minute of 2025-06-10 08:00 -0400, value.
func export(_ records: [(minute: Int, value: String)], closed: Bool = true, also other: String = "") -> [UInt8] {
  let lines = records.map { minute, value in
    let time = "2025-06-\(10 + minute / 600) \(8 + minute % 600 / 60):\(minute % 60):00 -0400"
    return "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Ring\" unit=\"count\""
      + " startDate=\"\(time)\" endDate=\"\(time)\" value=\"\(value)\"/>\n"
  }
  return Array(("<HealthData>\n" + lines.joined() + other + (closed ? "</HealthData>\n" : "")).utf8)
}
