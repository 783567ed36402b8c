import CPostgres
import EventLoop

extension Connection {
  /// Runs a pipeline in one round trip: everything queued, one sync, one send, then all results. The first error is
  /// thrown after the server has come back to the sync, so that the connection can be used on.
  func run(_ pipeline: borrowing Pipeline, until end: LoopTime) async throws(PostgresError) -> [Rows] {
    if let fault = pipeline.fault { throw fault }
    forgetWarnings()
    let unprepared = try queue(pipeline)
    let last = pipeline.entries.last?.record.name ?? ""
    if PQpipelineSync(handle) == 0 { throw broken() }
    try await flush(until: end, for: last)
    let answers = try await receive(pipeline.entries, unprepared, until: end)
    // A commit (implicit ones too) that ends with this warning may not have reached the standby.
    if wasWarned {
      markBroken()
      throw .disconnected("the commit was not confirmed by the standby")
    }
    return answers
  }

  /// Queues all statements, each with its preparation where this connection does not know it yet. Answers which
  /// entries had to be prepared, or nil if none.
  private func queue(_ pipeline: borrowing Pipeline) throws(PostgresError) -> [Bool]? {
    var unprepared: [Bool]?
    let (entries, cells) = (pipeline.entries, pipeline.cells)
    let isSent = pipeline.bytes.withUnsafeBytes { bytes in
      for (index, entry) in entries.enumerated() {
        if case .nothing = knowledge(of: entry.record) {
          if unprepared == nil { unprepared = [Bool](repeating: false, count: entries.count) }
          unprepared?[index] = true
          guard prepare(entry.record) else { return false }
          // Twice in one pipeline it is prepared once; an error takes this back.
          learn(entry.record, .prepared)
        }
        let parameters = cells[entry.first..<(entry.first + entry.record.parameters.count)]
        guard send(entry.record, parameters, bytes) else { return false }
      }
      return true
    }
    guard isSent else { throw broken() }
    return unprepared
  }

  private func receive(
    _ entries: [Pipeline.Entry], _ unprepared: [Bool]?, until end: LoopTime
  ) async throws(PostgresError) -> [Rows] {
    var answers: [Rows] = []
    answers.reserveCapacity(entries.count)
    var failed: PostgresError?
    for index in entries.indices {
      let record = entries[index].record
      if let unprepared, unprepared[index] {
        let result = try await answer(for: record, until: end)
        if PQresultStatus(result) != PGRES_COMMAND_OK { learn(record, .nothing) }
        if let error = try complain(result, record), failed == nil { failed = error }
        PQclear(result)
      }
      let result = try await answer(for: record, until: end)
      do throws(PostgresError) {
        if let error = try complain(result, record) {
          PQclear(result)
          failed = failed ?? error
        } else {
          answers.append(try rows(result, record))
        }
      } catch {
        failed = failed ?? error
      }
    }
    try await receiveSync(until: end)
    if let failed { throw failed }
    return answers
  }

  /// One statement's only result and the nil behind it.
  private func answer(for record: StatementRecord, until end: LoopTime) async throws(PostgresError) -> OpaquePointer {
    guard let result = try await result(until: end, for: record.name) else { throw broken() }
    // Behind it libpq has a nil ready without reading, in every state but a broken one.
    if let surplus = PQisBusy(handle) == 0 ? PQgetResult(handle) : nil { PQclear(surplus) }
    return result
  }

  /// nil for a good result; the error for a bad one; throws at once where nothing more will come.
  private func complain(_ result: OpaquePointer, _ record: StatementRecord) throws(PostgresError) -> PostgresError? {
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return nil
    case PGRES_PIPELINE_ABORTED: return .shape(statement: record.name, "not reached")
    case PGRES_FATAL_ERROR:
      let error = failure(result, of: record)
      if isBroken {
        PQclear(result)
        throw error
      }
      return error
    default:
      markBroken()
      return .shape(statement: record.name, "must be an ordinary statement")
    }
  }

  /// Wraps a good result, comparing the columns with the declaration at the first one on this connection.
  private func rows(_ result: OpaquePointer, _ record: StatementRecord) throws(PostgresError) -> Rows {
    if case .described(let types) = knowledge(of: record) {
      return Rows(owning: result, types: types, record: record)
    }
    let types = (0..<PQnfields(result)).map { UInt32(PQftype(result, $0)) }
    let rows = Rows(owning: result, types: types, record: record)
    if let columns = record.columns, columns.map(\.rawValue) != types {
      let found = types.map { PGType(rawValue: $0).map { "\($0)" } ?? "oid \($0)" }.joined(separator: ", ")
      let declared = columns.map { "\($0)" }.joined(separator: ", ")
      throw .shape(statement: record.name, "returns [\(found)], declared [\(declared)]")
    }
    learn(record, .described(types))
    return rows
  }

  private func receiveSync(until end: LoopTime) async throws(PostgresError) {
    guard let result = try await result(until: end, for: "sync") else { throw broken() }
    defer { PQclear(result) }
    if PQresultStatus(result) != PGRES_PIPELINE_SYNC { throw broken() }
  }
}
