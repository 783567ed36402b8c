import CPostgres
import EventLoop

// What pipeline mode does not allow: several statements in one text, and COPY. Only between two pipelines.
extension Connection {
  /// Runs one or more statements without parameters by the simple protocol; their rows are dropped.
  func script(_ sql: String, until end: LoopTime) async throws(PostgresError) {
    try leavePipelineMode()
    guard sql.withCString({ PQsendQuery(handle, $0) }) == 1 else { throw broken() }
    try await flush(until: end, for: "script")
    try await drain(until: end, for: "script")
    try enterPipelineMode()
  }

  /// Runs `COPY … FROM STDIN (FORMAT binary)` with these bytes. Answers the number of rows.
  func copy(_ sql: String, _ bytes: [UInt8], until end: LoopTime) async throws(PostgresError) -> Int {
    try leavePipelineMode()
    guard sql.withCString({ PQsendQuery(handle, $0) }) == 1 else { throw broken() }
    try await flush(until: end, for: "copy")
    guard let begin = try await result(until: end, for: "copy") else { throw broken() }
    defer { PQclear(begin) }
    guard PQresultStatus(begin) == PGRES_COPY_IN else {
      let error = failure(begin, of: nil)
      if !isBroken { try await drainQuietly(until: end) }
      throw error
    }
    try await put(bytes, until: end)
    guard PQputCopyEnd(handle, nil) == 1 else { throw broken() }
    try await flush(until: end, for: "copy")
    let count = try await drain(until: end, for: "copy")
    try enterPipelineMode()
    return count
  }

  /// In pieces, so that libpq's own buffer stays small.
  private func put(_ bytes: [UInt8], until end: LoopTime) async throws(PostgresError) {
    var at = 0
    while at < bytes.count {
      let piece = min(64 << 10, bytes.count - at)
      let sent = bytes.withUnsafeBytes { all in
        all.baseAddress.map { PQputCopyData(handle, ($0 + at).assumingMemoryBound(to: CChar.self), Int32(piece)) } ?? -1
      }
      guard sent >= 0 else { throw broken() }
      at += sent == 1 ? piece : 0
      try await flush(until: end, for: "copy")
    }
  }

  /// All results up to the end; throws the first error after them. Answers the rows of the last command.
  @discardableResult
  private func drain(until end: LoopTime, for name: String) async throws(PostgresError) -> Int {
    var failed: PostgresError?
    var count = 0
    while let result = try await result(until: end, for: name) {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
      case PGRES_FATAL_ERROR:
        failed = failed ?? failure(result, of: nil)
        if isBroken { throw failed ?? broken() }
      default:
        throw broken()  // a COPY inside of a script would wait for data for ever
      }
    }
    if let failed {
      try enterPipelineMode()
      throw failed
    }
    return count
  }

  private func drainQuietly(until end: LoopTime) async throws(PostgresError) {
    while let result = try await result(until: end, for: "copy") { PQclear(result) }
    try enterPipelineMode()
  }

  private func leavePipelineMode() throws(PostgresError) {
    if PQexitPipelineMode(handle) == 0 { throw broken() }
  }

  private func enterPipelineMode() throws(PostgresError) {
    if PQenterPipelineMode(handle) == 0 { throw broken() }
  }
}

extension Connection {
  /// Waits for notifications; only on a connection that does nothing else.
  func notifications() async throws(PostgresError) -> [Listener.Event] {
    var heard: [Listener.Event] = []
    while true {
      while let note = PQnotifies(handle) {
        defer { PQfreemem(note) }
        heard.append(
          .notification(channel: String(cString: note.pointee.relname), payload: String(cString: note.pointee.extra)))
      }
      if !heard.isEmpty { return heard }
      do throws(LoopError) {
        try await watch.readable(until: nil)
      } catch {
        throw broken()
      }
      if PQconsumeInput(handle) == 0 { throw broken() }
    }
  }
}
