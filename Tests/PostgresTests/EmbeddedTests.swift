import Glibc
import Support
import Testing

@testable import Postgres

@Suite(.serialized) struct EmbeddedTests {
  private func count(_ postgres: EmbeddedPostgres, _ sql: String) throws -> String? {
    try BlockingConnection(postgres.address(.web)).rows(sql).first?.first ?? nil
  }

  @Test("a new folder becomes a database with its roles; stop, start, and it is still there")
  func life() throws {
    let server = try TemporaryServer()
    let first = try server.open()
    try BlockingConnection(first.address(.owner)).script("CREATE TABLE t (n integer); INSERT INTO t VALUES (1)")
    let web = try BlockingConnection(first.address(.web))
    try web.script("INSERT INTO t VALUES (2)")
    let error = #expect(throws: PostgresError.self) { try web.script("CREATE TABLE u (n integer)") }
    #expect(error?.state == "42501")
    #expect(try web.rows("SHOW data_checksums") == [["on"]])
    #expect(try web.rows("SHOW listen_addresses") == [[""]])
    #expect(try web.rows("SHOW jit") == [["off"]])
    first.stop()
    #expect(first.processIdentifier == nil)
    #expect(!first.cluster.needsRecovery)
    #expect(throws: PostgresError.self) { try BlockingConnection(first.address(.web)) }
    first.abandon()
    let second = try server.open()
    #expect(!second.wasAdopted)
    #expect(try count(second, "SELECT count(*) FROM t") == "2")
  }

  @Test("two servers cannot have one folder, but a command may join")
  func locked() throws {
    let server = try TemporaryServer()
    let first = try server.open()
    let error = #expect(throws: EmbeddedError.self) { try server.open() }
    #expect("\(error!)".contains("Another Stepwell (process \(getpid()))"))
    let guest = try EmbeddedPostgres.open(server.folder, for: .trial, sharing: true)
    #expect(try count(guest, "SELECT 1") == "1")
    guest.stop()
    #expect(try count(first, "SELECT 1") == "1")
  }

  @Test("a database left by a killed server is adopted and can be stopped")
  func adopted() throws {
    let server = try TemporaryServer()
    let first = try server.open()
    let process = first.processIdentifier
    first.abandon()
    let second = try server.open()
    #expect(second.wasAdopted && second.processIdentifier == process)
    second.stop()
    #expect(second.processIdentifier == nil)
  }

  @Test("kill -9 of the database: the next start recovers what was committed")
  func crash() throws {
    let server = try TemporaryServer()
    let first = try server.open()
    try BlockingConnection(first.address(.owner)).script("CREATE TABLE t (n integer); INSERT INTO t VALUES (1)")
    kill(try #require(first.processIdentifier), SIGKILL)
    first.abandon()
    #expect(first.cluster.needsRecovery)
    let second = try server.open()
    #expect(!second.wasAdopted)
    #expect(try count(second, "SELECT count(*) FROM t") == "1")
  }

  @Test("a pid file that names a stranger is no obstacle")
  func stranger() throws {
    let server = try TemporaryServer()
    let first = try server.open()
    let path = "\(first.cluster.data)/postmaster.pid"
    let text = try Repository.text(path)
    first.stop()
    first.abandon()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    try SmallFiles.write(path, (["\(getpid())"] + lines).joined(separator: "\n"), owner: first.cluster.account)
    let second = try server.open()
    #expect(!second.wasAdopted)
    #expect(try count(second, "SELECT 1") == "1")
  }

  @Test("a folder of another PostgreSQL version is refused with the package to install")
  func version() throws {
    let server = try TemporaryServer()
    let cluster = try Cluster(server.folder, .trial)
    try SmallFiles.makeFolder(cluster.data, mode: 0o700, owner: cluster.account)
    try SmallFiles.write("\(cluster.data)/PG_VERSION", "9\n", owner: cluster.account)
    let error = #expect(throws: EmbeddedError.self) { try server.open() }
    #expect("\(error!)".contains("apt install postgresql-9"))
  }

  @Test("a data folder too deep for a socket gets its socket elsewhere, for its owner only")
  func deep() throws {
    let server = try TemporaryServer()
    var folder = server.folder
    for _ in 0..<4 {
      folder += "/a-folder-with-a-rather-long-name"
      mkdir(folder, 0o755)
    }
    let cluster = try Cluster(folder, .trial)
    defer { SmallFiles.remove(cluster.run) }
    #expect(cluster.run.utf8.count + 15 <= 107)
    var facts = stat()
    #expect(lstat(cluster.run, &facts) == 0 && facts.st_mode & 0o777 == 0o700 && facts.st_uid == cluster.account.user)
  }

  @Test("a server that cannot start says what it wrote")
  func failing() throws {
    let server = try TemporaryServer()
    let first = try server.open()
    first.stop()
    first.abandon()
    try SmallFiles.write("\(first.cluster.data)/own.conf", "shared_buffers = nonsense\n", owner: first.cluster.account)
    let error = #expect(throws: EmbeddedError.self) { try server.open() }
    #expect("\(error!)".contains("nonsense"))
  }

  @Test("a database that dies again and again is started ever more rarely, and at once after a calm half minute")
  func care() {
    var care = Care()
    #expect(care.pause == 250)
    var pauses: [Int] = []
    for _ in 0..<8 {
      care.starts()
      pauses.append(care.pause)
      care.lives()
    }
    #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
    for _ in 0..<120 { care.lives() }
    #expect(care.pause == 250)
    care.starts()
    #expect(care.pause == 250)
  }
}
