import EventLoop

/// A transaction under way, given to the body of `Pool.transaction`; of no use after it. BEGIN travels with the first
/// statements. After an error every further call throws that error again.
package final class Transaction {
  private let connection: Connection
  private let pool: Pool
  private let kind: TransactionKind
  private let end: LoopTime
  private var state = State.unbegun
  /// What `later` was given and no round trip has taken along yet.
  private var waiting: Pipeline?
  /// The first thing that the database refused; decides about repeating, whatever the body throws.
  fileprivate private(set) var failure: PostgresError?

  private enum State {
    case unbegun, begun, committed
  }

  fileprivate init(_ connection: Connection, _ pool: Pool, _ kind: TransactionKind, until end: LoopTime) {
    self.connection = connection
    self.pool = pool
    self.kind = kind
    self.end = end
  }

  /// Several statements in one round trip.
  package func pipeline(_ build: (inout Pipeline) -> Void) async throws(PostgresError) -> [Rows] {
    try await run(commits: false, build)
  }

  /// Statements whose answers nobody needs: they travel in front of the next ones, at the latest with COMMIT.
  package func later(_ build: (inout Pipeline) -> Void) {
    var pipeline = waiting ?? pool.takePipeline()
    build(&pipeline)
    waiting = pipeline
  }

  /// One statement.
  package func query(_ statement: Statement, _ parameters: [Parameter] = []) async throws(PostgresError) -> Rows {
    let answers = try await pipeline { $0.add(statement, parameters) }
    guard let rows = answers.first else { throw .shape(statement: statement.name, "no answer") }
    return rows
  }

  /// The last statements together with COMMIT: saves a round trip. Nothing may follow.
  package func commit(with build: (inout Pipeline) -> Void = { _ in }) async throws(PostgresError) -> [Rows] {
    try await run(commits: true, build)
  }

  /// `COPY table (columns) FROM STDIN (FORMAT binary)`; answers the number of rows.
  package func copy(_ sql: String, _ rows: borrowing CopyRows) async throws(PostgresError) -> Int {
    if let failure { throw failure }
    let bytes = try rows.finished()
    if state == .unbegun || waiting != nil { _ = try await pipeline { _ in } }
    let end = statementEnd
    return try await remembering { () async throws(PostgresError) in
      try await self.connection.copy(sql, bytes, until: end)
    }
  }

  private var statementEnd: LoopTime { min(end, pool.poller.now + Int(kind.statement)) }

  private func run(commits: Bool, _ build: (inout Pipeline) -> Void) async throws(PostgresError) -> [Rows] {
    if let failure { throw failure }
    guard state != .committed else { throw .shape(statement: "", "the transaction is committed already") }
    var pipeline = pool.takePipeline()
    if state == .unbegun { pipeline.add(kind.begin) }
    if let waiting {
      pipeline.add(all: waiting)
      pool.give(back: waiting)
    }
    waiting = nil
    let front = pipeline.countFromHere()
    build(&pipeline)
    if commits { pipeline.add(.commit) }
    let end = statementEnd
    var answers = try await remembering { () async throws(PostgresError) in
      try await self.connection.run(pipeline, until: end)
    }
    pool.give(back: pipeline)
    state = .begun
    answers.removeFirst(front)
    if commits {
      guard let tag = answers.popLast()?.tag, tag == "COMMIT" else {
        throw fail(.shape(statement: "commit", "the transaction had failed and was rolled back"))
      }
      state = .committed
    }
    return answers
  }

  private func remembering<T>(_ work: () async throws(PostgresError) -> T) async throws(PostgresError) -> T {
    do throws(PostgresError) {
      return try await work()
    } catch {
      // Even a first pipeline that failed may have begun the transaction.
      state = .begun
      throw fail(error)
    }
  }

  private func fail(_ error: PostgresError) -> PostgresError {
    failure = error
    return error
  }

  /// Commits what the body left open. Nothing to do if it sent no statement at all.
  fileprivate func finish() async throws(PostgresError) {
    if let failure { throw failure }
    if state == .begun || waiting != nil { _ = try await commit() }
  }

  /// Leaves the connection clean for the next caller, or broken.
  fileprivate func abandon() async {
    guard state == .begun, !connection.isBroken else { return }
    var pipeline = Pipeline()
    pipeline.add(.rollback)
    do throws(PostgresError) {
      _ = try await connection.run(pipeline, until: pool.poller.now + 1_000)
    } catch {
      connection.markBroken()
    }
  }
}

extension Pool {
  /// Runs `body` in a transaction and commits, by the retry rules: `body` may run again from its beginning, so it must
  /// change nothing but the database. An error that the body itself throws rolls back and goes to the caller.
  package func transaction<T>(
    _ kind: TransactionKind = .page, _ body: (Transaction) async throws -> T
  ) async throws -> T {
    let end = poller.now + Int(kind.budget)
    let first = await attempt(kind, end, body)
    switch await repeating(kind, until: end, after: first, { end in await self.attempt(kind, end, body) }) {
    case .done(let value): return value
    case .failed(_, let thrown): throw thrown
    }
  }

  private func attempt<T>(
    _ kind: TransactionKind, _ end: LoopTime, _ body: (Transaction) async throws -> T
  ) async -> Attempt<T> {
    let connection: Connection
    do throws(PostgresError) {
      connection = try await acquire(until: end)
    } catch {
      return .failed(cause: error, thrown: error)
    }
    defer { release(connection) }
    let transaction = Transaction(connection, self, kind, until: end)
    do {
      let value = try await body(transaction)
      try await transaction.finish()
      return .done(value)
    } catch {
      await transaction.abandon()
      return .failed(cause: transaction.failure, thrown: error)
    }
  }
}
