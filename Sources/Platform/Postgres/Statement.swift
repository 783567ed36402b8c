import Glibc
import Synchronization

/// A statement known by name. It is prepared on each connection at its first use there, in the same round trip.
/// Make it once (`static let`): the name stands for exactly one text in the whole program.
package struct Statement: Sendable {
  let record: StatementRecord

  /// - Parameters:
  ///   - name: what errors and the server's statistics call it; at most 63 bytes.
  ///   - parameters: types of $1, $2 …; each parameter given later must have exactly its type or be NULL.
  ///   - returns: types of the columns. They are compared with the server's answer at the first use on a connection
  ///     (`PostgresError.shape`); left out, only the readers of `Row` compare.
  package init(_ name: StaticString, _ sql: String, _ parameters: [PGType] = [], returns columns: [PGType]? = nil) {
    record = StatementRecord.registered("\(name)", sql, parameters, columns)
  }

  package var name: String { record.name }
  package var sql: String { record.sql }
  package var parameters: [PGType] { record.parameters }
}

/// The one copy of a statement's facts; lives as long as the program.
final class StatementRecord: Sendable {
  let name: String
  let sql: String
  let parameters: [PGType]
  let columns: [PGType]?
  /// Index into every connection's list of prepared statements.
  let number: Int
  /// Another text was registered under the same name before: every use is refused.
  let clashes: Bool
  /// The name for libpq; never freed.
  nonisolated(unsafe) let cName: UnsafePointer<CChar>

  private init(name: String, sql: String, parameters: [PGType], columns: [PGType]?, number: Int, clashes: Bool) {
    self.name = name
    self.sql = sql
    self.parameters = parameters
    self.columns = columns
    self.number = number
    self.clashes = clashes
    cName = UnsafePointer(strdup(name))
  }

  private static let all = Mutex<[String: StatementRecord]>([:])

  static func registered(
    _ name: String, _ sql: String, _ parameters: [PGType], _ columns: [PGType]?
  ) -> StatementRecord {
    all.withLock { all in
      if let known = all[name] {
        let same = known.sql == sql && known.parameters == parameters && known.columns == columns
        if same { return known }
        return StatementRecord(
          name: name, sql: sql, parameters: parameters, columns: columns, number: known.number, clashes: true)
      }
      let record = StatementRecord(
        name: name, sql: sql, parameters: parameters, columns: columns, number: all.count, clashes: false)
      all[name] = record
      return record
    }
  }
}
