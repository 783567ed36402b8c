import Postgres
import Storage

/// Where this program finds its database: a PostgreSQL of the operator's, or its own one in the data folder.
final class Database {
  private let embedded: EmbeddedPostgres?
  private let lock: FolderLock?
  /// For pages and jobs.
  let web: String
  /// For migrations.
  let owner: String

  var isEmbedded: Bool { embedded != nil }
  var wasAdopted: Bool { embedded?.wasAdopted ?? false }

  /// Opens it. `sharing`: for commands that may run beside a server on the same folder.
  init(_ configuration: Configuration, folder: DataFolder, sharing: Bool) throws(Failure) {
    if let url = configuration.databaseURL {
      embedded = nil
      web = url
      owner = configuration.databaseOwnerURL ?? url
      lock = sharing ? nil : try Self.lock(folder)
      return
    }
    lock = nil
    do throws(EmbeddedError) {
      let opened = try EmbeddedPostgres.open(folder.path, sharing: sharing, report: { Program.say("Database: \($0)") })
      embedded = opened
      web = opened.address(.web)
      owner = opened.address(.owner)
    } catch {
      throw Failure("\(error)")
    }
  }

  /// Brings the schema up to date; answers the names of what was applied.
  func migrate() throws(Failure) -> [String] {
    do throws(MigrationError) {
      return try Schema.migrator.run(owner)
    } catch {
      throw Failure("The database could not be brought up to date: \(error).")
    }
  }

  /// With the own database: migrates. With another: refuses a schema that is not exactly this program's.
  func prepare() throws(Failure) {
    if isEmbedded {
      for name in try migrate() { Program.say("Database: applied \(name)") }
      return
    }
    switch try schema() {
    case .upToDate: return
    case .older(let missing):
      throw Failure(
        "The database is older than this program (\(missing.count) migrations are missing). Run \"stepwell migrate\" first."
      )
    case .newer(let unknown):
      throw Failure(
        "The database is newer than this program (it has \(unknown.joined(separator: ", "))). Install the newer Stepwell."
      )
    case .edited(let names):
      throw Failure(
        "The database was made with other migrations than this program has: \(names.joined(separator: ", ")).")
    }
  }

  func schema() throws(Failure) -> SchemaState {
    do throws(PostgresError) {
      return try Schema.migrator.state(owner)
    } catch {
      throw Failure("The database cannot be reached: \(error). Check STEPWELL_DATABASE_URL.")
    }
  }

  /// Has the own database started again should it die; of no effect on another.
  func keepAlive() { embedded?.keepAlive { Program.complain("Database: \($0)") } }

  /// Shuts the own database down; does nothing to another.
  func close() { embedded?.stop() }

  private static func lock(_ folder: DataFolder) throws(Failure) -> FolderLock? {
    do throws(EmbeddedError) {
      let (lock, holder) = try FolderLock.take(folder.path)
      if lock == nil { throw EmbeddedError.locked(folder: folder.path, holder: holder) }
      return lock
    } catch {
      throw Failure("\(error)")
    }
  }
}
