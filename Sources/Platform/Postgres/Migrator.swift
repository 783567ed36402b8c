/// One step of the schema, embedded in the program.
package struct Migration: Sendable {
  /// The NNNN of `NNNN_verb_noun.sql`.
  package let number: Int
  /// The file's name without `.sql`.
  package let name: String
  /// One or more statements; runs in a transaction and must not end it.
  package let sql: String
  /// Of the file's bytes: an edited old file is refused.
  package let sha256: [UInt8]

  package init(number: Int, name: String, sql: String, sha256: [UInt8]) {
    self.number = number
    self.name = name
    self.sql = sql
    self.sha256 = sha256
  }
}

/// How the database stands to the migrations that the program knows; names of files without `.sql`.
package enum SchemaState: Equatable, Sendable {
  case upToDate
  /// These are to be applied: `stepwell migrate`.
  case older(missing: [String])
  /// The database has steps that this program does not know: the program is too old.
  case newer(unknown: [String])
  /// These were applied with another text than the program has now.
  case edited([String])
}

/// Why the schema cannot be brought up to date; nothing was changed.
package enum MigrationError: Error {
  case database(PostgresError)
  /// A migration failed and was rolled back; those before it stay.
  case failed(name: String, PostgresError)
  /// The files and the database disagree in a way that applying more would not cure.
  case refused(SchemaState)
}

/// Brings a database to the program's schema: each migration in one transaction under an advisory lock, so that of
/// several nodes starting at once exactly one does it. Blocks; needs a direct connection of the owning role.
package struct Migrator {
  let migrations: [Migration]

  package init(_ migrations: [Migration]) {
    self.migrations = migrations.sorted { $0.number < $1.number }
  }

  /// Compares without changing anything; the role needs to read `schema_migrations` only.
  package func state(_ conninfo: String) throws(PostgresError) -> SchemaState {
    try state(BlockingConnection(conninfo))
  }

  /// Applies what is missing and answers the names of what it applied.
  package func run(_ conninfo: String) throws(MigrationError) -> [String] {
    let (connection, state) = try prepared(conninfo)
    switch state {
    case .newer, .edited: throw .refused(state)
    case .upToDate: return []
    case .older: break
    }
    var applied: [String] = []
    for migration in migrations {
      do throws(PostgresError) {
        if try apply(migration, connection) { applied.append(migration.name) }
      } catch {
        throw .failed(name: migration.name, error)
      }
    }
    return applied
  }

  private func prepared(_ conninfo: String) throws(MigrationError) -> (BlockingConnection, SchemaState) {
    do throws(PostgresError) {
      let connection = try BlockingConnection(conninfo, name: "stepwell-migrate")
      try connection.script(
        """
        BEGIN;
        SELECT pg_advisory_xact_lock(\(Self.lockKey));
        CREATE TABLE IF NOT EXISTS schema_migrations (
          version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(),
          sha256 bytea NOT NULL);
        COMMIT
        """)
      return (connection, try state(connection))
    } catch {
      throw .database(error)
    }
  }

  private func state(_ connection: BlockingConnection) throws(PostgresError) -> SchemaState {
    let exists = try connection.rows("SELECT to_regclass('schema_migrations') IS NOT NULL").first?.first == "t"
    let sql = "SELECT version, name, encode(sha256, 'hex') FROM schema_migrations ORDER BY version"
    let rows = exists ? try connection.rows(sql) : []
    var hashes: [Int: String] = [:]
    for row in rows { if let number = row[0].flatMap({ Int($0) }) { hashes[number] = row[2] } }
    let known = Set(migrations.map(\.number))
    let unknown = rows.filter { row in !known.contains(row[0].flatMap { Int($0) } ?? -1) }.compactMap { $0[1] }
    let edited = migrations.filter { hashes[$0.number] != nil && hashes[$0.number] != hex($0.sha256) }
    let missing = migrations.filter { hashes[$0.number] == nil }
    if !edited.isEmpty { return .edited(edited.map(\.name)) }
    if !unknown.isEmpty { return .newer(unknown: unknown) }
    return missing.isEmpty ? .upToDate : .older(missing: missing.map(\.name))
  }

  /// False if it is there already, perhaps since a moment ago by another node. A lock that traffic holds is tried
  /// again: waiting longer for it would make the traffic queue behind us.
  private func apply(_ migration: Migration, _ connection: BlockingConnection) throws(PostgresError) -> Bool {
    var attempts = 0
    while true {
      do throws(PostgresError) {
        return try attempt(migration, connection)
      } catch {
        if connection.isInTransaction { try connection.script("ROLLBACK") }
        attempts += 1
        guard error.state == "55P03", attempts < 10 else { throw error }
      }
    }
  }

  private func attempt(_ migration: Migration, _ connection: BlockingConnection) throws(PostgresError) -> Bool {
    try connection.script("BEGIN; SELECT pg_advisory_xact_lock(\(Self.lockKey)); SET LOCAL lock_timeout = '3s'")
    let number = "\(migration.number)"
    if try !connection.rows("SELECT 1 FROM schema_migrations WHERE version = $1::integer", [number]).isEmpty {
      try connection.script("ROLLBACK")
      return false
    }
    try connection.script(migration.sql)
    guard connection.isInTransaction else {
      throw .shape(statement: migration.name, "a migration must not end its transaction")
    }
    _ = try connection.rows(
      "INSERT INTO schema_migrations (version, name, sha256) VALUES ($1::integer, $2, decode($3, 'hex'))",
      [number, migration.name, hex(migration.sha256)])
    try connection.script("COMMIT")
    return true
  }

  /// "STEPW" in ASCII; any number would do as long as it stays the same.
  private static let lockKey = 0x5354_4550_57

  private func hex(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return text
  }
}

extension MigrationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .database(let error): "\(error)"
    case .failed(let name, let error): "migration \(name) failed and was rolled back: \(error)"
    case .refused(.newer(let unknown)):
      "the database was migrated by a newer Stepwell (\(unknown.joined(separator: ", "))): install that version"
    case .refused(.edited(let names)):
      "\(names.joined(separator: ", ")) differs from the text that was applied: old migrations must not be edited"
    case .refused(let state): "the schema is \(state)"
    }
  }
}
