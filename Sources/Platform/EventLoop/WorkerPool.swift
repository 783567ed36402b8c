import CLinux
import Glibc
import Synchronization

/// A few threads for what would block a loop: password hashing, files, unpacking. Threads start when they are first
/// needed and stay; the queue is bounded, so that a flood is refused and not remembered.
package final class WorkerPool: @unchecked Sendable {
  /// The pool that loops use: four threads.
  package static let shared = WorkerPool(threads: 4, queue: 1024, named: "worker")

  private let limit: Int
  private let queueLimit: Int
  private let name: String
  private var mutex = pthread_mutex_t()
  private var condition = pthread_cond_t()
  // Behind `mutex`:
  private var queue: [@Sendable () -> Void] = []
  private var head = 0
  private var threads = 0
  private var idle = 0

  package init(threads: Int, queue: Int, named name: String) {
    limit = threads
    queueLimit = queue
    self.name = name
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&condition, nil)
  }

  /// Queues `work`; false if the queue is full. From any thread. Work that lasts minutes belongs on a thread of its
  /// own: see `runAlone`.
  package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    guard queue.count &- head < queueLimit else { return false }
    queue.append(work)
    if idle >= queue.count &- head {
      pthread_cond_signal(&condition)
    } else if threads < limit {
      threads &+= 1
      do throws(LoopError) {
        try Thread.start(named: name) { [self] in serve() }
      } catch {
        threads &-= 1
        // Without any thread nobody would ever take it.
        if threads == 0 { queue.removeLast() }
        return threads > 0
      }
    }
    return true
  }

  /// Starts a detached thread for one long piece of work (an import), outside of every pool.
  package static func runAlone(named name: String, _ work: @escaping @Sendable () -> Void) throws(LoopError) {
    try Thread.start(named: name, work)
  }

  private func serve() {
    while true { next()() }
  }

  private func next() -> @Sendable () -> Void {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    while head == queue.count {
      idle &+= 1
      pthread_cond_wait(&condition, &mutex)
      idle &-= 1
    }
    let work = queue[head]
    head &+= 1
    if head == queue.count || head > 512 {
      queue.removeFirst(head)
      head = 0
    }
    return work
  }
}
