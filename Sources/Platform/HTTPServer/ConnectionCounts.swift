import Synchronization

/// How many connections there are, in all and per address; the one thing that loops share.
final class ConnectionCounts: Sendable {
  enum Verdict {
    case welcome
    /// Over a limit, but little: gets a 503 that says so.
    case surplus
    case turnedAway
  }

  private struct State {
    var open = 0
    var total = 0
    var turnedAway = 0
    var perAddress: [UInt64: Int] = [:]
  }

  private let state = Mutex(State())
  private let requests = Atomic<UInt64>(0)
  private let limit: Int
  private let limitPerAddress: Int

  init(limit: Int, perAddress: Int) {
    self.limit = limit
    limitPerAddress = perAddress
  }

  /// Counts a connection in; `key` nil: a trusted proxy's, which only the limit of all concerns.
  func enter(_ key: UInt64?) -> Verdict {
    state.withLock { state in
      let here = limitPerAddress > 0 ? key.map { state.perAddress[$0, default: 0] } ?? 0 : 0
      let over = max(state.open &- limit, key == nil || limitPerAddress == 0 ? -1 : here &- limitPerAddress) &+ 1
      guard over <= 16 else {
        state.turnedAway &+= 1
        return .turnedAway
      }
      state.open &+= 1
      state.total &+= 1
      if let key { state.perAddress[key, default: 0] &+= 1 }
      return over > 0 ? .surplus : .welcome
    }
  }

  func leave(_ key: UInt64?) {
    state.withLock { state in
      state.open &-= 1
      guard let key, let here = state.perAddress[key] else { return }
      state.perAddress[key] = here > 1 ? here &- 1 : nil
    }
  }

  /// The number of the next request.
  func nextRequest() -> UInt64 {
    requests.wrappingAdd(1, ordering: .relaxed).newValue
  }

  var counts: ServerCounts {
    let requests = requests.load(ordering: .relaxed)
    return state.withLock {
      ServerCounts(
        connections: $0.total, openConnections: $0.open, requests: requests, turnedAway: $0.turnedAway)
    }
  }
}
