import CLinux
import Glibc

/// One descriptor on a loop. One reader and one writer may wait at a time.
///
/// Interest is kept lazily: a direction is added to epoll when somebody waits for it and taken out only when it
/// reports while nobody waits. A connection that answers request after request therefore needs no `epoll_ctl`.
package final class Watch {
  package let descriptor: Int32
  let generation: UInt32
  private let poller: Poller
  private var interest: UInt32 = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
  private var reader: UnsafeContinuation<Wake, Never>?
  private var writer: UnsafeContinuation<Wake, Never>?
  private var readDeadline: LoopTime?
  private var writeDeadline: LoopTime?
  /// The earliest time for which the heap holds an entry of this watch.
  private var scheduled: LoopTime?
  /// The peer is gone: epoll says so without being asked, so the descriptor was taken out of it.
  private var isBroken = false
  private(set) package var isCancelled = false

  /// Called once on the loop when the other side has closed or half-closed, also while nobody waits; set it while
  /// something is under way that a vanished peer shall stop. Must not cancel the watch itself.
  package var onHangUp: (() -> Void)? {
    didSet { if onHangUp != nil, !isBroken { try? arm(EPOLLRDHUP.rawValue) } }
  }

  init(descriptor: Int32, generation: UInt32, poller: Poller) {
    self.descriptor = descriptor
    self.generation = generation
    self.poller = poller
  }

  deinit {
    // Whoever forgot to cancel has closed the descriptor, or leaks it; the table must not point here.
    if !isCancelled { poller.remove(self) }
  }

  /// Returns when there is something to read, or the end, or an error that reading will tell.
  package func readable(until deadline: LoopTime?) async throws(LoopError) {
    let wake = await withUnsafeContinuation { (continuation: UnsafeContinuation<Wake, Never>) in
      // Trap 2: looked at here, not before the await. Readiness itself is asked of epoll again, which is level-triggered.
      if let early = early(deadline) { return continuation.resume(returning: early) }
      reader = continuation
      readDeadline = deadline
      if let deadline { schedule(deadline) }
      if interest & EPOLLIN.rawValue == 0, !tryArm(EPOLLIN.rawValue) { wakeReader(.ready) }
    }
    try wake.check()
  }

  /// Returns when there is room to write, or an error that writing will tell.
  package func writable(until deadline: LoopTime?) async throws(LoopError) {
    let wake = await withUnsafeContinuation { (continuation: UnsafeContinuation<Wake, Never>) in
      if let early = early(deadline) { return continuation.resume(returning: early) }
      writer = continuation
      writeDeadline = deadline
      if let deadline { schedule(deadline) }
      if interest & EPOLLOUT.rawValue == 0, !tryArm(EPOLLOUT.rawValue) { wakeWriter(.ready) }
    }
    try wake.check()
  }

  /// Takes the descriptor out of the loop and wakes who waits with `.cancelled`. Must come before `close`.
  package func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    if !isBroken { _ = epoll_ctl(poller.executor.epoll, EPOLL_CTL_DEL, descriptor, nil) }
    poller.remove(self)
    onHangUp = nil
    wakeReader(.cancelled)
    wakeWriter(.cancelled)
  }

  // MARK: For the poller

  func register() throws(LoopError) {
    var event = event()
    _ = try check("epoll_ctl", epoll_ctl(poller.executor.epoll, EPOLL_CTL_ADD, descriptor, &event))
  }

  /// An event of epoll: wakes who waits; takes out of interest what nobody waits for.
  func deliver(_ events: UInt32) {
    let isGone = events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
    var unwanted: UInt32 = 0
    if isGone || events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0, !wakeReader(.ready) {
      unwanted |= EPOLLIN.rawValue
    }
    if isGone || events & EPOLLOUT.rawValue != 0, !wakeWriter(.ready) { unwanted |= EPOLLOUT.rawValue }
    if events & EPOLLRDHUP.rawValue != 0 { unwanted |= EPOLLRDHUP.rawValue }
    if isGone {
      isBroken = true
      _ = epoll_ctl(poller.executor.epoll, EPOLL_CTL_DEL, descriptor, nil)
    } else if unwanted & interest != 0 {
      interest &= ~unwanted
      modify()
    }
    if isGone || events & EPOLLRDHUP.rawValue != 0, let hangUp = onHangUp {
      onHangUp = nil
      hangUp()
    }
  }

  /// The heap's entry came due: wakes whose deadline has passed, schedules the rest anew.
  func expire(at now: LoopTime) {
    if let scheduled, scheduled > now { return }
    scheduled = nil
    if reader != nil, let deadline = readDeadline {
      if deadline <= now { wakeReader(.timedOut) } else { schedule(deadline) }
    }
    if writer != nil, let deadline = writeDeadline {
      if deadline <= now { wakeWriter(.timedOut) } else { schedule(deadline) }
    }
  }

  // MARK: Private

  private func early(_ deadline: LoopTime?) -> Wake? {
    if isCancelled { return .cancelled }
    if isBroken { return .ready }
    if let deadline, deadline <= poller.now { return .timedOut }
    return nil
  }

  /// One entry in the heap serves many waits: a later deadline is found out when the entry comes due.
  private func schedule(_ deadline: LoopTime) {
    if let scheduled, scheduled <= deadline { return }
    scheduled = deadline
    poller.setDeadline(deadline, of: self)
  }

  private func tryArm(_ events: UInt32) -> Bool {
    do throws(LoopError) {
      try arm(events)
      return true
    } catch {
      return false
    }
  }

  private func arm(_ events: UInt32) throws(LoopError) {
    guard !isCancelled, interest & events != events else { return }
    interest |= events
    var event = event()
    _ = try check("epoll_ctl", epoll_ctl(poller.executor.epoll, EPOLL_CTL_MOD, descriptor, &event))
  }

  private func modify() {
    var event = event()
    _ = epoll_ctl(poller.executor.epoll, EPOLL_CTL_MOD, descriptor, &event)
  }

  private func event() -> epoll_event {
    var event = epoll_event()
    event.events = interest
    event.data.u64 = UInt64(UInt32(bitPattern: descriptor)) << 32 | UInt64(generation)
    return event
  }

  @discardableResult
  private func wakeReader(_ wake: Wake) -> Bool {
    guard let continuation = reader else { return false }
    reader = nil
    continuation.resume(returning: wake)
    return true
  }

  @discardableResult
  private func wakeWriter(_ wake: Wake) -> Bool {
    guard let continuation = writer else { return false }
    writer = nil
    continuation.resume(returning: wake)
    return true
  }
}
