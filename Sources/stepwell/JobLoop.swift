import Activity
import EventLoop
import Jobs
import Postgres
import Secrets
import Storage

/// The loop on which a server does its jobs: apart from those that answer pages, so that an import makes nobody wait.
final class JobLoop: Sendable {
  private let signal: JobSignal
  private let loop: EventLoop

  /// - Parameter instance: what this server calls itself to others on the same database; it survives a restart.
  init(
    signal: JobSignal, database: String, imports: String, instance: String,
    zones: @escaping @Sendable () -> ZoneTable, clock: Clock
  ) throws(LoopError) {
    loop = try EventLoop.start(named: "jobs")
    self.signal = signal
    loop.spawn { loop in
      var pool = PoolSettings()
      pool.name = "stepwell jobs"
      let store = Store(
        pool: Pool(poller: loop.poller, conninfo: database, settings: pool), zones: zones, clock: clock,
        random: .system)
      let runner = JobRunner(
        store: store, poller: loop.poller, settings: JobSettings(importFolder: imports, instance: instance),
        signal: signal, log: { ProblemLog.say($0) })
      await runner.run()
      loop.stop()
    }
  }

  /// The job at hand goes back into the queue; blocks until it has.
  func close() {
    signal.stop()
    loop.join()
  }
}
