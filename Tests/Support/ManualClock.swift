package import Activity
import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualClock: Sendable {
  private let instant: Mutex<Instant>

  package init(_ instant: Instant) { self.instant = Mutex(instant) }

  /// `2026-11-26T16:42:00Z`.
  package convenience init(_ iso: String) { self.init(Instant(utc: iso)) }

  package var now: Instant { instant.withLock { $0 } }

  package func set(_ new: Instant) { instant.withLock { $0 = new } }

  package func advance(milliseconds: Int64) { instant.withLock { $0 = $0.advanced(milliseconds: milliseconds) } }

  /// The clock as the product takes it.
  package var clock: Clock { Clock { self.now } }
}

extension Instant {
  /// Reads `2026-11-26T16:42:00Z`; a test that writes anything else stops.
  package init(utc text: String) {
    let fields = text.split { !$0.isNumber }.compactMap { Int64($0) }
    precondition(fields.count >= 6 && text.hasSuffix("Z"), "not an instant: \(text)")
    guard let day = CivilDay(year: Int(fields[0]), month: Int(fields[1]), day: Int(fields[2])) else {
      preconditionFailure("not a date: \(text)")
    }
    self.init(seconds: Int64(day.number) * 86_400 + fields[3] * 3_600 + fields[4] * 60 + fields[5])
  }
}
