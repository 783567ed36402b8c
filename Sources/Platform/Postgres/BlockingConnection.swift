import CPostgres
import Glibc

/// A connection that blocks its thread: for the program's start and end, migrations and tests; never on a loop.
/// Values travel as text. Not for two threads at once.
package final class BlockingConnection {
  private let handle: OpaquePointer

  /// Connects; `unavailable` with libpq's words if that fails.
  package init(_ conninfo: String, name: String = "stepwell-setup") throws(PostgresError) {
    let settings = ConnectSettings(conninfo, name: name, options: "")
    guard let handle = settings.connect() else { throw .unavailable("out of memory") }
    guard PQstatus(handle) == CONNECTION_OK else {
      let why = complaint(of: handle)
      PQfinish(handle)
      throw .unavailable(why)
    }
    // Notices ("table exists, skipping") have no reader here.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    self.handle = handle
  }

  deinit { PQfinish(handle) }

  /// Whether a transaction is open, also a failed one.
  package var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  /// The version as the server counts it: 150018 is 15.18.
  package var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// Runs one or more statements; rows are dropped.
  package func script(_ sql: String) throws(PostgresError) {
    guard let result = PQexec(handle, sql) else { throw .disconnected(complaint(of: handle)) }
    defer { PQclear(result) }
    try check(result)
  }

  /// Runs one statement with text parameters and answers its rows as text.
  package func rows(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> [[String?]] {
    let copies = parameters.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { UnsafePointer($0) }
    guard let result = PQexecParams(handle, sql, Int32(values.count), nil, values, nil, nil, 0) else {
      throw .disconnected(complaint(of: handle))
    }
    defer { PQclear(result) }
    try check(result)
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) != 0 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private func check(_ result: OpaquePointer) throws(PostgresError) {
    let status = PQresultStatus(result)
    guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK, status != PGRES_EMPTY_QUERY else { return }
    guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
      throw .disconnected(complaint(of: handle))
    }
    let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? ""
    throw .server(ServerError(state: String(cString: state), message: message, statement: ""))
  }
}

/// A name or a word as an SQL identifier.
package func quotedIdentifier(_ name: String) -> String {
  "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
}

/// A value for a `key=value` list of libpq.
package func quotedConninfo(_ value: String) -> String {
  var quoted = "'"
  for character in value {
    if character == "'" || character == "\\" { quoted.append("\\") }
    quoted.append(character)
  }
  return quoted + "'"
}
