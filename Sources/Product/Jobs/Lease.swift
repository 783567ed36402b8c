import Activity
import EventLoop
import Storage

/// Says now and then that a job is still being worked on.
final class Lease {
  private let job: Job
  private let runner: JobRunner
  private var last: LoopTime
  /// Changes when a piece of work begins and when it ends.
  private var beats = 0

  init(_ job: Job, _ runner: JobRunner) {
    self.job = job
    self.runner = runner
    last = runner.poller.now
  }

  /// Extends the lease when a quarter of it has run; throws `conflict` when the job is in other hands.
  func hold() async throws(Problem) {
    let now = runner.poller.now
    guard now.since(last) * 4 > runner.settings.lease * 1000 else { return }
    guard try await runner.store.extend(job, lease: runner.settings.lease) else {
      throw Problem(.conflict, "This job is in other hands.")
    }
    last = now
  }

  /// Holds the lease as long as `work` lasts: for what keeps a worker busy in one piece, such as looking through a hostile zip.
  /// `work` must not touch the lease. That the job is in other hands shows at the next `hold`.
  func holding<T, E: Error>(_ work: () async throws(E) -> T) async throws(E) -> T {
    beats &+= 1
    let mine = beats
    runner.poller.spawn { await self.beat(mine) }
    defer { beats &+= 1 }
    return try await work()
  }

  /// Until `beats` is another number, or the loop stops.
  private func beat(_ mine: Int) async {
    while beats == mine {
      do throws(LoopError) { try await runner.poller.sleep(for: max(10, runner.settings.lease * 250)) } catch { return }
      // A database that is away is what the next `hold` reports.
      if beats == mine { try? await hold() }
    }
  }
}
