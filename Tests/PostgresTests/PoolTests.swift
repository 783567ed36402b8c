import EventLoop
import Glibc
import Support
import Testing

@testable import Postgres

@Suite struct PoolTests {
  private static func small(_ size: Int = 1) -> PoolSettings {
    var settings = PoolSettings()
    settings.size = size
    return settings
  }

  @Test("callers are served in the order in which they came")
  func fairness() async throws {
    let order = try await House().run(Self.small()) { pool in
      let held = try await pool.acquire(until: pool.poller.now + 5_000)
      nonisolated(unsafe) var order: [Int] = []
      let done = Bell(pool.poller)
      for number in 0..<6 {
        pool.poller.spawn {
          guard let connection = try? await pool.acquire(until: pool.poller.now + 5_000) else { return }
          order.append(number)
          pool.release(connection)
          if order.count == 6 { done.ring() }
        }
      }
      // Let them queue, in their order, before the first is served.
      try await pool.poller.sleep(until: pool.poller.now + 1)
      #expect(order.isEmpty)
      pool.release(held)
      if order.count < 6 { try await done.wait(until: pool.poller.now + 5_000) }
      #expect(pool.open == 1)
      return order
    }
    #expect(order == [0, 1, 2, 3, 4, 5])
  }

  @Test("who waits too long is told that all connections are busy")
  func busy() async throws {
    try await House().run(Self.small()) { pool in
      let held = try await pool.acquire(until: pool.poller.now + 5_000)
      await #expect(throws: PostgresError.unavailable("all 1 database connections are busy")) {
        _ = try await pool.acquire(until: pool.poller.now + 20)
      }
      pool.release(held)
      #expect(try await pool.query(.one)[0].int32(0) == 1)
    }
  }

  @Test("a broken connection gives its place to whoever waits")
  func place() async throws {
    try await House().run(Self.small()) { pool in
      let held = try await pool.acquire(until: pool.poller.now + 5_000)
      let done = Bell(pool.poller)
      nonisolated(unsafe) var isServed = false
      pool.poller.spawn {
        isServed = (try? await pool.query(.one)) != nil
        done.ring()
      }
      try await pool.poller.sleep(until: pool.poller.now + 1)
      held.markBroken()
      pool.release(held)
      if !isServed { try await done.wait(until: pool.poller.now + 5_000) }
      #expect(isServed)
    }
  }

  @Test("a connection that was killed while idle is replaced without an error")
  func killedIdle() async throws {
    let house = try House()
    try await house.run { pool in
      let first = try await pool.query(.processID)[0].int32(0)
      _ = try house.rows("SELECT pg_terminate_backend(\(first), 5000)")
      let second = try await pool.query(.processID)[0].int32(0)
      #expect(first != second)
      #expect(pool.open == 1)
    }
  }

  @Test("a server process that freezes is left behind at the deadline, without a cancel")
  func frozen() async throws {
    let kind = TransactionKind(budget: 10_000, statement: 150, begin: .begin)
    try await House().run { pool in
      let frozen = try await pool.query(.processID)[0].int32(0)
      kill(frozen, SIGSTOP)
      defer { kill(frozen, SIGCONT) }
      let next = try await pool.query(.processID, [], kind)[0].int32(0)
      #expect(next != frozen)
    }
  }

  @Test("a statement that never ends is given up when the time is over")
  func timedOut() async throws {
    // Too little is left for a second attempt.
    let kind = TransactionKind(budget: 140, statement: 100, begin: .begin)
    try await House().run { pool in
      // Connecting is not what is timed.
      _ = try await pool.query(.one)
      await #expect(throws: PostgresError.timedOut(statement: "test_sleep")) {
        _ = try await pool.query(.sleep, [.double(60)], kind)
      }
      let one = try await pool.query(.one)[0].int32(0)
      #expect(one == 1)
    }
  }

  @Test("a database that is not there is told with libpq's words, and once it is long gone at once")
  func nobody() async throws {
    let loop = try EventLoop.start(named: "test")
    defer { loop.stop() }
    try await loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: "host=/tmp/nobody-listens-here dbname=x user=x")
      let short = TransactionKind(budget: 150, statement: 100, begin: .begin)
      let error = await #expect(throws: PostgresError.self) { _ = try await pool.query(.one, [], short) }
      guard case .unavailable(let why) = error else { throw error ?? .disconnected("") }
      #expect(why.contains("No such file or directory"))
      pool.outage?.next = loop.poller.now + 60_000
      let since = try #require(pool.outage?.since)
      pool.outage = Pool.Outage(
        since: LoopTime(milliseconds: since.milliseconds - 6_000), failures: 5, next: loop.poller.now + 60_000,
        reason: .unavailable("gone"))
      // With the page's 5 s this would last long if it tried again.
      await #expect(throws: PostgresError.unavailable("gone")) { _ = try await pool.query(.one) }
    }
  }

  @Test("kill -9 of the whole server: it is started again and the pool goes on")
  func restart() async throws {
    let server = try TemporaryServer()
    let postgres = try server.open()
    try postgres.makeDatabase("x")
    let address = postgres.address(.web, database: "x")
    let loop = try EventLoop.start(named: "test")
    defer { loop.stop() }
    try await loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address)
      defer { pool.close() }
      let first = try await pool.query(.processID)[0].int32(0)
      postgres.keepAlive { _ in }
      kill(try #require(postgres.processIdentifier), SIGKILL)
      // A child of the dead server may answer once more before it notices.
      var second = first
      while second == first { second = try await pool.query(.processID, [], .upload)[0].int32(0) }
    }
    postgres.stop()
    #expect(postgres.processIdentifier == nil)
  }

  @Test("connecting to a server that accepts and then says nothing ends at the deadline")
  func silent() async throws {
    let server = try SilentServer()
    let loop = try EventLoop.start(named: "test")
    defer { loop.stop() }
    try await loop.run { loop in
      var settings = PoolSettings()
      settings.connectTime = 100
      let pool = Pool(poller: loop.poller, conninfo: server.address, settings: settings)
      let short = TransactionKind(budget: 150, statement: 100, begin: .begin)
      await #expect(throws: PostgresError.unavailable("no connection to the database in time")) {
        _ = try await pool.query(.one, [], short)
      }
    }
  }

  @Test("of several hosts the one that lives is used")
  func hosts() async throws {
    let house = try House()
    let live = try TemporaryServer.shared().socketFolder
    let address = "host=/tmp/nobody-listens-here,\(live) dbname=\(house.database.name) user=stepwell_web"
    try await house.loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address)
      defer { pool.close() }
      let one = try await pool.query(.one)[0].int32(0)
      #expect(one == 1)
    }
  }

  @Test("a closed pool refuses, and closes what comes back")
  func closed() async throws {
    try await House().run { pool in
      let held = try await pool.acquire(until: pool.poller.now + 5_000)
      pool.close()
      await #expect(throws: PostgresError.unavailable("the server is stopping")) {
        _ = try await pool.acquire(until: pool.poller.now + 5_000)
      }
      pool.release(held)
      #expect(pool.open == 0)
    }
  }
}
