package import EventLoop

/// How a pool behaves; what is not given has the value for a small server.
package struct PoolSettings: Sendable {
  /// Connections of this loop at most.
  package var size = 4
  /// Name shown in pg_stat_activity.
  package var name = "stepwell"
  /// Session settings for `options`; none behind a PgBouncer that refuses them. The first ends what we have given up
  /// without a cancel; the second frees locks of a program that hangs; the third notices that nobody listens any more.
  package var options =
    "-c statement_timeout=35s -c idle_in_transaction_session_timeout=60s -c client_connection_check_interval=5s"
  /// Milliseconds for one attempt to connect.
  package var connectTime = 2_000
  /// 0 ..< 1, for pauses between attempts.
  package var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

  package init() {}
}

/// The database connections of one loop; not Sendable, lives in the loop's isolation. Connections are made when they
/// are needed, the most recently used goes out first, and callers who wait are served in their order.
/// Everything runs by the retry rules of storage.md 6.2: see `Repeating.swift`.
package final class Pool {
  let poller: Poller
  let settings: PoolSettings
  private let address: ConnectSettings
  // One loop's thread only, and nothing here calls out while it holds one of these.
  @exclusivity(unchecked) private var idle: [Connection] = []
  /// Connections that exist or are being made.
  private(set) var open = 0
  private var waiters: [Waiter] = []
  var outage: Outage?
  private var isClosed = false
  @exclusivity(unchecked) private var spare: [Pipeline] = []

  /// Since when nothing can be reached, and when to try again.
  struct Outage {
    let since: LoopTime
    var failures: Int
    var next: LoopTime
    var reason: PostgresError
  }

  /// Someone in the queue, and what was handed over.
  private final class Waiter {
    let bell: Bell
    var turn: Turn?

    init(_ poller: Poller) { bell = Bell(poller) }
  }

  private enum Turn {
    case connection(Connection)
    /// A free place: make your own.
    case place
    case failed(PostgresError)
  }

  package init(poller: Poller, conninfo: String, settings: PoolSettings = PoolSettings()) {
    self.poller = poller
    self.settings = settings
    address = ConnectSettings(conninfo, name: settings.name, options: settings.options)
  }

  /// Closes idle connections at once, others when they come back; waiters get `unavailable`. For the end of a drain.
  package func close() {
    isClosed = true
    for connection in idle { connection.close() }
    open -= idle.count
    idle.removeAll()
    failWaiters(.unavailable("the server is stopping"))
  }

  // MARK: Giving out and taking back

  /// A sound connection for one caller, who gives it back by `release`. Throws `unavailable` at the deadline, while
  /// the pause after a failed attempt lasts, or when the attempt fails.
  func acquire(until end: LoopTime) async throws(PostgresError) -> Connection {
    while true {
      if isClosed { throw .unavailable("the server is stopping") }
      if let connection = takeFresh() { return connection }
      if let connection = idle.popLast() {
        if await isSound(connection, until: end) { return connection }
        release(connection)
        continue
      }
      if open < settings.size {
        open += 1
        return try await connect(until: end)
      }
      switch try await wait(until: end) {
      case .connection(let connection): return connection
      case .place: return try await connect(until: end)
      case .failed(let error): throw error
      }
    }
  }

  /// An idle connection that was used a moment ago: the way of nearly every request, without waiting.
  func takeFresh() -> Connection? {
    guard let last = idle.last, poller.now.since(last.idleSince) <= 30_000 else { return nil }
    return idle.popLast()
  }

  /// Takes a connection back: to whoever waits longest, else among the idle; a broken one is closed and its place
  /// goes to the queue.
  func release(_ connection: Connection) {
    connection.idleSince = poller.now
    if connection.isBroken || isClosed {
      connection.close()
      releasePlace()
    } else if let waiter = nextWaiter() {
      hand(.connection(connection), to: waiter)
    } else {
      idle.append(connection)
    }
  }

  /// A connection that rested for 30 s may be half dead, or belong to a server that is no primary any more.
  private func isSound(_ connection: Connection, until end: LoopTime) async -> Bool {
    var check = Pipeline()
    check.add(.isReadOnly)
    do throws(PostgresError) {
      let answer = try await connection.run(check, until: min(end, poller.now + settings.connectTime))
      if try answer.first?.first({ $0.text(0) }) == "off" { return true }
    } catch {
      // Whatever it says, another connection is tried.
    }
    connection.markBroken()
    return false
  }

  /// Fills a place that is counted already.
  private func connect(until end: LoopTime) async throws(PostgresError) -> Connection {
    do throws(PostgresError) {
      if let outage, poller.now < outage.next { throw outage.reason }
      let connection = try await Connection.open(
        address, on: poller, until: min(end, poller.now + settings.connectTime))
      outage = nil
      return connection
    } catch {
      note(error)
      open -= 1
      // While others are connected, whoever waits will have their connections.
      if open == 0 { failWaiters(error) }
      throw error
    }
  }

  private func note(_ error: PostgresError) {
    let now = poller.now
    if let outage, now < outage.next { return }
    let failures = (outage?.failures ?? 0) + 1
    let pause = min(Int(Retry.longestPause), 100 << min(failures - 1, 5))
    outage = Outage(since: outage?.since ?? now, failures: failures, next: now + pause, reason: error)
  }

  // MARK: The queue

  private func wait(until end: LoopTime) async throws(PostgresError) -> Turn {
    let waiter = Waiter(poller)
    waiters.append(waiter)
    do throws(LoopError) {
      try await waiter.bell.wait(until: end)
    } catch {
      waiters.removeAll { $0 === waiter }
    }
    guard let turn = waiter.turn else { throw .unavailable("all \(settings.size) database connections are busy") }
    return turn
  }

  private func nextWaiter() -> Waiter? { waiters.isEmpty ? nil : waiters.removeFirst() }

  private func hand(_ turn: Turn, to waiter: Waiter) {
    waiter.turn = turn
    waiter.bell.ringOnce()
  }

  private func releasePlace() {
    if !isClosed, let waiter = nextWaiter() {
      hand(.place, to: waiter)
    } else {
      open -= 1
    }
  }

  private func failWaiters(_ error: PostgresError) {
    let failing = waiters
    waiters.removeAll()
    for waiter in failing { hand(.failed(error), to: waiter) }
  }

  // MARK: Pipelines that keep their memory

  func takePipeline() -> Pipeline { spare.popLast() ?? Pipeline() }

  func give(back pipeline: consuming Pipeline) {
    guard spare.count < 8 else { return }
    pipeline.reset()
    spare.append(pipeline)
  }
}

extension Statement {
  static let isReadOnly = Statement("is_read_only", "SHOW transaction_read_only")
}
