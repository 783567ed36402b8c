import EventLoop
import Synchronization

/// The private database of a small server: Debian's PostgreSQL, run by Stepwell in its own data folder, reachable only
/// through a socket in there. Everything here blocks: it is called from main before the loops start and after they end.
///
///     <data>/lock          held while a server uses the folder
///     <data>/postgres      the database; belongs to whoever runs it (`postgres` if we are root)
///     <data>/postgres.log  what it says
///     <data>/run           its socket
///
/// open: take the lock → initdb if new → settings → adopt the running postmaster or start one → roles and database
package final class EmbeddedPostgres: Sendable {
  /// Who connects: each may do what its name says and no more.
  package enum Role: String, CaseIterable, Sendable {
    /// Owns the tables; migrations.
    case owner = "stepwell_owner"
    /// Serves: reads and writes rows, changes no table.
    case web = "stepwell_web"
    case admin = "stepwell_admin"
  }

  /// How safe and how large.
  package enum Purpose: Sendable {
    case serving
    /// For tests: the data need not survive a power cut.
    case trial
  }

  let cluster: Cluster
  private let held: Mutex<Held>
  /// Whether a running postmaster was found and taken over.
  package let wasAdopted: Bool

  /// Takes the data folder and has its database running, with roles and an empty database `stepwell` if new.
  /// - Parameters:
  ///   - folder: made if it is missing, its parents are not.
  ///   - sharing: for commands beside a running server: join its database instead of refusing; `stop` then does nothing.
  ///   - report: told what takes long, in words for the log.
  package static func open(
    _ folder: String, for purpose: Purpose = .serving, sharing: Bool = false, report: (String) -> Void = { _ in }
  ) throws(EmbeddedError) -> EmbeddedPostgres {
    let binaries = try Binaries.all()
    let cluster = try Cluster(folder, purpose)
    let (lock, holder) = try FolderLock.take(cluster.folder)
    if lock == nil && !sharing { throw .locked(folder: cluster.folder, holder: holder) }
    if lock == nil {
      guard Postmaster.running(in: cluster) != nil else { throw .locked(folder: cluster.folder, holder: holder) }
      return EmbeddedPostgres(cluster, nil, nil, wasAdopted: false)
    }
    let chosen = try Binaries.fitting(cluster, of: binaries)
    if !cluster.exists {
      report("making a database in \(cluster.data)")
      try cluster.create(with: chosen)
    }
    try cluster.configure()
    let opened: EmbeddedPostgres
    if let found = try Postmaster.adopt(cluster) {
      opened = EmbeddedPostgres(cluster, lock, found, wasAdopted: true)
    } else {
      let started = try Postmaster.start(cluster, with: chosen, report: report)
      opened = EmbeddedPostgres(cluster, lock, started, wasAdopted: false)
    }
    do throws(PostgresError) {
      try cluster.furnish()
    } catch {
      throw .database(error)
    }
    return opened
  }

  /// What we own; empty for a guest and after the end.
  private struct Held {
    var lock: FolderLock?
    var postmaster: Postmaster?
  }

  private init(_ cluster: Cluster, _ lock: FolderLock?, _ postmaster: Postmaster?, wasAdopted: Bool) {
    self.cluster = cluster
    held = Mutex(Held(lock: lock, postmaster: postmaster))
    self.wasAdopted = wasAdopted
  }

  /// Where a role finds the database.
  package func address(_ role: Role, database: String = "stepwell") -> String {
    cluster.address(role.rawValue, database: database)
  }

  /// Where its socket lies.
  package var socketFolder: String { cluster.run }

  /// As the cluster's superuser: for tests and dumps.
  package func superuserAddress(database: String = "postgres") -> String {
    cluster.address("postgres", database: database)
  }

  /// Another empty database like `stepwell`, for tests.
  package func makeDatabase(_ name: String) throws(PostgresError) {
    try cluster.makeDatabase(name, BlockingConnection(superuserAddress()))
  }

  /// The postmaster's process.
  package var processIdentifier: Int32? { Postmaster.running(in: cluster) }

  /// Shuts the database down (open transactions are rolled back) and gives the folder back. Returns when it has ended.
  package func stop() {
    held.withLock { held in
      held.postmaster?.stop()
      held = Held()
    }
  }

  /// Gives the folder back and lets the database run on, as a server that is killed does.
  package func abandon() {
    held.withLock { $0 = Held() }
  }

  // MARK: Staying alive

  /// Looks four times a second, on a thread of its own, whether the database still lives, and starts it again if not: a
  /// system out of memory may kill it, and pages wait for 5 s only. One that dies again and again is started ever more rarely,
  /// down to every five seconds. Ends with `stop`. For the serving program.
  package func keepAlive(report: @escaping @Sendable (String) -> Void) {
    do throws(LoopError) {
      try WorkerPool.runAlone(named: "database") { [weak self] in
        var care = Care()
        while let still = self?.revive(&care, report) {
          guard still else { return }
          pause(milliseconds: care.pause)
        }
      }
    } catch {
      report("nobody looks after the database: \(error)")
    }
  }

  /// False when there is nothing to look after any more.
  private func revive(_ care: inout Care, _ report: (String) -> Void) -> Bool {
    held.withLock { held in
      guard let postmaster = held.postmaster else { return false }
      guard postmaster.hasEnded else {
        care.lives()
        return true
      }
      care.starts()
      do throws(EmbeddedError) {
        if !care.hasFailed { report("the database has ended and is started again") }
        let binaries = try Binaries.fitting(cluster, of: Binaries.all())
        let found = try Postmaster.adopt(cluster)
        if let found {
          held.postmaster = found
        } else {
          held.postmaster = try Postmaster.start(cluster, with: binaries, report: report)
        }
        care.hasFailed = false
      } catch {
        if !care.hasFailed { report("\(error)") }
        care.hasFailed = true
      }
      return true
    }
  }
}

/// How often a database is looked at: soon after it was started for the first time, more rarely with each start, and from the
/// beginning again once it has lived for half a minute.
struct Care {
  /// The last start did not succeed, which was said.
  var hasFailed = false
  private var attempts = 0
  private var looks = 0

  /// Milliseconds until the next look.
  var pause: Int { looks > 0 ? 250 : min(5_000, 250 << min(max(0, attempts - 1), 5)) }

  mutating func lives() {
    looks += 1
    if looks * 250 >= 30_000 { attempts = 0 }
  }

  mutating func starts() {
    attempts += 1
    looks = 0
  }
}
