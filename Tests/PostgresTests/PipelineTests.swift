import EventLoop
import Support
import Testing

@testable import Postgres

@Suite struct PipelineTests {
  @Test("three statements come back in order from one round trip")
  func order() async throws {
    let answer = try await House().run { pool in
      let rows = try await pool.pipeline { pipeline in
        pipeline.add(.echo, [.int64(1), .text("one")])
        pipeline.add(.one)
        pipeline.add(.echo, [.int64(-2), .null])
      }
      let first = rows[0][0].int64(0)
      let text = rows[0][0].text(1)
      let null = rows[2][0].optionalText(1)
      return "\(rows.count) \(first) \(text) \(rows[1][0].int32(0)) \(rows[2][0].int64(0)) \(null ?? "NULL")"
    }
    #expect(answer == "3 1 one 1 -2 NULL")
  }

  @Test("an error in the middle is thrown with its statement, and the connection is used on")
  func middle() async throws {
    try await House().run { pool in
      let first = try await pool.query(.processID)[0].int32(0)
      await #expect(
        throws: PostgresError.server(
          ServerError(state: "22012", message: "division by zero", statement: "test_divide"))
      ) {
        _ = try await pool.pipeline { pipeline in
          pipeline.add(.one)
          pipeline.add(.divide, [.int32(0)])
          pipeline.add(.echo, [.int64(1), .text("never reached")])
        }
      }
      // The statement that was not reached had been queued for preparation: it is prepared now.
      #expect(try await pool.query(.echo, [.int64(5), .text("x")])[0].int64(0) == 5)
      #expect(try await pool.query(.processID)[0].int32(0) == first)
    }
  }

  @Test("what a pipeline wrote before its error is gone")
  func implicitTransaction() async throws {
    let house = try House()
    try house.script("CREATE TABLE t (n integer PRIMARY KEY)")
    let insert = Statement("pt_insert", "INSERT INTO t VALUES ($1)", [.int32])
    try await house.run { pool in
      _ = try? await pool.pipeline { pipeline in
        pipeline.add(insert, [.int32(1)])
        pipeline.add(.divide, [.int32(0)])
      }
      _ = try await pool.pipeline { $0.add(insert, [.int32(2)]) }
    }
    #expect(try house.rows("SELECT n FROM t") == [["2"]])
  }

  @Test("answers give the same bytes only when every value, NULL and boundary is the same")
  func values() async throws {
    let texts = Statement("pt_texts", "SELECT * FROM unnest($1::text[], $2::text[]) AS t (a, b)", [.texts, .texts])
    let differ = try await House().run { pool in
      let lists: [[String?]] = [
        ["ab", "c"], ["a", "bc"], ["abc", ""], ["abc", nil], ["", "abc"], ["ab", "c", nil],
      ]
      var seen: [[UInt8]] = []
      for list in lists {
        let rows = try await pool.query(texts, [.textsOrNil(list), .textsOrNil(list.map { _ in nil })])
        var bytes: [UInt8] = []
        rows.appendValues(to: &bytes)
        seen.append(bytes)
      }
      let again = try await pool.query(texts, [.textsOrNil(lists[0]), .textsOrNil([nil, nil])])
      var bytes: [UInt8] = []
      again.appendValues(to: &bytes)
      var column: [UInt8] = []
      again.appendValues(of: 1..<2, to: &column)
      return Set(seen).count == lists.count && bytes == seen[0] && column.count == 12
    }
    #expect(differ)
  }

  @Test("a pipeline of many statements with large values does not stall")
  func large() async throws {
    let size = try await House().run { pool in
      let text = String(repeating: "steps ", count: 100_000)
      let rows = try await pool.pipeline(.upload) { pipeline in
        for index in 0..<20 { pipeline.add(.echo, [.int64(Int64(index)), .text(text)]) }
      }
      return rows.reduce(0) { $0 + $1[0].text(1).utf8.count }
    }
    #expect(size == 12_000_000)
  }

  @Test("a wrong parameter is refused before anything is sent")
  func wrongParameter() async throws {
    try await House().run { pool in
      await #expect(throws: PostgresError.shape(statement: "test_echo", "$1 is int32, declared int64")) {
        _ = try await pool.query(.echo, [.int32(1), .null])
      }
      await #expect(throws: PostgresError.shape(statement: "test_echo", "1 parameters given, 2 declared")) {
        _ = try await pool.query(.echo, [.int64(1)])
      }
    }
  }

  @Test("columns that differ from the declaration are an error at the first use")
  func wrongColumns() async throws {
    let wrong = Statement("pt_wrong", "SELECT 1::bigint", returns: [.int32])
    try await House().run { pool in
      await #expect(throws: PostgresError.shape(statement: "pt_wrong", "returns [int64], declared [int32]")) {
        _ = try await pool.query(wrong)
      }
    }
  }

  @Test("a reader that does not fit the column leaves a fault and no trap")
  func wrongReader() async throws {
    try await House().run { pool in
      let rows = try await pool.query(.echo, [.int64(1), .null])
      #expect(rows[0].int32(0) == 0)
      #expect(rows[0].text(1) == "")
      #expect(rows[0].text(7) == "" && rows[3].int64(0) == 0)
      #expect(throws: PostgresError.self) { try rows.verify() }
      #expect(throws: PostgresError.self) { try rows.map { $0.int64(0) } }
    }
  }

  @Test("two texts under one name are refused")
  func clash() async throws {
    _ = Statement("pt_clash", "SELECT 1")
    let second = Statement("pt_clash", "SELECT 2")
    try await House().run { pool in
      await #expect(throws: PostgresError.shape(statement: "pt_clash", "another statement has the same name")) {
        _ = try await pool.query(second)
      }
    }
  }

  @Test("a statement whose table changed under it is prepared again on a new connection")
  func cachedPlan() async throws {
    let house = try House()
    try house.script("CREATE TABLE t (n integer); INSERT INTO t VALUES (1)")
    let star = Statement("pt_star", "SELECT * FROM t")
    try await house.run { pool in
      #expect(try await pool.query(star)[0].int32(0) == 1)
      try house.script("ALTER TABLE t ADD COLUMN m text DEFAULT 'new'")
      #expect(try await pool.query(star)[0].text(1) == "new")
    }
  }
}
