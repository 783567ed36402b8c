import CPostgres
import EventLoop

extension Connection {
  /// Runs a pipeline in one round trip: everything queued, one sync, one send, then all results. The first error is
  /// thrown after the server has come back to the sync, so that the connection can be used on.
  func run(_ pipeline: borrowing Pipeline, until end: LoopTime) async throws(PostgresError) -> [Rows] {
    if let fault = pipeline.fault { throw fault }
    forgetWarnings()
    var receipt = Receipt(pipeline.entries, unprepared: try queue(pipeline))
    // The sync also sends; nearly always everything fits into the socket at once.
    if PQpipelineSync(handle) == 0 { throw broken() }
    if PQflush(handle) != 0 { try await flush(until: end, for: receipt.name) }
    while try !take(&receipt) { try await readMore(until: end, for: receipt.name) }
    // A commit (implicit ones too) that ends with this warning may not have reached the standby.
    if wasWarned {
      markBroken()
      throw .disconnected("the commit was not confirmed by the standby")
    }
    if let failed = receipt.failed { throw failed }
    return receipt.answers
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

  /// What has come of one pipeline and what is still to come.
  private struct Receipt {
    let entries: [Pipeline.Entry]
    let unprepared: [Bool]?
    /// The statement whose result is next.
    var index = 0
    /// Its preparation was answered.
    var isPrepared = false
    /// Behind each result of a statement libpq answers nil once.
    var expectsNil = false
    var answers: [Rows] = []
    var failed: PostgresError?

    init(_ entries: [Pipeline.Entry], unprepared: [Bool]?) {
      self.entries = entries
      self.unprepared = unprepared
      answers.reserveCapacity(entries.count)
    }

    var name: String { index < entries.count ? entries[index].record.name : "sync" }

    var awaitsPreparation: Bool { !isPrepared && unprepared?[index] ?? false }
  }

  /// Takes what is there without waiting; true when the sync has come. Throws only what ends the connection.
  private func take(_ receipt: inout Receipt) throws(PostgresError) -> Bool {
    while PQisBusy(handle) == 0 {
      guard let result = PQgetResult(handle) else {
        guard receipt.expectsNil else { throw broken() }
        receipt.expectsNil = false
        continue
      }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        guard receipt.index == receipt.entries.count else { throw broken() }
        return true
      }
      guard receipt.index < receipt.entries.count else {
        PQclear(result)
        throw broken()
      }
      receipt.expectsNil = true
      try take(result, &receipt)
    }
    return false
  }

  private func take(_ result: OpaquePointer, _ receipt: inout Receipt) throws(PostgresError) {
    let record = receipt.entries[receipt.index].record
    let isPreparation = receipt.awaitsPreparation
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      if isPreparation {
        PQclear(result)
      } else {
        receipt.answers.append(rows(result, record, &receipt.failed))
      }
    case PGRES_PIPELINE_ABORTED:
      if isPreparation { learn(record, .nothing) }
      PQclear(result)
    case PGRES_FATAL_ERROR:
      if isPreparation { learn(record, .nothing) }
      let error = failure(result, of: record)
      PQclear(result)
      if isBroken { throw error }
      receipt.failed = receipt.failed ?? error
    default:
      PQclear(result)
      markBroken()
      throw .shape(statement: record.name, "must be an ordinary statement")
    }
    receipt.isPrepared = isPreparation
    if !isPreparation { receipt.index += 1 }
  }

  /// Wraps a good result, comparing the columns with the declaration at the first one on this connection.
  private func rows(_ result: OpaquePointer, _ record: StatementRecord, _ failed: inout PostgresError?) -> Rows {
    if case .described(let types) = knowledge(of: record) {
      return Rows(owning: result, types: types, record: record)
    }
    let types = (0..<PQnfields(result)).map { UInt32(PQftype(result, $0)) }
    if let columns = record.columns, columns.map(\.rawValue) != types {
      let found = types.map { PGType(rawValue: $0).map { "\($0)" } ?? "oid \($0)" }.joined(separator: ", ")
      let declared = columns.map { "\($0)" }.joined(separator: ", ")
      failed = failed ?? .shape(statement: record.name, "returns [\(found)], declared [\(declared)]")
    } else {
      learn(record, .described(types))
    }
    return Rows(owning: result, types: types, record: record)
  }
}
