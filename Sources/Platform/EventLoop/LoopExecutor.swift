import CLinux
import Glibc
import Synchronization

/// The queue of jobs of one thread. It is the serial executor of the `EventLoop` actor and the task executor of its
/// tasks at once, so that a resumed continuation costs one append and no other thread is involved.
///
/// `local` and `batch` belong to the loop's thread alone; other threads put jobs into `remote` and wake the thread
/// through an eventfd.
final class LoopExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  let wakeDescriptor: Int32
  let epoll: Int32
  private let name: String
  private var local: [UnownedJob] = []
  private var batch: [UnownedJob] = []
  private(set) var jobsRun: UInt64 = 0
  private var thread = pthread_t()
  private let remote = Mutex(Remote())
  private let hasRemote = Atomic<Bool>(false)

  private struct Remote {
    var jobs: [UnownedJob] = []
    var cancelledWaits: [UInt64] = []
    var stopping = false
    var started = false
  }

  init(named name: String) throws(LoopError) {
    self.name = name
    epoll = try check("epoll_create1", epoll_create1(Int32(EPOLL_CLOEXEC)))
    wakeDescriptor = try check("eventfd", eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)))
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = UInt64.max
    _ = try check("epoll_ctl", epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, &event))
    local.reserveCapacity(256)
    batch.reserveCapacity(256)
  }

  deinit {
    close(epoll)
    close(wakeDescriptor)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrentThread {
      local.append(job)
    } else {
      remote.withLock { $0.jobs.append(job) }
      wake()
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Whether the calling thread is the loop's: the pointer lives in a thread-local slot of pthread.
  var isCurrentThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

  func checkIsolated() {
    precondition(isCurrentThread, "this code belongs to the loop's thread")
  }

  /// Starts the thread; returns when it is known which one it is, so that no job sees an unset thread.
  func startThread(_ body: @escaping () -> Void) throws(LoopError) {
    let started = Handover<Bool>()
    try Thread.start(named: name, keepsHandle: true) { [self] in
      thread = pthread_self()
      started.put(.success(true))
      body()
    }
    _ = started.take()
  }

  func join() {
    pthread_join(thread, nil)
  }

  /// A wait whose task was cancelled, perhaps by another thread.
  func cancelWait(_ number: UInt64) {
    remote.withLock { $0.cancelledWaits.append(number) }
    wake()
  }

  func requestStop() {
    remote.withLock { $0.stopping = true }
    wake()
  }

  private func wake() {
    guard !hasRemote.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, 8)
  }

  // MARK: On the loop's thread

  var hasJobs: Bool { !local.isEmpty }

  /// The eventfd has reported.
  func drainWake() {
    var drained: UInt64 = 0
    _ = read(wakeDescriptor, &drained, 8)
  }

  /// Takes in what other threads left. Returns the waits to cancel and whether the loop shall end.
  func takeRemote() -> (cancelledWaits: [UInt64], stopping: Bool)? {
    guard hasRemote.load(ordering: .acquiring) else { return nil }
    // Cleared before the lists are read: who appends afterwards writes to the eventfd again.
    hasRemote.store(false, ordering: .sequentiallyConsistent)
    return remote.withLock { remote in
      local.append(contentsOf: remote.jobs)
      remote.jobs.removeAll(keepingCapacity: true)
      defer { remote.cancelledWaits = [] }
      return (remote.cancelledWaits, remote.stopping)
    }
  }

  /// Runs the jobs that are queued now; what they queue waits for the next round, so that descriptors get their turn.
  func runJobs() {
    swap(&local, &batch)
    let (serial, task) = (asUnownedSerialExecutor(), asUnownedTaskExecutor())
    for job in batch { job.runSynchronously(isolatedTo: serial, taskExecutor: task) }
    jobsRun &+= UInt64(batch.count)
    batch.removeAll(keepingCapacity: true)
  }
}

/// Turns the -1 of a system call into an error.
func check(_ call: String, _ result: Int32) throws(LoopError) -> Int32 {
  guard result >= 0 else { throw .system(call: call, errno: errno) }
  return result
}
