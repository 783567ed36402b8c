import EventLoop

// The one way in which work reaches the database (storage.md 6.2, 6.3). An attempt has a connection and a deadline; if
// it fails in a way that repeating can cure, the whole of it is repeated. A lost answer, to COMMIT as well, means
// "unknown": repeated too, which our writes make harmless because their keys exist before they are sent.

/// How one attempt ended.
enum Attempt<T> {
  case done(T)
  /// `cause` is what the database said and decides; `thrown` is what the caller shall see.
  case failed(cause: PostgresError?, thrown: any Error)
}

extension Pool {
  /// Runs all statements that `build` adds in ONE round trip and one implicit transaction; the rows come in the order
  /// of the statements. `build` runs once, the pipeline may be sent again.
  package func pipeline(
    _ kind: TransactionKind = .page, _ build: (inout Pipeline) -> Void
  ) async throws(PostgresError) -> [Rows] {
    var pipeline = takePipeline()
    build(&pipeline)
    guard !pipeline.isEmpty else { return [] }
    let end = poller.now + Int(kind.budget)
    // The first attempt apart: no closures on the way that nearly every request takes.
    var answer: Attempt<[Rows]>
    do throws(PostgresError) {
      answer = .done(try await attempt(pipeline, kind, end))
    } catch {
      answer = .failed(cause: error, thrown: error)
    }
    if case .failed = answer {
      answer = await repeating(kind, until: end, after: answer) { end in
        do throws(PostgresError) {
          return .done(try await self.attempt(pipeline, kind, end))
        } catch {
          return .failed(cause: error, thrown: error)
        }
      }
    }
    give(back: pipeline)
    switch answer {
    case .done(let rows): return rows
    case .failed(let cause, _): throw cause ?? .disconnected("")
    }
  }

  /// One statement in one round trip.
  package func query(
    _ statement: Statement, _ parameters: [Parameter] = [], _ kind: TransactionKind = .page
  ) async throws(PostgresError) -> Rows {
    let answers = try await pipeline(kind) { $0.add(statement, parameters) }
    guard let rows = answers.first else { throw .shape(statement: statement.name, "no answer") }
    return rows
  }

  private func attempt(
    _ pipeline: Pipeline, _ kind: TransactionKind, _ end: LoopTime
  ) async throws(PostgresError) -> [Rows] {
    let fresh = takeFresh()
    let connection: Connection
    if let fresh { connection = fresh } else { connection = try await acquire(until: end) }
    defer { release(connection) }
    return try await connection.run(pipeline, until: min(end, poller.now + Int(kind.statement)))
  }

  /// Goes on after a failed attempt until one succeeds, repeating cannot help or the time is over.
  func repeating<T>(
    _ kind: TransactionKind, until end: LoopTime, after first: Attempt<T>,
    _ attempt: (LoopTime) async -> Attempt<T>
  ) async -> Attempt<T> {
    var retry = Retry(end: end.milliseconds)
    var last = first
    while true {
      guard case .failed(let cause?, _) = last else { return last }
      // An outage as long as a page's whole time: callers are told at once, one attempt per pause goes on.
      if let outage, case .unavailable = cause, poller.now.since(outage.since) > Int(TransactionKind.page.budget) {
        return last
      }
      let decision = retry.next(after: cause.action, now: poller.now.milliseconds, chance: settings.chance())
      guard case .wait(let milliseconds) = decision else { return last }
      do throws(LoopError) {
        try await poller.sleep(until: poller.now + Int(milliseconds))
      } catch {
        return last
      }
      last = await attempt(end)
    }
  }
}
