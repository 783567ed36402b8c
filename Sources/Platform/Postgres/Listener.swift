package import EventLoop

/// One direct connection that only listens. A notification is a hint to look sooner (storage.md 6.5), so losing some
/// is allowed and being told of a gap is not needed: after each (re)connection `.connected` says "look now".
package final class Listener {
  /// What a listener tells.
  package enum Event: Equatable, Sendable {
    case connected
    case notification(channel: String, payload: String)
  }

  private let poller: Poller
  private let address: ConnectSettings
  private let channels: [String]
  private let chance: @Sendable () -> Double
  private var connection: Connection?
  private var isStopped = false
  private let stopped: Bell

  package init(poller: Poller, conninfo: String, channels: [String], settings: PoolSettings = PoolSettings()) {
    self.poller = poller
    self.channels = channels
    chance = settings.chance
    address = ConnectSettings(conninfo, name: settings.name, options: "")
    stopped = Bell(poller)
  }

  /// Listens until `stop` or the end of the loop, connecting again after 0.1 … 2 s whenever the connection is lost. Run it in a task of its
  /// own; `heard` is called on the loop, one event at a time.
  package func run(_ heard: (Event) async -> Void) async {
    var failures = 0
    while !isStopped {
      do throws(PostgresError) {
        let connection = try await Connection.open(address, on: poller, until: poller.now + 2_000)
        self.connection = connection
        let sql = channels.map { "LISTEN \(quotedIdentifier($0))" }.joined(separator: ";")
        try await connection.script(sql, until: poller.now + 2_000)
        failures = 0
        await heard(.connected)
        while !isStopped { for note in try await connection.notifications() { await heard(note) } }
      } catch {
        failures += 1
      }
      connection?.close()
      connection = nil
      if await !pause(failures) { return }
    }
  }

  /// Ends `run` and closes the connection.
  package func stop() {
    isStopped = true
    connection?.watch.cancel()  // `run` is waiting with it and closes the rest
    stopped.ring()
  }

  /// False when it is time to end: told to, or the loop is ending, on which nothing can be waited for any more.
  private func pause(_ failures: Int) async -> Bool {
    let full = min(Int(Retry.longestPause), 100 << min(max(0, failures - 1), 5))
    do throws(LoopError) {
      if !isStopped { try await stopped.wait(until: poller.now + (full / 2 + Int(chance() * Double(full / 2)))) }
    } catch {
      if error != .timedOut { return false }
    }
    return !isStopped
  }
}
