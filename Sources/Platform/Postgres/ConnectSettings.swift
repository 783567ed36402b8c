import CPostgres
import Glibc

/// Where the database is and how we present ourselves, in the form that libpq takes. Values of the address win over
/// our own (storage.md 6.4), so an operator can set each of them in the database URL.
final class ConnectSettings: Sendable {
  /// Null-terminated lists of the same length, freed with the object.
  nonisolated(unsafe) private let keywords: UnsafeMutablePointer<UnsafePointer<CChar>?>
  nonisolated(unsafe) private let values: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  /// - Parameters:
  ///   - conninfo: `key=value` pairs or a `postgresql://` URI.
  ///   - name: what pg_stat_activity shows, usually the node's id.
  ///   - options: settings for the session, given to the server when connecting: no SET, no round trip.
  init(_ conninfo: String, name: String, options: String) {
    let pairs = [
      ("connect_timeout", "2"), ("keepalives_idle", "2"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "4000"), ("target_session_attrs", "read-write"), ("client_encoding", "UTF8"),
      ("fallback_application_name", name), ("options", options), ("dbname", conninfo),
    ]
    count = pairs.count
    keywords = .allocate(capacity: count + 1)
    values = .allocate(capacity: count + 1)
    for (index, pair) in pairs.enumerated() {
      keywords[index] = UnsafePointer(strdup(pair.0))
      values[index] = UnsafePointer(strdup(pair.1))
    }
    keywords[count] = nil
    values[count] = nil
  }

  deinit {
    for index in 0..<count {
      free(UnsafeMutablePointer(mutating: keywords[index]))
      free(UnsafeMutablePointer(mutating: values[index]))
    }
    keywords.deallocate()
    values.deallocate()
  }

  /// Begins to connect and returns at once; a host given by name is looked up here, which may block for a moment.
  func start() -> OpaquePointer? { PQconnectStartParams(keywords, values, 1) }

  /// Connects and blocks; for code that is not on a loop.
  func connect() -> OpaquePointer? { PQconnectdbParams(keywords, values, 1) }
}

/// libpq's last complaint as one line.
func complaint(of handle: OpaquePointer?) -> String {
  guard let handle else { return "out of memory" }
  let text = String(cString: PQerrorMessage(handle))
  let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
  return lines.isEmpty ? "connection lost" : lines.joined(separator: " ")
}
