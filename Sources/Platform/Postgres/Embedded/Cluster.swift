import CLinux
import Glibc

/// The database's files: where they lie, who owns them, what is configured. Nothing here runs a server.
struct Cluster {
  /// The data folder of Stepwell, absolute and without links.
  let folder: String
  let purpose: EmbeddedPostgres.Purpose
  /// Who runs the database: `postgres` if we are root (which the server refuses to be), else ourselves.
  let account: Account
  /// Where the socket lies.
  let run: String

  var data: String { "\(folder)/postgres" }
  var log: String { "\(folder)/postgres.log" }
  var exists: Bool { SmallFiles.exists("\(data)/PG_VERSION") }

  /// True if the database was not shut down: its next start repairs it first. Byte 16 of pg_control is its state, in every version
  /// since 8; 1 and 2 are those of a clean end (src/include/catalog/pg_control.h).
  var needsRecovery: Bool {
    let state = SmallFiles.bytes("\(data)/global/pg_control", at: 16, count: 4)
    return state.count == 4 && state != [1, 0, 0, 0] && state != [2, 0, 0, 0]
  }

  /// Major version of the data.
  var version: Int? {
    SmallFiles.read("\(data)/PG_VERSION")?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }

  init(_ path: String, _ purpose: EmbeddedPostgres.Purpose) throws(EmbeddedError) {
    self.purpose = purpose
    guard let account = geteuid() == 0 ? Account.named("postgres") : .current else { throw .noAccount }
    self.account = account
    do throws(FileError) {
      try SmallFiles.makeFolder(path, mode: 0o711, owner: nil)
      folder = SmallFiles.resolved(path)
      // The database's user must be able to pass through; what lies here has modes of its own.
      var facts = stat()
      if geteuid() == 0, account.user != 0, stat(folder, &facts) == 0, facts.st_mode & 0o001 == 0 {
        chmod(folder, facts.st_mode & 0o7777 | 0o001)
      }
      run = try Cluster.socketFolder(folder, account)
    } catch {
      throw .folder(path: error.path, reason: error.reason)
    }
    let data = "\(folder)/postgres"
    if let owner = SmallFiles.owner(data), owner != account.user { throw .owner(path: data, wanted: account.name) }
  }

  /// A socket's path has at most 107 bytes: a deep data folder gets a short folder elsewhere, named by its hash.
  private static func socketFolder(_ folder: String, _ account: Account) throws(FileError) -> String {
    var path = "\(folder)/run"
    if path.utf8.count + "/.s.PGSQL.5432".utf8.count > 107 {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
      for byte in folder.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let own = geteuid() == 0 ? nil : getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
      let parent = own.flatMap { $0.utf8.count < 60 && SmallFiles.isFolder($0) ? $0 : nil } ?? "/tmp"
      path = "\(parent)/stepwell-\(String(hash, radix: 36))"
      // Somebody else may have made it first, there where everyone may.
      if let owner = SmallFiles.owner(path), owner != account.user { throw FileError(path: path, code: EPERM) }
    }
    try SmallFiles.makeFolder(path, mode: 0o700, owner: account)
    return path
  }

  func address(_ user: String, database: String) -> String {
    "host=\(quotedConninfo(run)) port=5432 user=\(user) dbname=\(quotedConninfo(database))"
  }

  /// Words in front of a command that run it as the database's user. Where that user cannot pass through a folder on
  /// the way (a checkout in /root), it keeps the one capability that lets it.
  var prefix: [String] {
    guard account.user != geteuid() else { return [] }
    var words = ["/usr/bin/setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--init-groups"]
    if !isReachable { words += ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"] }
    return words + ["--"]
  }

  /// Whether everyone may pass through all folders down to ours.
  private var isReachable: Bool {
    var path = folder
    while path.count > 1 {
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & 0o001 != 0 else { return false }
      path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
    return true
  }

  // MARK: Making

  /// initdb into a folder beside, renamed when whole: a crash in the middle leaves nothing that looks like a database.
  func create(with binaries: Binaries) throws(EmbeddedError) {
    if SmallFiles.freeBytes(folder) < 200 << 20 { throw .diskFull(path: folder) }
    let new = "\(folder)/postgres.new"
    SmallFiles.remove(new)
    do throws(FileError) {
      if SmallFiles.isFolder(data) {
        guard rmdir(data) == 0 else { throw FileError(path: data, code: errno) }
      }
      try SmallFiles.makeFolder(new, mode: 0o700, owner: account)
      var words = [
        "\(binaries.folder)/initdb", "--pgdata=\(new)", "--username=postgres", "--auth=peer", "--encoding=UTF8",
        "--locale=C.UTF-8", "--data-checksums", "--no-instructions",
      ]
      if purpose == .trial { words.append("--no-sync") }
      guard try ChildProcess.run(prefix + words, output: log) == 0 else { throw FileError(path: new, code: 0) }
      guard rename(new, data) == 0 else { throw FileError(path: data, code: errno) }
    } catch {
      throw failure("Making the database", error)
    }
  }

  private func failure(_ step: String, _ error: FileError) -> EmbeddedError {
    error.code == 0 ? explained(step) : .folder(path: error.path, reason: error.reason)
  }

  /// Reads the log's end for the causes that have a sentence of their own.
  func explained(_ step: String) -> EmbeddedError {
    let lines = SmallFiles.tail(log).split(separator: "\n").suffix(4).joined(separator: " / ")
    if lines.contains("No space left on device") { return .diskFull(path: folder) }
    return .failed(step: step, log: lines)
  }

  // MARK: Settings

  /// Writes settings and access rules anew at each start; the operator's own go into `own.conf` and win.
  func configure() throws(EmbeddedError) {
    do throws(FileError) {
      try SmallFiles.write("\(data)/postgresql.conf", settings, owner: account)
      try SmallFiles.write("\(data)/pg_hba.conf", "local all all peer map=stepwell\n", owner: account)
      try SmallFiles.write("\(data)/pg_ident.conf", identities, owner: account)
    } catch {
      throw .folder(path: error.path, reason: error.reason)
    }
  }

  private var settings: String {
    let memory = Int64(sysconf(Int32(_SC_PHYS_PAGES))) / 1024 * Int64(sysconf(Int32(_SC_PAGESIZE))) / 1024
    let shared = purpose == .trial ? 64 : min(max(memory / 8, 32), 1024)
    let common = """
      # Written by Stepwell at each start. Put settings of your own into own.conf beside this file.
      listen_addresses = ''
      unix_socket_directories = '\(run.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'
      unix_socket_permissions = 0700
      port = 5432
      max_connections = \(purpose == .trial ? 600 : 80)
      shared_buffers = \(shared)MB
      effective_cache_size = \(max(memory / 2, 64))MB
      work_mem = 8MB
      maintenance_work_mem = 64MB
      max_parallel_workers_per_gather = 0
      random_page_cost = 1.1
      jit = off
      wal_compression = on
      log_timezone = 'UTC'
      timezone = 'UTC'
      log_line_prefix = '%m [%p] '
      # No personal values in the log: no statements, no details.
      log_error_verbosity = terse
      log_min_error_statement = panic
      log_checkpoints = off

      """
    let care =
      switch purpose {
      case .serving: "max_wal_size = 1GB\ncheckpoint_timeout = 15min\nautovacuum_naptime = 1min\n"
      // Commits still reach the kernel: a killed server loses none.
      case .trial: "fsync = off\nfull_page_writes = off\nautovacuum = off\n"
      }
    return common + care + (SmallFiles.exists("\(data)/own.conf") ? "include 'own.conf'\n" : "")
  }

  /// Who of the machine may be which role: root, the database's user and whoever starts us.
  private var identities: String {
    let names = Set(["root", "postgres", account.name, Account.current.name])
    let roles = EmbeddedPostgres.Role.allCases.map(\.rawValue) + ["postgres"]
    var text = "# Written by Stepwell at each start.\n"
    for name in names.sorted() { for role in roles { text += "stepwell \"\(name)\" \(role)\n" } }
    return text
  }

  // MARK: Roles and the database

  /// Makes what is missing; harmless when repeated.
  func furnish() throws(PostgresError) {
    let server = try BlockingConnection(address("postgres", database: "postgres"))
    for role in EmbeddedPostgres.Role.allCases {
      let isThere = try !server.rows("SELECT 1 FROM pg_roles WHERE rolname = $1", [role.rawValue]).isEmpty
      if !isThere { try server.script("CREATE ROLE \(role.rawValue) LOGIN") }
    }
    try makeDatabase("stepwell", server)
  }

  /// An empty database, if there is none of this name. What the owner makes in it later, the serving role may read and
  /// write; a migration takes back what it must not.
  func makeDatabase(_ name: String, _ server: BlockingConnection) throws(PostgresError) {
    if try server.rows("SELECT 1 FROM pg_database WHERE datname = $1", [name]).isEmpty {
      try server.script("CREATE DATABASE \(quotedIdentifier(name)) OWNER stepwell_owner")
    }
    // Repeated at each start: a crash between the two must not leave a database that nobody may use.
    try BlockingConnection(address("postgres", database: name)).script(
      """
      REVOKE ALL ON SCHEMA public FROM PUBLIC;
      GRANT ALL ON SCHEMA public TO stepwell_owner;
      GRANT USAGE ON SCHEMA public TO stepwell_web, stepwell_admin;
      ALTER DEFAULT PRIVILEGES FOR ROLE stepwell_owner IN SCHEMA public
        GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO stepwell_web, stepwell_admin
      """)
  }
}
