import CLinux
import EventLoop
import Glibc
import Testing

/// A connected pair of non-blocking descriptors.
func socketPair() -> (Int32, Int32) {
  var pair: [Int32] = [0, 0]
  let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
  precondition(result == 0)
  return (pair[0], pair[1])
}

func put(_ descriptor: Int32) {
  _ = write(descriptor, "x", 1)
}

/// A loop for one test, stopped and joined at its end.
@discardableResult
func withLoop<T: Sendable>(_ body: @escaping @Sendable (isolated EventLoop) async throws -> T) async throws -> T {
  let loop = try EventLoop.start(named: "test")
  defer {
    loop.stop()
    loop.join()
  }
  return try await loop.run(body)
}

/// What two tasks of one loop write down; it never leaves its loop.
final class Notes: @unchecked Sendable {
  var lines: [String] = []
  var count = 0
}

@Suite("The loop runs tasks", .timeLimit(.minutes(1)))
struct LoopTaskTests {
  @Test("a task runs on the loop's thread, before and after every wait")
  func thread() async throws {
    try await withLoop { loop in
      #expect(loop.isCurrentThread)
      try await loop.poller.sleep(for: 1)
      #expect(loop.isCurrentThread)
      let value = try await loop.poller.onWorker { loop.isCurrentThread }
      #expect(value == false)
      #expect(loop.isCurrentThread)
      await plain(loop)
    }
  }

  @Test("a wait in a task that code of the loop started is one job too")
  func oneJobPerWait() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      let over = Bell(loop.poller)
      put(right)
      let before = loop.poller.jobsRun
      readOften(watch, loop.poller, over)
      try await over.wait()
      #expect(loop.poller.jobsRun - before < 1_010)
      watch.cancel()
    }
    close(left)
    close(right)
  }

  private func readOften(_ watch: Watch, _ poller: Poller, _ over: Bell) {
    poller.spawn {
      for _ in 0..<1_000 { await self.readOnce(watch) }
      over.ring()
    }
  }

  private func readOnce(_ watch: Watch) async {
    try? await watch.readable(until: nil)
  }

  private func plain(_ loop: EventLoop) async {
    #expect(loop.isCurrentThread)
  }

  @Test("a switch of task is one job, on the loop's thread")
  func oneJobPerSwitch() async throws {
    try await withLoop { loop in
      let poller = loop.poller
      let (ping, pong, over) = (Bell(poller), Bell(poller), Bell(poller))
      let rounds = 1_000
      poller.spawn {
        for _ in 0..<rounds {
          try? await ping.wait()
          #expect(loop.isCurrentThread)
          pong.ring()
        }
        over.ring()
      }
      while !ping.isAwaited { await poller.yield() }
      let before = poller.jobsRun
      for _ in 0..<rounds - 1 {
        ping.ring()
        try await pong.wait()
      }
      #expect(poller.jobsRun - before <= UInt64(2 * rounds))
      ping.ring()
      try await over.wait()
    }
  }

  @Test("tasks come from any thread; answers and errors go back")
  func fromOutside() async throws {
    let loop = try EventLoop.start(named: "outside")
    struct Oops: Error {}
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 { group.addTask { try await loop.run { _ in number } } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 19_900)
    await #expect(throws: Oops.self) { try await loop.run { _ in throw Oops() } }
    let blocking = try await offLoop { try loop.runBlocking { $0.isCurrentThread } }
    #expect(blocking)
    loop.stop()
    loop.join()
  }

  @Test("stopping wakes everyone with cancelled and ends the thread")
  func stop() async throws {
    let loop = try EventLoop.start(named: "stop")
    let (left, right) = socketPair()
    let notes = Notes()
    try await loop.run { loop in
      let poller = loop.poller
      let watch = try poller.watch(left)
      poller.spawn {
        do throws(LoopError) { try await watch.readable(until: nil) } catch { notes.lines.append("watch \(error)") }
      }
      poller.spawn {
        do throws(LoopError) { try await poller.sleep(for: 1_000_000) } catch { notes.lines.append("sleep \(error)") }
      }
      for _ in 0..<4 { await poller.yield() }
    }
    loop.stop()
    loop.stop()
    loop.join()
    #expect(notes.lines.sorted() == ["sleep cancelled", "watch cancelled"])
    close(left)
    close(right)
  }

  @Test("a full worker pool refuses instead of remembering")
  func workers() async throws {
    let pool = WorkerPool(threads: 1, queue: 1, named: "few")
    let gate = socketPair()
    try await withLoop { loop in
      let poller = loop.poller
      let (started, ended) = (Bell(poller), Bell(poller))
      _ = started
      let notes = Notes()
      let running = socketPair()
      poller.spawn {
        try? await poller.onWorker(of: pool) {
          put(running.0)
          var poll = pollfd(fd: gate.0, events: Int16(POLLIN), revents: 0)
          Glibc.poll(&poll, 1, -1)
        }
        notes.count += 1
        ended.ring()
      }
      let watch = try poller.watch(running.1)
      try await watch.readable(until: nil)
      poller.spawn {
        try? await poller.onWorker(of: pool) {}
        notes.count += 1
        ended.ring()
      }
      for _ in 0..<4 { await poller.yield() }
      await #expect(throws: LoopError.busy) { try await poller.onWorker(of: pool) {} }
      put(gate.1)
      while notes.count < 2 { try await ended.wait() }
      watch.cancel()
    }
  }

  @Test("a worker's error reaches the task")
  func workerError() async throws {
    struct Broken: Error {}
    try await withLoop { loop in
      await #expect(throws: Broken.self) { try await loop.poller.onWorker { throw Broken() } as Void }
    }
  }
}

/// Runs something that blocks, away from every loop.
private func offLoop<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
  try await withUnsafeThrowingContinuation { continuation in
    if !WorkerPool.shared.submit({ continuation.resume(with: Result { try work() }) }) {
      continuation.resume(throwing: LoopError.busy)
    }
  }
}
