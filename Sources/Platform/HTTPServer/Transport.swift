import CLinux
import EventLoop
import Glibc
import TLS

/// Why a connection can go no further.
enum TransportEnd: Error {
  case timedOut
  /// The other side is gone, or the loop stops.
  case closed
}

/// One accepted socket, with or without TLS. Reading and writing try at once; waiting is apart, so that a request that
/// is already here costs no turn of the loop.
final class Transport {
  enum Reading {
    case bytes(Int)
    case wait
    case end
  }

  let watch: Watch
  private let descriptor: Int32
  private let poller: Poller
  private let times: TimeLimits
  private let session: TLSSession?
  private(set) var isClosed = false
  /// OpenSSL has asked for more from the socket; what it holds is the front of a record.
  private var isDry = false

  /// Takes over the descriptor.
  init(descriptor: Int32, poller: Poller, session: TLSSession?, times: TimeLimits) throws(LoopError) {
    self.descriptor = descriptor
    self.poller = poller
    self.session = session
    self.times = times
    watch = try poller.watch(descriptor)
  }

  /// Nil when the session stands, or there is none; else how it failed.
  func handshake(until deadline: LoopTime) async -> TLSOutcome? {
    guard let session else { return nil }
    while true {
      do throws(LoopError) {
        switch session.handshake() {
        case .done: return nil
        case .wantsRead: try await watch.readable(until: deadline)
        case .wantsWrite: try await watch.writable(until: deadline)
        case let failure: return failure
        }
      } catch {
        return .closed
      }
    }
  }

  /// What is here now, as much as fits.
  func readNow(into room: UnsafeMutableRawBufferPointer) -> Reading {
    if isClosed { return .end }
    guard let session else { return readPlain(into: room) }
    var count = 0
    while count < room.count {
      switch session.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...])) {
      case .bytes(let more):
        count &+= more
        if !session.hasBuffered { return .bytes(count) }
      case .wantsRead, .wantsWrite:
        isDry = true
        return count > 0 ? .bytes(count) : .wait
      default: return count > 0 ? .bytes(count) : .end
      }
    }
    return .bytes(count)
  }

  private func readPlain(into room: UnsafeMutableRawBufferPointer) -> Reading {
    while true {
      let count = recv(descriptor, room.baseAddress, room.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EAGAIN { return .wait }
      if errno != EINTR { return .end }
    }
  }

  /// Whether something was read from the socket already and waits inside OpenSSL.
  var hasBuffered: Bool { !isDry && session?.hasBuffered ?? false }

  func readable(until deadline: LoopTime) async throws(TransportEnd) {
    do throws(LoopError) {
      try await watch.readable(until: deadline)
      isDry = false
    } catch {
      throw error == .timedOut ? .timedOut : .closed
    }
  }

  /// Writes all of `bytes`. A client that reads slower than 1 KiB/s for long is given up.
  func write(_ bytes: [UInt8]) async throws(TransportEnd) {
    var pace = Pace(times)
    var start = 0
    while start < bytes.count {
      let outcome = bytes.withUnsafeBytes { writeNow(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      switch outcome {
      case .bytes(let count):
        start &+= count
        pace.add(count)
      case .wantsWrite: try await room(&pace)
      default: throw .closed
      }
    }
    while let session, session.hasUnsent {
      try await room(&pace)
      if isClosed || session.flush() == .closed { throw .closed }
    }
  }

  private func writeNow(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
    // The number of a closed descriptor may be another connection's by now.
    if isClosed { return .closed }
    if let session { return session.write(bytes) }
    while true {
      let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN { return .wantsWrite }
      if errno != EINTR { return .closed }
    }
  }

  private func room(_ pace: inout Pace) async throws(TransportEnd) {
    let before = poller.now
    do throws(LoopError) {
      try await watch.writable(until: before + pace.patience)
    } catch {
      throw error == .timedOut ? .timedOut : .closed
    }
    pace.waited(poller.now.since(before))
  }

  // MARK: Ending

  /// Answers plain HTTP on a TLS port, in plain HTTP.
  func answerPlainly(_ text: [UInt8]) {
    _ = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends our direction: good-bye, then FIN. The other side can still read what was sent.
  func endWriting() {
    guard !isClosed else { return }
    session?.sayGoodbye()
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Throws away what the other side still sends, until it ends too or the time is over: closing a socket with unread
  /// bytes would reset the connection and take our answer with it.
  func linger(until deadline: LoopTime, quiet: Int) async {
    let size = 64 * 1024
    var pieces = 0
    while poller.now < deadline, !isClosed {
      pieces &+= 1
      // Others get their turn, and the time its chance to pass.
      if pieces % 16 == 0 { await poller.yield() }
      if isClosed { return }
      let result = withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) {
        recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      if result > 0 { continue }
      guard result < 0, errno == EAGAIN else { return }
      do throws(LoopError) {
        try await watch.readable(until: min(deadline, poller.now + quiet))
      } catch {
        return
      }
    }
  }

  /// Closes the descriptor; whoever waits is woken.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    watch.cancel()
    Glibc.close(descriptor)
  }
}

/// How long a client may still be slow: `TimeLimits.slowBody`, and one second more for each KiB that came.
/// Only time spent waiting for the client counts.
struct Pace {
  private var left: Int
  private let stall: Int

  init(_ times: TimeLimits) {
    left = times.slowBody
    stall = times.stall
  }

  mutating func add(_ count: Int) { left = left &+ Int(UInt(bitPattern: count) &* 125 / 128) }
  mutating func waited(_ milliseconds: Int) { left &-= milliseconds }

  /// How long to wait now: `TimeLimits.stall` without any byte is the end, whatever came before.
  var patience: Int { min(max(left, 0), stall) }
}
