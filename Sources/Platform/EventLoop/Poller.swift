import CLinux
import Glibc

/// What code on a loop waits with: descriptors, times, bells, worker threads. It lives in the isolation of its
/// `EventLoop` and is not Sendable; whoever holds it is on the loop.
///
/// Descriptors are registered level-triggered, so that an event that nobody waited for comes again and no wake-up
/// can be lost. The number in an epoll event is the descriptor and the generation of its watch: an event for a watch
/// that is gone finds nobody.
package final class Poller {
  weak var loop: EventLoop?
  let executor: LoopExecutor
  /// The time at the last turn of the loop; as exact as the current turn is short.
  package private(set) var now: LoopTime
  private var watches: [Unowned] = []
  private var generation: UInt32 = 0
  private var timers = TimerHeap()
  private var waits: [UInt64: UnsafeContinuation<Wake, Never>] = [:]
  private var nextWait: UInt64 = 0
  private var isStopping = false

  private struct Unowned {
    unowned(unsafe) var watch: Watch?
  }

  init(executor: LoopExecutor) {
    self.executor = executor
    now = Poller.clock()
  }

  // MARK: Verbs for code on the loop

  /// Registers a non-blocking descriptor. The watch must be cancelled before the descriptor is closed.
  package func watch(_ descriptor: Int32) throws(LoopError) -> Watch {
    guard !isStopping else { throw .cancelled }
    generation &+= 1
    let watch = Watch(descriptor: descriptor, generation: generation, poller: self)
    try watch.register()
    while watches.count <= Int(descriptor) { watches.append(Unowned(watch: nil)) }
    watches[Int(descriptor)].watch = watch
    return watch
  }

  /// Returns at `time`, exact to about a millisecond. Throws `.cancelled` when the task is cancelled or the loop stops.
  package func sleep(until time: LoopTime) async throws(LoopError) {
    guard await wait(until: time, enlist: { _ in }) == .cancelled else { return }
    throw .cancelled
  }

  /// Returns after `milliseconds`.
  package func sleep(for milliseconds: Int) async throws(LoopError) {
    try await sleep(until: now + milliseconds)
  }

  /// Runs `work` on a worker thread while the loop goes on. Throws what it throws, `.busy` if the queue is full.
  package func onWorker<T: Sendable>(
    of pool: WorkerPool = .shared, _ work: @escaping @Sendable () throws -> T
  ) async throws -> T {
    try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<T, any Error>) in
      let accepted = pool.submit { continuation.resume(with: Result { try work() }) }
      if !accepted { continuation.resume(throwing: LoopError.busy) }
    }
  }

  /// Starts a task on this loop from code that lives on it; `body` may capture what lives here.
  ///
  /// Write it without a capture list: in Swift 6.3 an async closure with one (`{ [self] in … }`) forgets whose
  /// isolation it runs in, and every wait in it takes four more jobs (Tests/HouseTests/IsolationTests.swift).
  package func spawn(_ body: @escaping () async -> Void) {
    let body = OnLoop(body: body)
    loop?.spawn { await $0.perform(body) }
  }

  /// Lets other tasks and descriptors have their turn: for long computations on the loop.
  package func yield() async {
    try? await sleep(until: now)
  }

  /// How many jobs (pieces of tasks between two suspensions) this loop has run: for metrics and tests.
  package var jobsRun: UInt64 { executor.jobsRun }

  /// How often the loop has asked epoll: for metrics and tests.
  package private(set) var turns: UInt64 = 0

  /// How many entries the timer heap holds: for tests.
  package var timerCount: Int { timers.count }

  // MARK: For Watch and Bell

  /// Waits for `wake(number)`, the deadline or the task's cancellation. `enlist` is told the number before anything
  /// can wake it.
  ///
  /// The isolation is a parameter, and captured, because a closure of a nonisolated(nonsending) function would be run
  /// on the generic executor by `withTaskCancellationHandler`: two more jobs, and a gap before the wait is known.
  func wait(
    until deadline: LoopTime?, isolation: isolated (any Actor)? = #isolation, enlist: (UInt64) -> Void
  ) async -> Wake {
    nextWait &+= 1
    let (number, executor) = (nextWait, executor)
    return await withTaskCancellationHandler {
      _ = isolation
      return await withUnsafeContinuation { continuation in
        // Trap 2: whatever happened before this closure ran is looked at here.
        guard !isStopping, !Task.isCancelled else { return continuation.resume(returning: .cancelled) }
        waits[number] = continuation
        enlist(number)
        if let deadline { timers.insert(at: deadline, .wait(number)) }
      }
    } onCancel: {
      executor.cancelWait(number)
    }
  }

  /// Wakes one wait; does nothing if it is over already.
  @discardableResult
  func wake(_ number: UInt64, with wake: Wake = .ready) -> Bool {
    guard let continuation = waits.removeValue(forKey: number) else { return false }
    continuation.resume(returning: wake)
    return true
  }

  func setDeadline(_ deadline: LoopTime, of watch: Watch) {
    timers.insert(at: deadline, .watch(watch.descriptor, watch.generation))
  }

  func remove(_ watch: Watch) {
    if liveWatch(watch.descriptor, watch.generation) != nil { watches[Int(watch.descriptor)].watch = nil }
  }

  private func liveWatch(_ descriptor: Int32, _ generation: UInt32) -> Watch? {
    guard watches.indices.contains(Int(descriptor)), let watch = watches[Int(descriptor)].watch,
      watch.generation == generation
    else { return nil }
    return watch
  }

  // MARK: The turn of the loop

  /// The thread's body.
  func run() {
    let capacity = 256
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: capacity) { events in
      while turn(events) {}
    }
    end()
  }

  private func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) -> Bool {
    executor.runJobs()
    if let remote = executor.takeRemote() {
      for number in remote.cancelledWaits { wake(number, with: .cancelled) }
      if remote.stopping { return false }
    }
    let ready = epoll_wait(executor.epoll, events.baseAddress, Int32(events.count), patience())
    turns &+= 1
    now = Poller.clock()
    for place in 0..<Int(max(ready, 0)) {
      let event = events[place]
      guard event.data.u64 != UInt64.max else {
        executor.drainWake()
        continue
      }
      let descriptor = Int32(truncatingIfNeeded: event.data.u64 >> 32)
      liveWatch(descriptor, UInt32(truncatingIfNeeded: event.data.u64))?.deliver(event.events)
    }
    expire()
    return true
  }

  /// How long epoll may sleep: not at all while jobs are queued, else to the next deadline.
  private func patience() -> Int32 {
    if executor.hasJobs { return 0 }
    guard let next = timers.next else { return -1 }
    let left = next.since(Poller.clock())
    return Int32(min(max(left, 0), 60_000))
  }

  private func expire() {
    while let due = timers.removeNext(ifDueAt: now) {
      switch due {
      case .wait(let number): wake(number, with: .timedOut)
      case .watch(let descriptor, let generation): liveWatch(descriptor, generation)?.expire(at: now)
      }
    }
  }

  /// Wakes everybody with `.cancelled` until nobody starts anything new.
  private func end() {
    isStopping = true
    repeat {
      for place in watches.indices { watches[place].watch?.cancel() }
      for number in Array(waits.keys) { wake(number, with: .cancelled) }
      executor.runJobs()
      _ = executor.takeRemote()
    } while executor.hasJobs || !waits.isEmpty
  }

  static func clock() -> LoopTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return LoopTime(milliseconds: Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000)
  }
}
