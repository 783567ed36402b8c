package import Postgres
import Synchronization

/// A database for one test: a copy of a template that was migrated once in this process. It is dropped with the object.
/// Making one blocks for some hundredths of a second.
package final class TestDatabase: Sendable {
  package let name: String

  /// - Parameter migrations: applied to the template; none gives an empty database.
  package init(_ migrations: [Migration] = []) throws {
    let postgres = try TemporaryServer.shared()
    let template = try Self.templates.withLock { templates in
      let key = migrations.map(\.sha256)
      if let known = templates[key] { return known }
      let name = "template_\(templates.count)"
      try postgres.makeDatabase(name)
      _ = try Migrator(migrations).run(postgres.address(.owner, database: name))
      templates[key] = name
      return name
    }
    name = "test_\(Self.numbers.add(1, ordering: .relaxed).newValue)"
    // Without fsync its checkpoints are cheap: 90 ms against 140 for wal_log.
    try BlockingConnection(postgres.superuserAddress()).script(
      "CREATE DATABASE \(name) TEMPLATE \(template) OWNER stepwell_owner STRATEGY file_copy")
  }

  deinit {
    // A test's loop may still hold connections.
    try? BlockingConnection(TemporaryServer.shared().superuserAddress()).script("DROP DATABASE \(name) WITH (FORCE)")
  }

  /// Where a role finds this database.
  package func address(_ role: EmbeddedPostgres.Role) -> String {
    (try? TemporaryServer.shared().address(role, database: name)) ?? ""
  }

  /// The same as seen through a proxy whose socket lies in `folder`.
  package func address(_ role: EmbeddedPostgres.Role, through folder: String) -> String {
    "host=\(folder) user=\(role.rawValue) dbname=\(name)"
  }

  /// Where the server's own socket lies.
  package var socketFolder: String { (try? TemporaryServer.shared().socketFolder) ?? "" }

  /// As the superuser: may kill connections and look at everything.
  package var superuserAddress: String {
    (try? TemporaryServer.shared().superuserAddress(database: name)) ?? ""
  }

  private static let templates = Mutex<[[[UInt8]]: String]>([:])
  private static let numbers = Atomic<Int>(0)
}
