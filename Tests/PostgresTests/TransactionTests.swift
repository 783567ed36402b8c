import EventLoop
import Support
import Synchronization
import Testing

@testable import Postgres

extension Statement {
  static let put = Statement(
    "tt_put", "INSERT INTO steps VALUES ($1, $2) ON CONFLICT (n) DO NOTHING", [.int32, .text])
  static let putTwice = Statement("tt_twice", "INSERT INTO steps VALUES ($1, $2)", [.int32, .text])
  static let countSteps = Statement("tt_count", "SELECT count(*) FROM steps", returns: [.int64])
  static let raise = Statement("tt_raise", "SELECT raise($1)", [.text])
}

@Suite struct TransactionTests {
  struct OwnError: Error {}

  private func house() throws -> House {
    let house = try House()
    try house.script(
      """
      CREATE TABLE steps (n integer PRIMARY KEY, t text);
      CREATE FUNCTION raise(state text) RETURNS void LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = state; END $$
      """)
    return house
  }

  @Test("a transaction commits what its body did and answers the body's value")
  func commits() async throws {
    let house = try house()
    let value = try await house.run { pool in
      try await pool.transaction { transaction in
        _ = try await transaction.query(.put, [.int32(1), .text("a")])
        _ = try await transaction.pipeline { pipeline in
          pipeline.add(.put, [.int32(2), .text("b")])
          pipeline.add(.put, [.int32(3), .text("c")])
        }
        return try await transaction.query(.countSteps)[0].int64(0)
      }
    }
    #expect(value == 3)
    #expect(try house.rows("SELECT count(*) FROM steps") == [["3"]])
  }

  @Test("statements for later travel with the next ones, before them, and their answers are not among theirs")
  func later() async throws {
    let house = try house()
    try await house.run { pool in
      try await pool.transaction { transaction in
        transaction.later { $0.add(.put, [.int32(1), .text("a")]) }
        var place = -1
        let rows = try await transaction.pipeline { place = $0.add(.countSteps) }
        #expect(rows.count == 1 && place == 0 && rows[place][0].int64(0) == 1)
        transaction.later { $0.add(.put, [.int32(2), .text("b")]) }
        transaction.later { $0.add(.put, [.int32(3), .text("c")]) }
      }
      // Alone, and with COMMIT.
      try await pool.transaction { transaction in transaction.later { $0.add(.put, [.int32(4), .text("d")]) } }
      try await pool.transaction { transaction in
        transaction.later { $0.add(.put, [.int32(5), .text("e")]) }
        let rows = try await transaction.commit { $0.add(.countSteps) }
        #expect(rows.first?[0].int64(0) == 5)
      }
    }
    #expect(try house.rows("SELECT string_agg(t, '' ORDER BY n) FROM steps") == [["abcde"]])
  }

  @Test("what waits for later is rolled back with the rest, and its fault is the transaction's")
  func laterFails() async throws {
    let house = try house()
    try await house.run { pool in
      await #expect(throws: OwnError.self) {
        try await pool.transaction { transaction in
          transaction.later { $0.add(.put, [.int32(1), .text("a")]) }
          throw OwnError()
        }
      }
      await #expect(throws: PostgresError.self) {
        try await pool.transaction { transaction in
          transaction.later { $0.add(.putTwice, [.int32(2), .text("b")]) }
          transaction.later { $0.add(.putTwice, [.int32(2), .text("b")]) }
        }
      }
    }
    #expect(try house.rows("SELECT count(*) FROM steps") == [["0"]])
  }

  @Test("the last statements travel with COMMIT, and nothing may follow them")
  func commitWith() async throws {
    let house = try house()
    try await house.run { pool in
      try await pool.transaction { transaction in
        let rows = try await transaction.commit { $0.add(.put, [.int32(1), .null]) }
        #expect(rows.count == 1 && rows[0].affected == 1)
        await #expect(throws: PostgresError.self) { _ = try await transaction.query(.one) }
      }
    }
    #expect(try house.rows("SELECT count(*) FROM steps") == [["1"]])
  }

  @Test("an error of the body's own rolls back, runs once and goes to the caller")
  func ownError() async throws {
    let house = try house()
    try await house.run { pool in
      nonisolated(unsafe) var runs = 0
      await #expect(throws: OwnError.self) {
        try await pool.transaction { transaction in
          runs += 1
          _ = try await transaction.query(.put, [.int32(1), .null])
          throw OwnError()
        }
      }
      #expect(runs == 1)
      let count = try await pool.query(.countSteps)[0].int64(0)
      #expect(count == 0)
      #expect(pool.open == 1)
    }
  }

  @Test("an error that the body swallowed still ends the transaction")
  func swallowed() async throws {
    let house = try house()
    try await house.run { pool in
      let error = await #expect(throws: PostgresError.self) {
        try await pool.transaction { transaction in
          _ = try await transaction.query(.put, [.int32(1), .null])
          _ = try? await transaction.query(.putTwice, [.int32(1), .null])
        }
      }
      #expect(error?.state == "23505")
      let count = try await pool.query(.countSteps)[0].int64(0)
      #expect(count == 0)
    }
  }

  @Test(
    "conflicts run the body again, five times at most",
    arguments: [("40001", 3, true), ("40P01", 9, false), ("23514", 9, false), ("25006", 1, true), ("53300", 2, true)])
  func conflicts(state: String, failing: Int, succeeds: Bool) async throws {
    let house = try house()
    let runs = try await house.run { pool in
      nonisolated(unsafe) var runs = 0
      do {
        try await pool.transaction { transaction in
          runs += 1
          _ = try await transaction.query(.put, [.int32(Int32(runs)), .null])
          if runs <= failing { _ = try await transaction.query(.raise, [.text(state)]) }
        }
      } catch {
        #expect(!succeeds)
      }
      return runs
    }
    #expect(runs == (state == "23514" ? 1 : min(failing + 1, 6)))
    #expect(try house.rows("SELECT count(*) FROM steps") == [[succeeds ? "1" : "0"]])
  }

  @Test("a connection killed just before COMMIT: the body runs again, the result is the same")
  func killedBefore() async throws {
    let house = try house()
    let runs = try await house.run { pool in
      nonisolated(unsafe) var runs = 0
      try await pool.transaction { transaction in
        runs += 1
        _ = try await transaction.query(.put, [.int32(1), .text("a")])
        let process = try await transaction.query(.processID)[0].int32(0)
        if runs == 1 { _ = try house.rows("SELECT pg_terminate_backend(\(process), 5000)") }
      }
      return runs
    }
    #expect(runs == 2)
    #expect(try house.rows("SELECT n, t FROM steps") == [["1", "a"]])
  }

  @Test("the answer to COMMIT lost: unknown, so it is repeated, and the result is the same")
  func lostAnswer() async throws {
    let house = try house()
    let proxy = try LossyProxy(target: TemporaryServer.shared().socketFolder)
    defer { proxy.end() }
    let address = "host=\(proxy.folder) dbname=\(house.database.name) user=stepwell_owner"
    let runs = try await house.loop.run { loop in
      let pool = Pool(poller: loop.poller, conninfo: address)
      defer { pool.close() }
      _ = try await pool.query(.one)
      nonisolated(unsafe) var runs = 0
      proxy.armed.store(true, ordering: .relaxed)
      try await pool.transaction { transaction in
        runs += 1
        _ = try await transaction.query(.put, [.int32(1), .text("run \(runs)")])
      }
      return runs
    }
    #expect(runs == 2)
    #expect(proxy.losses.load(ordering: .relaxed) == 1)
    // The first run was committed, the second found it there.
    #expect(try house.rows("SELECT n, t FROM steps") == [["1", "run 1"]])
  }

  @Test("rows go in by COPY inside of a transaction")
  func copy() async throws {
    let house = try house()
    try await house.run { pool in
      var rows = CopyRows(columns: [.int32, .text])
      for number in 0..<10_000 {
        rows.add(.int32(Int32(number)))
        rows.add(number % 2 == 0 ? .null : .text("step \(number)"))
      }
      let copied = try await pool.transaction { transaction in
        let count = try await transaction.copy("COPY steps (n, t) FROM STDIN (FORMAT binary)", rows)
        #expect(try await transaction.query(.countSteps)[0].int64(0) == 10_000)
        return count
      }
      #expect(copied == 10_000)
    }
    #expect(try house.rows("SELECT count(*), count(t), max(t) FROM steps") == [["10000", "5000", "step 9999"]])
  }

  @Test("a COPY that meets a duplicate fails with its state and leaves the connection usable")
  func copyDuplicate() async throws {
    let house = try house()
    try await house.run { pool in
      var rows = CopyRows(columns: [.int32, .text])
      for number in [1, 2, 1] {
        rows.add(.int32(Int32(number)))
        rows.add(.null)
      }
      let error = await #expect(throws: PostgresError.self) {
        try await pool.transaction { _ = try await $0.copy("COPY steps (n, t) FROM STDIN (FORMAT binary)", rows) }
      }
      #expect(error?.state == "23505")
      let wrong = await #expect(throws: PostgresError.self) {
        try await pool.transaction { _ = try await $0.copy("COPY nothing FROM STDIN (FORMAT binary)", rows) }
      }
      #expect(wrong?.state == "42P01")
      let count = try await pool.query(.countSteps)[0].int64(0)
      #expect(count == 0)
      #expect(pool.open == 1)
    }
  }

  @Test("a snapshot sees one moment")
  func snapshot() async throws {
    let house = try house()
    try await house.run { pool in
      let counts = try await pool.transaction(.snapshot) { transaction in
        let before = try await transaction.query(.countSteps)[0].int64(0)
        try house.script("INSERT INTO steps VALUES (\(Int.random(in: 1...1_000_000)), 'x')")
        return [before, try await transaction.query(.countSteps)[0].int64(0)]
      }
      #expect(counts == [0, 0])
    }
  }
}
