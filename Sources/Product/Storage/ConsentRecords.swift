package import Activity
import Bytes
package import Consent
import People
import Postgres

extension Store {
  /// Everything that the owner ever decided, as it is stored, for `ConsentRecord.verify`.
  package func consentRecord(_ permit: ReadPermit) async throws(Problem) -> ConsentRecord {
    let own: [Parameter] = [.int64(permit.owner.number)]
    let rows = try await pipeline {
      $0.add(ConsentSQL.events, own)
      $0.add(ConsentSQL.head, own)
    }
    return try reading { () throws(PostgresError) in
      let end = try ConsentChain(rows[1])
      return ConsentRecord(
        entries: try rows[0].map { ConsentRecord.Entry($0, owner: permit.owner) }, count: end.count, head: end.head)
    }
  }
}

extension ConsentRecord.Entry {
  /// A row of `ConsentSQL.events`; every field as `ConsentEvent` writes it.
  fileprivate init(_ row: Row, owner: PersonID) {
    func number(_ column: Int) -> String? { row.optionalInt64(column).map { String($0) } }
    func small(_ column: Int) -> String? { row.optionalInt16(column).map { String($0) } }
    func moment(_ column: Int) -> String? { row.optionalInstant(column).map { Instant(microseconds: $0).iso } }
    self.init(
      number: row.int64(0),
      fields: [
        String(owner.number), number(0), moment(1), number(2), number(3), number(4), small(5), small(6), small(7),
        number(8), small(9), small(10), small(11), row.optionalDate(12).map { CivilDay(number: $0).iso }, moment(13),
        small(14), row.optionalInt32(15).map { String($0) }, row.optionalInt32(16).map { String($0) },
        row.optionalText(17), row.optionalBytes(18).map { Hex.encode($0) }, row.optionalText(19), small(20), small(21),
        row.optionalText(22), row.optionalText(23),
      ], previous: row.bytes(24), hash: row.bytes(25))
  }
}
