package import Activity
import Consent
package import EventLoop
import People
package import Storage

/// Takes jobs from the queue and does them, on one loop with a store of its own. Not Sendable.
package final class JobRunner {
  let store: Store
  let poller: Poller
  let settings: JobSettings
  let signal: JobSignal
  /// A line for the log; never a health value.
  let log: (String) -> Void
  private let over: Bell
  private var running = 0
  /// Ends that could not be noted, as the database was away: they are before the next job is taken.
  private var unsettled: [(job: Job, end: JobEnd)] = []
  private var cleanedAt: LoopTime?
  /// Why jobs wait, as it was said last: once is enough.
  private var waiting: [Int64: String] = [:]

  package init(
    store: Store, poller: Poller, settings: JobSettings, signal: JobSignal = JobSignal(),
    log: @escaping (String) -> Void = { _ in }
  ) {
    self.store = store
    self.poller = poller
    self.settings = settings
    self.signal = signal
    self.log = log
    over = Bell(poller)
  }

  /// Works until `signal.stop()` or until the loop stops; then the jobs at hand are back in the queue.
  package func run() async {
    guard await takeBack() else { return }
    for _ in 1..<max(2, settings.atOnce) {
      running += 1
      poller.spawn {
        await self.serve()
        self.running -= 1
        self.over.ring()
      }
    }
    await serve()
    while running > 0 { do throws(LoopError) { try await over.wait() } catch { return } }
  }

  /// Does what is due now, one job after the other; answers how many. For commands and tests. `restarted`: what this
  /// instance held before is free again; nobody else may be at work under its name.
  @discardableResult
  package func runDue(restarted: Bool = false) async throws(Problem) -> Int {
    if restarted { try await store.takeBackJobs(of: settings.instance) }
    var count = 0
    while !signal.isStopping {
      await settleAgain()
      guard let job = try await store.claimJob(instance: settings.instance, lease: settings.lease) else { break }
      await perform(job)
      count += 1
    }
    return count
  }

  /// Before anybody works under our name, so that only what a dead process held is freed. False when it is time to stop.
  private func takeBack() async -> Bool {
    while !signal.isStopping {
      do throws(Problem) {
        try await store.takeBackJobs(of: settings.instance)
        return true
      } catch { log("jobs: the queue cannot be read: \(error.cause ?? error.message)") }
      guard await rest() else { return false }
    }
    return false
  }

  private func serve() async {
    while !signal.isStopping {
      do throws(Problem) {
        if try await runDue() > 0 { continue }
      } catch { log("jobs: the queue cannot be read: \(error.cause ?? error.message)") }
      if cleanedAt.map({ poller.now.since($0) > 3_600_000 }) ?? true {
        cleanedAt = poller.now
        await cleanUp()
      }
      guard await rest() else { return }
    }
  }

  /// Waits for the next look at the queue; false when the loop has stopped.
  private func rest() async -> Bool {
    let end = poller.now + settings.patience
    while poller.now < end, !signal.isStopping, !signal.takeRing() {
      do throws(LoopError) { try await poller.sleep(for: min(100, settings.patience)) } catch { return false }
    }
    return true
  }

  private func perform(_ job: Job) async {
    do throws(JobEnd) {
      switch job.work {
      case .recount(let person): try await recount(job, person)
      case .readImport(_, let id): try await ImportWalk(self, job, id).run()
      }
    } catch { await settle(job, error) }
  }

  private func recount(_ job: Job, _ person: PersonID) async throws(JobEnd) {
    let lease = Lease(job, self)
    do throws(Problem) {
      while try await store.recount(.onServer(for: person, client: nil), limit: settings.daysAtOnce) > 0 {
        guard !signal.isStopping else { throw Problem(.unavailable, "The server is stopping.") }
        try await lease.hold()
      }
      try await store.finish(job)
    } catch { throw error.code == .conflict ? .lost : .again(error) }
  }

  private func settle(_ job: Job, _ end: JobEnd, isFirst: Bool = true) async {
    do throws(Problem) {
      switch end {
      case .lost: break
      case .wait(let milliseconds, let why):
        if isFirst, waiting.updateValue(why, forKey: job.id) != why { log("jobs: \(job.id) waits: \(why)") }
        try await store.putBack(job, after: milliseconds, error: why, isTried: false)
      case .again(let problem):
        let delay: Int64 = signal.isStopping ? 0 : 1000 << Int64(min(max(job.attempt, 0), 8))
        let why = problem.cause ?? problem.message
        if isFirst, !signal.isStopping { log("jobs: \(job.id) is tried again in \(delay / 1000) s: \(why)") }
        // A database that is away and a server that stops are not the job's fault.
        try await store.putBack(job, after: delay, error: why, isTried: problem.code != .unavailable)
      }
    } catch {
      if isFirst { log("jobs: \(job.id) cannot be put back yet: \(error.cause ?? error.message)") }
      unsettled.append((job, end))
    }
  }

  /// Else a job whose end could not be noted would look like one that killed its server.
  private func settleAgain() async {
    let again = unsettled
    unsettled.removeAll()
    for (job, end) in again { await settle(job, end, isFirst: false) }
  }
}

/// Why a job ended before it was done.
enum JobEnd: Error {
  /// In other hands, cancelled or over: nothing is left to do here.
  case lost
  /// Not now; look again after so many milliseconds.
  case wait(Int64, String)
  case again(Problem)
}
