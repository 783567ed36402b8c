import Support
import Synchronization
import Testing

@testable import Postgres

@Suite struct MigratorTests {
  private static let first = Migration(
    number: 1, name: "0001_create_people", sql: "CREATE TABLE people (n integer); CREATE INDEX ON people (n);",
    sha256: [1])
  private static let second = Migration(
    number: 2, name: "0002_add_name", sql: "ALTER TABLE people ADD name text", sha256: [2])

  @Test("what is missing is applied in order, once, and the state tells")
  func applies() throws {
    let database = try TestDatabase()
    defer { withExtendedLifetime(database) {} }
    let address = database.address(.owner)
    let migrator = Migrator([Self.second, Self.first])
    #expect(try migrator.state(address) == .older(missing: ["0001_create_people", "0002_add_name"]))
    #expect(try Migrator([Self.first]).run(address) == ["0001_create_people"])
    #expect(try migrator.state(address) == .older(missing: ["0002_add_name"]))
    #expect(try migrator.run(address) == ["0002_add_name"])
    #expect(try migrator.run(address) == [])
    #expect(try migrator.state(address) == .upToDate)
    let rows = try BlockingConnection(address).rows("SELECT name, sha256 FROM schema_migrations ORDER BY version")
    #expect(rows == [["0001_create_people", "\\x01"], ["0002_add_name", "\\x02"]])
  }

  @Test("an older program is told that the database is newer")
  func newer() throws {
    let database = try TestDatabase([Self.first, Self.second])
    defer { withExtendedLifetime(database) {} }
    let address = database.address(.owner)
    let old = Migrator([Self.first])
    #expect(try old.state(address) == .newer(unknown: ["0002_add_name"]))
    let error = #expect(throws: MigrationError.self) { try old.run(address) }
    #expect("\(error!)".contains("newer Stepwell (0002_add_name)"))
  }

  @Test("an edited old file is refused")
  func edited() throws {
    let database = try TestDatabase([Self.first])
    defer { withExtendedLifetime(database) {} }
    let address = database.address(.owner)
    let edited = Migrator([Migration(number: 1, name: "0001_create_people", sql: "", sha256: [9])])
    #expect(try edited.state(address) == .edited(["0001_create_people"]))
    let error = #expect(throws: MigrationError.self) { try edited.run(address) }
    #expect("\(error!)".contains("must not be edited"))
  }

  @Test("a migration that fails leaves nothing behind, those before it stay")
  func fails() throws {
    let database = try TestDatabase()
    defer { withExtendedLifetime(database) {} }
    let address = database.address(.owner)
    let broken = Migration(number: 2, name: "0002_break", sql: "CREATE TABLE half (n int); SELECT 1/0", sha256: [3])
    let error = #expect(throws: MigrationError.self) { try Migrator([Self.first, broken]).run(address) }
    #expect("\(error!)".contains("0002_break failed and was rolled back: 22012 division by zero"))
    let connection = try BlockingConnection(address)
    #expect(try connection.rows("SELECT to_regclass('people'), to_regclass('half')") == [["people", nil]])
  }

  @Test("a migration must not end its transaction")
  func commit() throws {
    let database = try TestDatabase()
    defer { withExtendedLifetime(database) {} }
    let address = database.address(.owner)
    let rash = Migration(number: 1, name: "0001_commit", sql: "CREATE TABLE t (n int); COMMIT", sha256: [3])
    #expect(throws: MigrationError.self) { try Migrator([rash]).run(address) }
  }

  @Test("of several nodes that start at once exactly one migrates")
  func together() async throws {
    let database = try TestDatabase()
    defer { withExtendedLifetime(database) {} }
    let address = database.address(.owner)
    let applied = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try Migrator([Self.first, Self.second]).run(address) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(applied.sorted() == ["0001_create_people", "0002_add_name"])
  }
}
