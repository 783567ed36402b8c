/// Something that tasks of one loop wait for and other code of the same loop announces: a free database connection,
/// a new event of a stream, the end of a drain. It remembers nothing: who comes after the ring waits for the next.
package final class Bell {
  private let poller: Poller
  private var waits: [UInt64] = []

  package init(_ poller: Poller) {
    self.poller = poller
  }

  /// Returns at the next ring. Throws `.timedOut` at the deadline, `.cancelled` when the task is cancelled.
  package func wait(until deadline: LoopTime? = nil) async throws(LoopError) {
    var number: UInt64 = 0
    let wake = await poller.wait(until: deadline) {
      number = $0
      waits.append($0)
    }
    if wake != .ready { waits.removeAll { $0 == number } }
    try wake.check()
  }

  /// Wakes everybody who waits now.
  package func ring() {
    let waking = waits
    waits.removeAll(keepingCapacity: true)
    for number in waking { poller.wake(number) }
  }

  /// Wakes the one who has waited longest; false if nobody waits.
  @discardableResult
  package func ringOnce() -> Bool {
    while !waits.isEmpty {
      if poller.wake(waits.removeFirst()) { return true }
    }
    return false
  }

  /// Whether somebody waits.
  package var isAwaited: Bool { !waits.isEmpty }
}
