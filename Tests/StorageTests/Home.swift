import Activity
import Consent
import EventLoop
import People
import Postgres
import Secrets
import Support
import Synchronization

@testable import Storage

/// One database with Ada in it, a clock that tests move, and a store on a loop of its own. As the role of the pages.
final class Home: Sendable {
  let database: TestDatabase
  let loop: EventLoop
  let clock: ManualClock
  private let adaNumber = Mutex<Int64>(0)

  static let noon = Instant(seconds: 1_780_000_000)

  init(now: Instant = Home.noon) throws {
    database = try TestDatabase(Schema.migrations)
    loop = try EventLoop.start(named: "home")
    clock = ManualClock(now)
  }

  deinit { loop.stop() }

  var ada: PersonID {
    get { PersonID(adaNumber.withLock { $0 }) }
    set { adaNumber.withLock { $0 = newValue.number } }
  }

  /// Runs `body` on the loop with a store; as the web role unless told.
  func run<T: Sendable>(
    as role: EmbeddedPostgres.Role = .web, _ body: @escaping @Sendable (Store) async throws -> T
  ) async throws -> T {
    let address = database.address(role)
    let clock = clock.clock
    return try await loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address)
      defer { pool.close() }
      return try await body(Store(pool: pool, zones: { TestZones.table }, clock: clock, random: .system))
    }
  }

  /// The same with Ada's account made first.
  func withAda<T: Sendable>(
    zone: String = "Europe/Berlin", _ body: @escaping @Sendable (Store, PersonID) async throws -> T
  ) async throws -> T {
    try await run { store in
      let ada = try await store.createAccount(
        NewAccount(login: "ada", displayName: "Ada", passwordHash: "hash", zone: zone))
      self.ada = ada
      return try await body(store, ada)
    }
  }

  func script(_ sql: String) throws { try BlockingConnection(database.superuserAddress).script(sql) }

  func rows(_ sql: String) throws -> [[String?]] { try BlockingConnection(database.superuserAddress).rows(sql) }
}

extension Store {
  /// Signs a person in and gives the claim that their cookie makes.
  func signIn(_ person: PersonID) async throws -> OwnClaim {
    let token = Token(.session, person: person.number, random: random)
    let account = try await account(of: person)
    _ = try await startSession(
      for: account!.account, tokenHash: token.hash, formKey: random.bytes(32), agent: "test")
    return OwnClaim(cookie: token.text)!
  }

  /// Opens what was read for a claim.
  func open<Value>(_ guarded: Guarded<Value>, _ claim: OwnClaim) throws(Problem) -> Value {
    try guarded.opened(by: claim, at: clock.now()).value
  }

  /// Imports samples as one file does, from the job to the end.
  func importFile(
    _ person: PersonID, _ slices: [Batch], counting limit: Int = 60
  ) async throws -> ImportID {
    let permit = WritePermit.onServer(for: person, client: nil)
    let id = freshImport()
    try await received(permit, import: id, name: "export.zip", bytes: 1000)
    let job = try await claimImport()
    let writer = try await beginImport(job)
    for (index, slice) in slices.enumerated() {
      try await writer.add(slice, position: Int64(index + 1), records: Int64(index + 1))
    }
    while try await !writer.sweep() { for slice in slices { writer.note(slice) } }
    while try await writer.count(limit: limit) > 0 {}
    try await writer.end(.done, problem: nil)
    return id
  }
}

extension Store {
  /// Does the recounts that wait, as the jobs would, and takes the next import.
  func claimImport() async throws -> Job {
    while true {
      let job = try await claimJob(instance: "test", lease: 60)!
      guard case .recount(let person) = job.work else { return job }
      while try await recount(.onServer(for: person, client: nil)) > 0 {}
      try await finish(job)
    }
  }
}

/// SplitMix64: the same numbers on every machine.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

/// A loop with a store of its own, for tests in which several talk to one database.
struct EventLoopForTest {
  private let loop: EventLoop

  static func start() throws -> EventLoopForTest { EventLoopForTest(loop: try EventLoop.start(named: "other")) }

  func stop() { loop.stop() }

  func run(
    address: String, clock: Clock, _ body: @escaping @Sendable (Store) async throws -> Void
  ) async throws {
    try await loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address)
      defer { pool.close() }
      try await body(Store(pool: pool, zones: { TestZones.table }, clock: clock, random: .system))
    }
  }
}
