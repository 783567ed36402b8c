/// Why waiting ended without the thing waited for.
package enum LoopError: Error, Equatable {
  /// The deadline came first.
  case timedOut
  /// The watch was cancelled, the task was cancelled or the loop stopped.
  case cancelled
  /// All worker threads are busy and their queue is full.
  case busy
  /// The kernel refused; `errno` as `call` left it.
  case system(call: String, errno: Int32)
}

/// What a waiter is woken with.
enum Wake: Sendable {
  case ready, timedOut, cancelled

  func check() throws(LoopError) {
    switch self {
    case .ready: return
    case .timedOut: throw .timedOut
    case .cancelled: throw .cancelled
    }
  }
}

/// A point of the loop's clock (CLOCK_MONOTONIC), in milliseconds since the machine started.
package struct LoopTime: Comparable, Hashable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (left: LoopTime, right: LoopTime) -> Bool { left.milliseconds < right.milliseconds }

  package static func + (time: LoopTime, milliseconds: Int) -> LoopTime {
    LoopTime(milliseconds: time.milliseconds &+ Int64(milliseconds))
  }

  /// Milliseconds from `earlier` to this.
  package func since(_ earlier: LoopTime) -> Int {
    Int(milliseconds &- earlier.milliseconds)
  }
}
