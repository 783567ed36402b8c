import Foundation
import Postgres
import Support
import Testing

@testable import Storage

@Suite struct SchemaTests {
  @Test("the program carries exactly the files of Migrations; if not, run deploy/embed-migrations.sh")
  func embedded() throws {
    let folder = "Sources/Product/Storage/Migrations"
    let files = try Repository.files(under: folder).filter { $0.hasSuffix(".sql") }
    #expect(files.map { String($0.dropFirst(folder.count + 1).dropLast(4)) } == EmbeddedMigrations.all.map(\.name))
    for (file, embedded) in zip(files, EmbeddedMigrations.all) {
      #expect(try Repository.text(file).dropLast() == embedded.sql[...], "\(file)")
      #expect(embedded.sql.hasPrefix("-- why: "), "\(file) does not say why")
    }
    #expect(Schema.migrations.map(\.number) == Array(1...files.count))
  }

  @Test("schema.sql is what the migrations make; if not, run the test with STEPWELL_WRITE_SCHEMA=1")
  func committed() throws {
    let home = try Home()
    guard let dump = dump(home.database.superuserAddress) else { return }
    let path = "Sources/Product/Storage/schema.sql"
    if ProcessInfo.processInfo.environment["STEPWELL_WRITE_SCHEMA"] != nil {
      try dump.write(toFile: Repository.root + "/" + path, atomically: true, encoding: .utf8)
    }
    #expect(try Repository.text(path) == dump)
  }

  /// Without what differs between versions of pg_dump: settings, comments, rights.
  private func dump(_ address: String) -> String? {
    let folders = ["15", "16", "17", "18"].map { "/usr/lib/postgresql/\($0)/bin/pg_dump" }
    guard let program = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--schema-only", "--no-owner", "--no-privileges", "--dbname", address]
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { line in
      !["--", "SET ", "SELECT pg_catalog", "\\restrict", "\\unrestrict"].contains { line.hasPrefix($0) }
    }
    return "-- What the migrations make; written by SchemaTests.\n" + lines.joined(separator: "\n") + "\n"
  }

  // MARK: key discipline (storage.md T1)

  private static let byPerson: Set = [
    "persons", "accounts", "sessions", "clients", "goals", "pauses", "audit_log", "sources", "sample_zones", "samples",
    "sample_syncs", "sample_tombstones", "coverage", "day_totals", "activity_summaries", "day_revisions", "year_facts",
    "stale_days", "upload_batches", "imports", "refused_records", "consent_events", "upload_tokens", "grants",
  ]
  private static let byName: Set = ["login_names", "server_facts", "notices"]
  private static let byBucket: Set = ["jobs"]
  private static let local: Set = ["schema_migrations"]

  @Test("every table is in a group")
  func groups() throws {
    let tables = try Home().rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").compactMap { $0[0] }
    let known = SchemaTests.byPerson.union(SchemaTests.byName).union(SchemaTests.byBucket).union(SchemaTests.local)
    #expect(Set(tables) == known)
  }

  @Test("every key of a person's table begins with the person, and nothing in it needs one place for all")
  func keys() throws {
    let home = try Home()
    let indexes = try home.rows(
      """
      SELECT c.relname, i.indexrelid::regclass::text, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique
      """)
    for index in indexes where SchemaTests.byPerson.contains(index[0] ?? "") {
      #expect(index[2] == "person_id", "\(index[1] ?? "")")
    }
    for index in indexes where SchemaTests.byBucket.contains(index[0] ?? "") { #expect(index[2] == "bucket") }
    let foreign = try home.rows(
      """
      SELECT c.conrelid::regclass::text, pg_get_constraintdef(c.oid) FROM pg_constraint c
      WHERE c.contype IN ('f', 'x') AND c.connamespace = 'public'::regnamespace
      """)
    for key in foreign { #expect(key[1]?.hasPrefix("FOREIGN KEY (person_id") == true, "\(key)") }
    #expect(try home.rows("SELECT 1 FROM pg_trigger WHERE NOT tgisinternal").isEmpty)
    #expect(try home.rows("SELECT 1 FROM pg_class WHERE relkind = 'S'").isEmpty)
    #expect(try home.rows("SELECT 1 FROM pg_attribute WHERE attidentity <> ''").isEmpty)
  }

  // MARK: rights

  @Test("the pages' role cannot change or remove consent events and audit, nor touch the schema")
  func rights() throws {
    let home = try Home()
    let rights = try home.rows(
      """
      SELECT table_name, string_agg(privilege_type, ',' ORDER BY privilege_type)
      FROM information_schema.role_table_grants WHERE grantee = 'stepwell_web' AND table_schema = 'public' GROUP BY 1
      """)
    let byTable = Dictionary(uniqueKeysWithValues: rights.map { ($0[0] ?? "", $0[1] ?? "") })
    for table in ["consent_events", "audit_log", "login_names", "server_facts", "sample_zones"] {
      #expect(byTable[table] == "INSERT,SELECT", "\(table)")
    }
    for table in ["samples", "sample_tombstones", "day_revisions", "refused_records"] {
      #expect(byTable[table] == "DELETE,INSERT,SELECT", "\(table)")
    }
    #expect(byTable["schema_migrations"] == "SELECT")
    #expect(!rights.contains { $0[1]?.contains("TRUNCATE") == true || $0[1]?.contains("TRIGGER") == true })
    let web = try BlockingConnection(home.database.address(.web))
    for attempt in [
      "DROP TABLE consent_events", "DELETE FROM audit_log", "UPDATE consent_events SET reason = ''",
      "CREATE TABLE mine (x integer)", "TRUNCATE samples",
    ] {
      #expect(throws: PostgresError.self, "\(attempt)") { try web.script(attempt) }
    }
  }
}
