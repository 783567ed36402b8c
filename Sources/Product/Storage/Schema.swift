package import Postgres
import Secrets

/// The schema that this program knows.
package enum Schema {
  /// Every migration, in order. The hash is over the text as it is embedded.
  package static let migrations: [Migration] = EmbeddedMigrations.all.compactMap { name, sql in
    Int(name.prefix(4)).map { Migration(number: $0, name: name, sql: sql, sha256: SHA256.hash(Array(sql.utf8))) }
  }

  /// Compares and applies them; needs a direct connection of the owning role.
  package static var migrator: Migrator { Migrator(migrations) }
}
