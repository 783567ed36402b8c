import Activity
package import EventLoop
import People
package import Storage

/// Tells the hub of changes, once for the whole program: the database announces them (within milliseconds), and every few
/// seconds one question for all open pages finds what was not announced, as behind a pooler or when another node wrote.
package final class LiveWatch {
  private let hub: LiveHub
  private let store: Store
  private let poller: Poller
  private let listener: ChangeListener?
  private let interval: Int

  /// `listener` nil: only the question. `interval`: milliseconds between two of them.
  package init(hub: LiveHub, store: Store, poller: Poller, listener: ChangeListener?, interval: Int = 4_000) {
    self.hub = hub
    self.store = store
    self.poller = poller
    self.listener = listener
    self.interval = interval
  }

  /// Until the loop stops.
  package func run() async {
    if let listener {
      poller.spawn {
        await listener.run { person in
          if let person { self.hub.wake(person) } else { await self.look() }
        }
      }
    }
    while true {
      do throws(LoopError) { try await poller.sleep(for: interval) } catch {
        listener?.stop()
        return
      }
      await look()
    }
  }

  /// One question for everybody whom somebody watches; none when nobody does.
  private func look() async {
    let people = hub.watched
    guard !people.isEmpty else { return }
    // A database that is away is asked again soon; pages that were open stay so.
    guard let counts = try? await store.changeCounts(of: people) else { return }
    hub.compare(counts.mapValues { LiveHub.ChangeCount(data: $0.data, rights: $0.rights) })
  }
}
