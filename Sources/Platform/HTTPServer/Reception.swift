import CLinux
import EventLoop
import Glibc
import TLS

/// Accepts connections on one loop.
final class Reception {
  private let desk: Desk
  private let descriptor: Int32
  private let watch: Watch
  private let tls: TLSContext?
  private var isOpen = true

  /// Takes over the listening socket.
  init(desk: Desk, descriptor: Int32, tls: TLSContext?) throws(LoopError) {
    self.desk = desk
    self.descriptor = descriptor
    self.tls = tls
    watch = try desk.poller.watch(descriptor)
  }

  func open() {
    desk.poller.spawn { await self.accept() }
    desk.poller.spawn { await self.desk.sweep() }
  }

  /// Stops accepting and drains.
  func close() async {
    guard isOpen else { return }
    isOpen = false
    watch.cancel()
    Glibc.close(descriptor)
    await desk.drain()
  }

  private func accept() async {
    while isOpen {
      do throws(LoopError) {
        try await watch.readable(until: nil)
        if !acceptSome() {
          // Out of descriptors or memory: what is open must end first.
          try await desk.poller.sleep(for: 100)
        }
      } catch {
        return
      }
    }
  }

  /// Takes who is waiting, not more than a batch, so that requests get their turn. False if the kernel has no means.
  private func acceptSome() -> Bool {
    for _ in 0..<64 {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let accepted = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          accept4(descriptor, $0, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        }
      }
      guard accepted < 0 else {
        welcome(accepted, ClientAddress(&storage))
        continue
      }
      switch errno {
      case EAGAIN: return true
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return false
      default: continue
      }
    }
    return true
  }

  private func welcome(_ accepted: Int32, _ address: ClientAddress) {
    let isProxy = desk.settings.trustedProxies.contains(address.text)
    let key = isProxy ? nil : address.key
    let verdict = desk.counts.enter(key)
    guard verdict != .turnedAway, let transport = makeTransport(accepted) else {
      Glibc.close(accepted)
      if verdict != .turnedAway { desk.counts.leave(key) }
      return
    }
    let connection = Connection(desk, transport, address, isProxy: isProxy, isSurplus: verdict == .surplus)
    desk.add(connection)
    desk.poller.spawn {
      await connection.serve()
      self.desk.remove(connection)
      self.desk.counts.leave(key)
    }
  }

  private func makeTransport(_ accepted: Int32) -> Transport? {
    ListeningSocket.set(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    let session = try? tls.map { try TLSSession($0, descriptor: accepted, output: desk.tlsOutput) }
    if tls != nil, session == nil { return nil }
    return try? Transport(
      descriptor: accepted, poller: desk.poller, session: session, times: desk.settings.times)
  }
}
