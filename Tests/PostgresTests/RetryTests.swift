import Testing

@testable import Postgres

@Suite struct RetryTests {
  @Test(
    "each SQLSTATE has its action",
    arguments: [
      ("40001", RetryAction.again), ("40P01", .again),
      ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect), ("25006", .reconnect), ("53300", .reconnect),
      ("08000", .reconnect), ("08001", .reconnect), ("08003", .reconnect), ("08006", .reconnect),
      ("23505", .fail), ("23503", .fail), ("23514", .fail), ("22003", .fail), ("22P02", .fail), ("42601", .fail),
      ("42P01", .fail), ("42501", .fail), ("57014", .fail), ("55P03", .fail), ("53100", .fail), ("XX000", .fail),
      ("25P02", .fail),
    ])
  func table(state: String, action: RetryAction) {
    let error = PostgresError.server(ServerError(state: state, message: "", statement: ""))
    #expect(error.action == action)
  }

  @Test("what is not from the server: unknown outcomes are repeated, mistakes are not")
  func others() {
    #expect(PostgresError.disconnected("").action == .reconnect)
    #expect(PostgresError.unavailable("").action == .reconnect)
    #expect(PostgresError.timedOut(statement: "").action == .reconnect)
    #expect(PostgresError.shape(statement: "", "").action == .fail)
  }

  @Test("conflicts are repeated five times at most, after short pauses")
  func conflicts() {
    var retry = Retry(end: 5_000)
    var now: Int64 = 0
    var pauses: [Int64] = []
    while case .wait(let pause) = retry.next(after: .again, now: now, chance: 0.999) {
      pauses.append(pause)
      now += pause
    }
    #expect(pauses.count == 5)
    #expect(pauses.allSatisfy { $0 >= 1 && $0 <= 100 })
  }

  @Test("lost connections are repeated after 0.1 to 2 s until the time is over", arguments: [5_000, 30_000])
  func losses(budget: Int64) {
    for chance in [0.0, 0.5, 0.999] {
      var retry = Retry(end: 1_000 + budget)
      var now: Int64 = 1_000
      var pauses: [Int64] = []
      while case .wait(let pause) = retry.next(after: .reconnect, now: now, chance: chance) {
        pauses.append(pause)
        now += pause
      }
      #expect(now < 1_000 + budget)
      #expect(now + Retry.longestPause >= 1_000 + budget)
      #expect(pauses.allSatisfy { $0 >= 50 && $0 <= Retry.longestPause })
      #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test("what cannot be cured is not repeated")
  func fail() {
    var retry = Retry(end: 5_000)
    #expect(retry.next(after: .fail, now: 0, chance: 0) == .fail)
  }
}
