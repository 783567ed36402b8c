package import Activity
package import EventLoop

/// Lets at most two passwords be computed at once in the whole program, with a short queue behind: each costs 46 MiB
/// and some 30 ms, and a flood of sign-ins must not take the machine away from everybody else.
package struct PasswordGate: Sendable {
  private let pool: WorkerPool

  package init(places: Int = 2, queue: Int = 16) {
    pool = WorkerPool(threads: places, queue: queue, named: "password")
  }

  /// Runs `work` on a thread of its own; throws `unavailable` at once when the queue is full.
  package func run<T: Sendable>(on poller: Poller, _ work: @escaping @Sendable () -> T) async throws(Problem) -> T {
    do {
      return try await poller.onWorker(of: pool, work)
    } catch {
      throw Problem(.unavailable, "Many people are signing in at this moment. Try again in a few seconds.")
    }
  }
}
