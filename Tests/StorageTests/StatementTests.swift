import Postgres
import Support
import Testing

@testable import Storage

/// Statement discipline (storage.md T2): every statement is on a list with its reach, and its plan keeps to it.
@Suite struct StatementTests {
  @Test("every statement in the source is on the list, under one name")
  func registered() throws {
    var declared = 0
    for path in try Repository.files(under: "Sources/Product") where path.hasSuffix(".swift") {
      let text = try Repository.text(path)
      let count = text.split(separator: "Statement(", omittingEmptySubsequences: false).count - 1
      if count > 0 { #expect(path.hasPrefix("Sources/Product/Storage/"), "SQL outside of Storage: \(path)") }
      declared += count
    }
    let names = Registry.statements.map(\.statement.name)
    #expect(Set(names).count == names.count)
    #expect(declared == names.count)
  }

  @Test("every plan reaches as far as its statement says", arguments: Registry.statements.indices)
  func plans(index: Int) throws {
    let (statement, reach) = Registry.statements[index]
    let plan = try StatementTests.plan(of: statement)
    switch reach {
    case .onePerson:
      guard !StatementTests.isBareInsert(plan) else { return }
      // Every scan of a table of persons goes by the key; scans of lists given as parameters have none.
      for line in plan where line.contains("Scan on ") || line.contains("Scan using ") {
        #expect(!line.contains("Seq Scan"), "\(statement.name): \(plan.joined(separator: "\n"))")
      }
      #expect(
        plan.contains { $0.contains("Index Cond: ") && $0.contains("person_id = $1") },
        "\(statement.name): \(plan.joined(separator: "\n"))")
    case .fewPersons: #expect(plan.contains { $0.contains("person_id = ANY") }, "\(statement.name)")
    case .oneName, .oneBucket:
      guard !StatementTests.isBareInsert(plan) else { return }
      #expect(
        plan.contains {
          $0.contains("Index Cond: ") && ($0.contains("bucket = ") || $0.contains("name = ") || $0.contains("login = "))
        },
        "\(statement.name): \(plan.joined(separator: "\n"))")
    case .scatter:
      #expect(["accounts", "open_imports"].contains(statement.name), "\(statement.name) is not allowed to")
    }
  }

  private static let home = Result { try Home() }

  /// Of a generic plan, with small tables treated as if they were large.
  private static func plan(of statement: Statement) throws -> [String] {
    let connection = try BlockingConnection(home.get().database.superuserAddress)
    try connection.script(
      "SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan")
    let types = statement.parameters.map { StatementTests.sqlName($0) }
    let declared = types.isEmpty ? "" : "(\(types.joined(separator: ", ")))"
    try connection.script("PREPARE it \(declared) AS \(statement.sql)")
    let values = types.isEmpty ? "" : "(\(types.map { "NULL::\($0)" }.joined(separator: ", ")))"
    return try connection.rows("EXPLAIN EXECUTE it\(values)").compactMap { $0[0] }
  }

  private static func isBareInsert(_ plan: [String]) -> Bool {
    plan.first?.contains("Insert on") == true && !plan.contains { $0.contains("Scan") && !$0.contains("Function Scan") }
  }

  private static func sqlName(_ type: PGType) -> String {
    switch type {
    case .bool: "boolean"
    case .bytes: "bytea"
    case .int64: "bigint"
    case .int16: "smallint"
    case .int32: "integer"
    case .text: "text"
    case .double: "double precision"
    case .date: "date"
    case .instant: "timestamptz"
    case .uuid: "uuid"
    case .json: "jsonb"
    case .bools: "boolean[]"
    case .bytesList: "bytea[]"
    case .int16s: "smallint[]"
    case .int32s: "integer[]"
    case .texts: "text[]"
    case .int64s: "bigint[]"
    case .doubles: "double precision[]"
    case .dates: "date[]"
    case .instants: "timestamptz[]"
    case .uuids: "uuid[]"
    case .void: "void"
    }
  }
}
