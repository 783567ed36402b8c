// Jobs: work that outlasts a request, claimed from the database under a lease: reading imported files, counting days again,
// taking away files that nobody needs. A job may be cut off anywhere (a kill, a lost database) and is then done again from
// its beginning; every step is repeatable, so nothing is counted twice and nothing is lost.
// The room knows no address, no page and no SQL.

import Synchronization

/// What jobs need to know about where they run.
package struct JobSettings: Sendable {
  /// Uploaded files, each under the id of its import.
  package var importFolder: String
  /// A name of this instance that survives a restart: what it held when it was killed is its own again.
  package var instance: String
  /// Seconds after which another instance may take a job over that is not heard of.
  package var lease = 60
  /// Jobs at the same time.
  package var atOnce = 2
  /// Milliseconds between looks into the queue when nobody rings.
  package var patience = 2000
  /// Bytes that must be free on the disk for an import to begin: its samples go to the same machine, mostly.
  package var freeBytes: Int64 = 256 << 20
  /// Samples per transaction.
  package var sliceSize = 1000
  /// Days counted per transaction.
  package var daysAtOnce = 60

  package init(importFolder: String, instance: String) {
    self.importFolder = importFolder
    self.instance = instance
  }
}

/// How other threads speak to the jobs: there is something to do, or it is time to stop.
package final class JobSignal: Sendable {
  private let rung = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

  package init() {}

  /// A job was put into the queue: look at once.
  package func ring() { rung.store(true, ordering: .releasing) }

  /// No new job is begun; a running one stops at the next slice and goes back into the queue.
  package func stop() { stopping.store(true, ordering: .releasing) }

  package var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// True once for each ring.
  func takeRing() -> Bool { rung.exchange(false, ordering: .acquiringAndReleasing) }
}
