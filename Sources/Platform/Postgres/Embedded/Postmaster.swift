import CLinux
import CPostgres
import Glibc

/// A running database server: found or started, waited for, stopped.
struct Postmaster {
  let identifier: pid_t

  // MARK: Finding

  /// The process that `postmaster.pid` names, if it is alive and really the server of this folder: after a restart of
  /// the machine the number may be anybody's.
  static func running(in cluster: Cluster) -> pid_t? {
    guard let text = SmallFiles.read("\(cluster.data)/postmaster.pid"),
      let first = text.split(separator: "\n").first, let identifier = pid_t(first), identifier > 0
    else { return nil }
    return works(identifier, in: cluster) ? identifier : nil
  }

  /// A server works in its data folder, and so do its children.
  private static func works(_ identifier: pid_t, in cluster: Cluster) -> Bool {
    SmallFiles.resolved("/proc/\(identifier)/cwd") == cluster.data
  }

  /// Takes over a server that a killed Stepwell left behind; nil if there is none. Clears away what would keep a new
  /// one from starting.
  static func adopt(_ cluster: Cluster) throws(EmbeddedError) -> Postmaster? {
    if let identifier = running(in: cluster) {
      let postmaster = Postmaster(identifier: identifier)
      if isStopping(cluster) {
        postmaster.waitUntilGone(milliseconds: 60_000)
      } else {
        kill(identifier, SIGHUP)  // our settings may be newer than it
        if try postmaster.isReady(cluster) { return postmaster }
      }
    }
    // Children of a server that was killed still hold its memory for a moment.
    var patience = 100
    while patience > 0, hasProcesses(cluster) {
      pause(milliseconds: 100)
      patience -= 1
    }
    // Its lock files may name a stranger who lives: the server would take him for its predecessor and refuse.
    if !hasProcesses(cluster) {
      unlink("\(cluster.data)/postmaster.pid")
      unlink("\(cluster.run)/.s.PGSQL.5432.lock")
    }
    return nil
  }

  private static func isStopping(_ cluster: Cluster) -> Bool {
    let lines = SmallFiles.read("\(cluster.data)/postmaster.pid")?.split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let lines, lines.count > 7 else { return false }
    return lines[7].hasPrefix("stopping")
  }

  private static func hasProcesses(_ cluster: Cluster) -> Bool {
    SmallFiles.names(in: "/proc").contains { name in pid_t(name).map { works($0, in: cluster) } ?? false }
  }

  // MARK: Starting

  static func start(
    _ cluster: Cluster, with binaries: Binaries, report: (String) -> Void
  ) throws(EmbeddedError) -> Postmaster {
    // Grows by warnings only; one old copy is kept.
    var facts = stat()
    if stat(cluster.log, &facts) == 0, facts.st_size > 10 << 20 { rename(cluster.log, cluster.log + ".1") }
    let isCrashed = cluster.needsRecovery
    let words = cluster.prefix + ["\(binaries.folder)/postgres", "-D", cluster.data]
    let child: ChildProcess
    do throws(FileError) {
      child = try ChildProcess.start(words, output: cluster.log)
    } catch {
      throw .folder(path: error.path, reason: error.reason)
    }
    let postmaster = Postmaster(identifier: child.identifier)
    let isReady = try postmaster.isReady(cluster) {
      // A plain start takes its time, too, on a slow machine.
      if isCrashed { report("the database is recovering from a crash; this may take a while") }
    }
    guard isReady else { throw cluster.explained("Starting the database") }
    return postmaster
  }

  /// Waits until it takes connections; false if it ended instead. While it recovers from a crash we wait as long as it
  /// lives; `patience` is called once when it has refused connections for about a second.
  private func isReady(_ cluster: Cluster, patience: () -> Void = {}) throws(EmbeddedError) -> Bool {
    let address = cluster.address("postgres", database: "postgres")
    var silence = 0
    var refusals = 0
    while true {
      switch PQping(address) {
      case PQPING_OK: return true
      case PQPING_REJECT:
        refusals += 1
        if refusals == 40 { patience() }
      default: silence += 1
      }
      if hasEnded { return false }
      if silence > 3_000 {
        stop()
        throw cluster.explained("Starting the database (no answer for a minute)")
      }
      pause(milliseconds: 20)
    }
  }

  /// Ours is taken note of here; somebody else's may stay behind as a zombie for ever where nobody does.
  var hasEnded: Bool {
    if ChildProcess(identifier: identifier).ended() != nil || kill(identifier, 0) != 0 { return true }
    guard let facts = SmallFiles.read("/proc/\(identifier)/stat"), let end = facts.lastIndex(of: ")") else {
      return true
    }
    return facts[end...].hasPrefix(") Z")
  }

  // MARK: Stopping

  /// "Fast": ends sessions, writes a checkpoint. If that takes two minutes, "immediate", which the next start repairs.
  func stop() {
    kill(identifier, SIGINT)
    if waitUntilGone(milliseconds: 120_000) { return }
    kill(identifier, SIGQUIT)
    waitUntilGone(milliseconds: 10_000)
  }

  @discardableResult
  private func waitUntilGone(milliseconds: Int) -> Bool {
    for _ in 0..<(milliseconds / 10) {
      if hasEnded { return true }
      pause(milliseconds: 10)
    }
    return hasEnded
  }
}
