import CLinux
import Glibc
import Synchronization

/// Plain threads: one per loop, and those of the worker pool.
enum Thread {
  /// Starts a thread that runs `body`. Without `keepsHandle` it is detached and the handle may be stale at once.
  @discardableResult
  static func start(named name: String, keepsHandle: Bool = false, _ body: @escaping () -> Void) throws(LoopError)
    -> pthread_t
  {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if !keepsHandle { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    let start = Unmanaged.passRetained(ThreadStart(name: String(name.prefix(15)), body: body))
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        pthread_setname_np(pthread_self(), start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard result == 0 else {
      start.release()
      throw .system(call: "pthread_create", errno: result)
    }
    return thread
  }
}

private final class ThreadStart {
  let name: String
  let body: () -> Void

  init(name: String, body: @escaping () -> Void) {
    self.name = name
    self.body = body
  }
}

/// One value handed from a task to a blocked thread.
final class Handover<Value: Sendable>: @unchecked Sendable {
  private var value: Result<Value, any Error>?
  private var semaphore = sem_t()

  init() {
    sem_init(&semaphore, 0, 0)
  }

  deinit {
    sem_destroy(&semaphore)
  }

  func put(_ result: Result<Value, any Error>) {
    value = result
    sem_post(&semaphore)
  }

  func take() -> Result<Value, any Error> {
    while sem_wait(&semaphore) != 0 {}
    return value ?? .failure(LoopError.cancelled)
  }
}
