import Activity
import People
import Postgres

enum UploadSQL {
  static let clients = Statement(
    "clients", "SELECT client_id, client_no, kind, feed, ended_at IS NOT NULL FROM clients WHERE person_id = $1",
    [.int64])

  static let addClient = Statement(
    "add_client",
    """
    INSERT INTO clients (person_id, client_id, client_no, kind, feed, name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT DO NOTHING
    """, [.int64, .int64, .int16, .int16, .int16, .text, .instant])

  /// How far a client's samples reach: ends waiting, proves no zero (decisions.md "States").
  static let reach = Statement(
    "reach",
    """
    INSERT INTO coverage (person_id, type, client_id, newest)
    SELECT p.person_id, $2, $3, $4 FROM persons p WHERE p.person_id = $1
    ON CONFLICT (person_id, type, client_id) DO UPDATE SET newest = greatest(coverage.newest, excluded.newest)
      WHERE coverage.newest IS DISTINCT FROM greatest(coverage.newest, excluded.newest)
    """, [.int64, .int16, .int64, .instant])

  static let all: [(statement: Statement, reach: Reach)] = [
    (clients, .onePerson), (addClient, .onePerson), (reach, .onePerson),
  ]
}

/// A client as uploads need it.
struct StoredClient {
  let id: ClientID
  let number: Int16
  let kind: Int16
  let feed: Int16
  let isEnded: Bool

  init(_ row: Row) {
    id = ClientID(row.int64(0))
    number = row.int16(1)
    kind = row.int16(2)
    feed = row.int16(3)
    isEnded = row.bool(4)
  }
}
