/// What to do about a failed transaction. The table is storage.md 6.2; nothing else decides it.
enum RetryAction: Equatable {
  /// The same connection is sound: again after a short random pause.
  case again
  /// The connection is of no use or lies about its role: drop it, wait, again on another.
  case reconnect
  /// Repeating cannot help.
  case fail
}

extension PostgresError {
  var action: RetryAction {
    switch self {
    case .unavailable, .disconnected, .timedOut: .reconnect
    case .shape: .fail
    case .server(let error): Self.action(state: error.state)
    }
  }

  /// SQLSTATE to action.
  static func action(state: String) -> RetryAction {
    switch state {
    case "40001", "40P01": return .again  // serialization failure, deadlock
    case "57P01", "57P02", "57P03": return .reconnect  // shutting down, crash, starting
    case "25006": return .reconnect  // read-only: this server is a standby by now
    case "53300": return .reconnect  // too many connections
    default: return state.hasPrefix("08") ? .reconnect : .fail
    }
  }
}

/// How long a transaction may take in all, and how it begins.
package struct TransactionKind: Sendable {
  /// All attempts and pauses together, milliseconds.
  let budget: Int64
  /// One round trip, milliseconds.
  let statement: Int64
  let begin: Statement

  /// For a page: 5 s in all, then the visitor is asked to come back.
  package static let page = TransactionKind(budget: 5_000, statement: 3_000, begin: .begin)
  /// For uploads and jobs: 30 s in all.
  package static let upload = TransactionKind(budget: 30_000, statement: 15_000, begin: .begin)
  /// For reading many rows of one moment: repeatable read, read only; 30 s.
  package static let snapshot = TransactionKind(budget: 30_000, statement: 15_000, begin: .beginSnapshot)
}

extension Statement {
  static let begin = Statement("begin", "BEGIN")
  static let beginSnapshot = Statement("begin_snapshot", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  static let commit = Statement("commit", "COMMIT")
  static let rollback = Statement("rollback", "ROLLBACK")
}

/// The state of one call's attempts; pure, time comes in as milliseconds.
struct Retry {
  /// The longest pause between two attempts to reach a database that is away, milliseconds. A pool makes one attempt at a time,
  /// so that a short pause costs a database that comes back nothing, and those who wait are served within a second.
  static let longestPause: Int64 = 500

  /// Milliseconds on the loop's clock when all attempts must be over.
  let end: Int64
  private var conflicts = 0
  private var losses = 0

  enum Decision: Equatable {
    case wait(milliseconds: Int64)
    case fail
  }

  init(end: Int64) { self.end = end }

  /// - Parameter chance: 0 ..< 1, the only randomness.
  mutating func next(after action: RetryAction, now: Int64, chance: Double) -> Decision {
    switch action {
    case .fail: return .fail
    case .again:
      conflicts += 1
      guard conflicts <= 5 else { return .fail }
      return decide(1 + Int64(chance * 20 * Double(conflicts)), now)
    case .reconnect:
      losses += 1
      let full = min(Self.longestPause, Int64(100) << Int64(min(losses - 1, 5)))
      return decide(full / 2 + Int64(chance * Double(full / 2)), now)
    }
  }

  private func decide(_ pause: Int64, _ now: Int64) -> Decision {
    now &+ pause < end ? .wait(milliseconds: pause) : .fail
  }
}
