// EventLoop: one thread, one epoll descriptor, one Swift executor. What a loop owns (connections, buffers, a database
// pool) are plain classes that live in its isolation and are never shared; async functions stay on the loop because
// they are nonisolated(nonsending). Other threads reach a loop only by `spawn`, `run`, `runBlocking` and `stop`.
// It must never know a protocol, and nothing on it may block: slow work goes to `Poller.onWorker`.

/// A thread that runs Swift tasks and waits for descriptors and times. Every task of the loop starts by `spawn` (or
/// `run`), which prefers the loop's executor: a task started in another way would wander through the global pool.
package actor EventLoop {
  /// What code on this loop waits with.
  package let poller: Poller
  private let executor: LoopExecutor

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the thread (named for `ps` and `perf`, at most 15 bytes). The loop lives until `stop`.
  package static func start(named name: String) throws(LoopError) -> EventLoop {
    let executor = try LoopExecutor(named: name)
    let loop = EventLoop(executor: executor)
    try executor.startThread { loop.assumeIsolated { $0.poller.run() } }
    return loop
  }

  private init(executor: LoopExecutor) {
    self.executor = executor
    // Nothing touches the poller before the thread runs, and from then on only code on the loop does.
    poller = Poller(executor: executor)
    poller.loop = self
  }

  /// Starts a task on this loop. From any thread.
  package nonisolated func spawn(_ body: @escaping @Sendable (isolated EventLoop) async -> Void) {
    Task(executorPreference: executor) { await body(self) }
  }

  /// Runs `body` on this loop and waits for its answer without blocking a thread. For code outside of loops.
  package nonisolated func run<T: Sendable>(
    _ body: @escaping @Sendable (isolated EventLoop) async throws -> T
  ) async throws -> T {
    try await Task(executorPreference: executor) { try await body(self) }.value
  }

  /// Runs `body` on this loop and blocks the calling thread until it is done: for a synchronous main. Never call it
  /// on a loop.
  package nonisolated func runBlocking<T: Sendable>(
    _ body: @escaping @Sendable (isolated EventLoop) async throws -> T
  ) throws -> T {
    let box = Handover<T>()
    Task(executorPreference: executor) {
      do {
        box.put(.success(try await body(self)))
      } catch {
        box.put(.failure(error))
      }
    }
    return try box.take().get()
  }

  /// Ends the loop: whoever waits is woken with `.cancelled`, what is ready to run runs once more, then the thread
  /// ends. From any thread; a second call does nothing. Tasks spawned afterwards never run.
  package nonisolated func stop() {
    executor.requestStop()
  }

  /// Waits until the thread has ended. Not on the loop itself.
  package nonisolated func join() {
    executor.join()
  }

  /// Whether the calling thread is this loop's.
  package nonisolated var isCurrentThread: Bool { executor.isCurrentThread }

  func perform(_ body: OnLoop) async {
    await body.body()
  }
}

/// A closure that captures what lives on the loop, on its way into a task of the same loop.
struct OnLoop: @unchecked Sendable {
  let body: () async -> Void
}
