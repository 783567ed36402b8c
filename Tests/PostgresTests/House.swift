import EventLoop
import Support
import Synchronization
import Testing

@testable import Postgres

/// A loop and a pool on a database of its own; the loop ends with the test.
final class House: Sendable {
  let database: TestDatabase
  let loop: EventLoop

  init() throws {
    database = try TestDatabase()
    loop = try EventLoop.start(named: "test")
  }

  deinit { loop.stop() }

  /// Runs `body` on the loop with a pool.
  @discardableResult
  func run<T: Sendable>(
    _ settings: PoolSettings = PoolSettings(), _ body: @escaping @Sendable (Pool) async throws -> T
  ) async throws -> T {
    let address = database.address(.owner)
    return try await loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address, settings: settings)
      defer { pool.close() }
      return try await body(pool)
    }
  }

  func script(_ sql: String) throws { try BlockingConnection(database.address(.owner)).script(sql) }

  func rows(_ sql: String) throws -> [[String?]] { try BlockingConnection(database.superuserAddress).rows(sql) }
}

extension Statement {
  static let one = Statement("test_one", "SELECT 1::integer", returns: [.int32])
  static let echo = Statement("test_echo", "SELECT $1::bigint, $2::text", [.int64, .text], returns: [.int64, .text])
  static let processID = Statement("test_pid", "SELECT pg_backend_pid()", returns: [.int32])
  static let divide = Statement("test_divide", "SELECT 1 / $1::integer", [.int32])
  static let sleep = Statement("test_sleep", "SELECT pg_sleep($1)", [.double])
}
