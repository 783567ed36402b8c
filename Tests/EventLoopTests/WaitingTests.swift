import CLinux
import EventLoop
import Glibc
import Testing

@Suite("Waiting for descriptors", .timeLimit(.minutes(1)))
struct WatchTests {
  @Test("readable returns when there is something to read, and again while it is unread")
  func readable() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      loop.poller.spawn { put(right) }
      try await watch.readable(until: nil)
      try await watch.readable(until: nil)
      watch.cancel()
    }
    close(left)
    close(right)
  }

  @Test("what arrived while nobody waited is not lost")
  func noLostWakeup() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      put(right)
      // Several turns of the loop see the event and find nobody.
      for _ in 0..<5 { await loop.poller.yield() }
      try await watch.readable(until: nil)
      var byte: UInt8 = 0
      #expect(read(left, &byte, 1) == 1)
      await #expect(throws: LoopError.timedOut) { try await watch.readable(until: loop.poller.now + 2) }
      watch.cancel()
    }
    close(left)
    close(right)
  }

  @Test("a socket that nobody reads does not keep the loop awake")
  func noSpin() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      try await watch.writable(until: nil)
      put(right)
      for _ in 0..<3 { await loop.poller.yield() }
      let turns = loop.poller.turns
      try await loop.poller.sleep(for: 20)
      #expect(loop.poller.turns - turns <= 4)
      close(right)
      for _ in 0..<3 { await loop.poller.yield() }
      let later = loop.poller.turns
      try await loop.poller.sleep(for: 20)
      #expect(loop.poller.turns - later <= 4)
      watch.cancel()
    }
    close(left)
  }

  @Test("writable waits for room")
  func writable() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      let block = [UInt8](repeating: 7, count: 65_536)
      while write(left, block, block.count) > 0 {}
      await #expect(throws: LoopError.timedOut) { try await watch.writable(until: loop.poller.now + 2) }
      loop.poller.spawn {
        var sink = [UInt8](repeating: 0, count: 65_536)
        while read(right, &sink, sink.count) > 0 {}
      }
      try await watch.writable(until: nil)
      watch.cancel()
    }
    close(left)
    close(right)
  }

  @Test("one reader and one writer wait at once")
  func both() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      let done = Bell(loop.poller)
      let notes = Notes()
      loop.poller.spawn {
        try? await watch.readable(until: nil)
        notes.lines.append("read")
        done.ring()
      }
      try await watch.writable(until: nil)
      notes.lines.append("written")
      put(right)
      try await done.wait()
      #expect(notes.lines == ["written", "read"])
      watch.cancel()
    }
    close(left)
    close(right)
  }

  @Test("cancel wakes the waiter, and an old event finds no new watch of the same descriptor")
  func cancel() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let poller = loop.poller
      let first = try poller.watch(left)
      poller.spawn {
        await poller.yield()
        first.cancel()
      }
      await #expect(throws: LoopError.cancelled) { try await first.readable(until: nil) }
      await #expect(throws: LoopError.cancelled) { try await first.writable(until: nil) }
      let second = try poller.watch(left)
      put(right)
      try await second.readable(until: nil)
      second.cancel()
    }
    close(left)
    close(right)
  }

  @Test("the end of the peer wakes a reader, and is told to who asked for it")
  func hangUp() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      let bell = Bell(loop.poller)
      watch.onHangUp = { bell.ring() }
      loop.poller.spawn { close(right) }
      try await bell.wait()
      try await watch.readable(until: nil)
      var byte: UInt8 = 0
      #expect(read(left, &byte, 1) == 0)
      watch.cancel()
    }
    close(left)
  }

  @Test("a deadline that moves on costs no timer per wait")
  func lazyDeadlines() async throws {
    let (left, right) = socketPair()
    try await withLoop { loop in
      let watch = try loop.poller.watch(left)
      put(right)
      for _ in 0..<1_000 { try await watch.readable(until: loop.poller.now + 60_000) }
      #expect(loop.poller.timerCount <= 2)
      var byte: UInt8 = 0
      #expect(read(left, &byte, 1) == 1)
      await #expect(throws: LoopError.timedOut) { try await watch.readable(until: loop.poller.now + 3) }
      watch.cancel()
    }
    close(left)
    close(right)
  }

  @Test("a descriptor that epoll refuses is an error, not a trap")
  func refused() async throws {
    try await withLoop { loop in
      #expect(throws: LoopError.system(call: "epoll_ctl", errno: EBADF)) { try loop.poller.watch(1_000_000) }
    }
  }
}

@Suite("Waiting for times and bells", .timeLimit(.minutes(1)))
struct TimeTests {
  @Test("sleepers wake in the order of their times")
  func order() async throws {
    let lines = try await withLoop { loop in
      let poller = loop.poller
      let notes = Notes()
      let over = Bell(poller)
      let start = poller.now
      for delay in [8, 2, 6, 4] {
        poller.spawn {
          try? await poller.sleep(until: start + delay)
          notes.lines.append("\(delay)")
          over.ring()
        }
      }
      while notes.lines.count < 4 { try await over.wait() }
      return notes.lines
    }
    #expect(lines == ["2", "4", "6", "8"])
  }

  @Test("a cancelled task stops sleeping and waiting")
  func cancellation() async throws {
    try await withLoop { loop in
      let task = Task {
        try await loop.run { loop in
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await loop.run { try await $0.poller.sleep(for: 1) } }
            try await group.waitForAll()
          }
        }
      }
      try await task.value
      let poller = loop.poller
      let notes = Notes()
      let over = Bell(poller)
      poller.spawn {
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(LoopError) { try await poller.sleep(for: 1_000_000) } catch { notes.lines.append("\(error)") }
        do throws(LoopError) { try await over.wait() } catch { notes.lines.append("\(error)") }
        over.ring()
      }
      try await over.wait()
      #expect(notes.lines == ["cancelled", "cancelled"])
    }
  }

  @Test("a bell wakes all or one, and its deadline passes")
  func bells() async throws {
    try await withLoop { loop in
      let poller = loop.poller
      let (bell, woken) = (Bell(poller), Bell(poller))
      let notes = Notes()
      for number in 0..<3 {
        poller.spawn {
          try? await bell.wait()
          notes.lines.append("\(number)")
          woken.ring()
        }
      }
      for _ in 0..<6 { await poller.yield() }
      #expect(bell.ringOnce())
      try await woken.wait()
      #expect(notes.lines == ["0"])
      bell.ring()
      while notes.lines.count < 3 { try await woken.wait() }
      #expect(!bell.ringOnce())
      await #expect(throws: LoopError.timedOut) { try await bell.wait(until: poller.now + 2) }
      #expect(!bell.isAwaited)
    }
  }
}
