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

  static let seen = Statement(
    "client_seen", "UPDATE clients SET seen_at = $3 WHERE person_id = $1 AND client_id = $2",
    [.int64, .int64, .instant])

  /// How far a client's samples reach: ends waiting, proves no zero (decisions.md "States").
  static let reach = Statement(
    "reach",
    """
    INSERT INTO coverage (person_id, type, client_id, newest)
    SELECT p.person_id, $2, $3, $4 FROM persons p WHERE p.person_id = $1
    ON CONFLICT (person_id, type, client_id) DO UPDATE SET newest = greatest(coverage.newest, excluded.newest)
      WHERE coverage.newest IS DISTINCT FROM greatest(coverage.newest, excluded.newest)
    """, [.int64, .int16, .int64, .instant])

  static let coverage = Statement(
    "coverage",
    "SELECT type, client_id, newest, complete_from, complete_until FROM coverage WHERE person_id = $1", [.int64])

  static let cover = Statement(
    "cover",
    """
    INSERT INTO coverage (person_id, type, client_id, newest, complete_from, complete_until)
    SELECT p.person_id, $2, $3, $4, $5, $6 FROM persons p WHERE p.person_id = $1
    ON CONFLICT (person_id, type, client_id) DO UPDATE SET newest = excluded.newest,
      complete_from = excluded.complete_from, complete_until = excluded.complete_until
    """, [.int64, .int16, .int64, .instant, .instants, .instants])

  static let batch = Statement(
    "upload_batch",
    "SELECT body_hash, reply FROM upload_batches WHERE person_id = $1 AND client_id = $2 AND batch_id = $3",
    [.int64, .int64, .uuid])

  static let addBatch = Statement(
    "add_upload_batch",
    """
    INSERT INTO upload_batches (person_id, batch_id, client_id, received_at, body_hash, reply) VALUES ($1, $2, $3, $4, $5, $6)
    """, [.int64, .uuid, .int64, .instant, .bytes, .bytes])

  static let forgetBatches = Statement(
    "forget_upload_batches", "DELETE FROM upload_batches WHERE person_id = $1 AND received_at < $2",
    [.int64, .instant])

  /// Which of these samples are there, by start and key.
  static let standing = Statement(
    "standing_samples",
    """
    SELECT s.started_at, s.duration_ms, s.type, s.sample_key, s.value FROM samples s
    JOIN unnest($2::timestamptz[], $3::uuid[]) AS t (start, key) ON s.started_at = t.start AND s.sample_key = t.key
    WHERE s.person_id = $1
    """, [.int64, .instants, .uuids])

  /// The same by keys alone, for feeds whose records move: reads the person's part of the index.
  static let standingByKey = Statement(
    "standing_samples_by_key",
    """
    SELECT started_at, duration_ms, type, sample_key, value FROM samples
    WHERE person_id = $1 AND sample_key = ANY ($2)
    """, [.int64, .uuids])

  static let buried = Statement(
    "buried", "SELECT sample_key FROM sample_tombstones WHERE person_id = $1 AND sample_key = ANY ($2)",
    [.int64, .uuids])

  static let syncs = Statement(
    "sample_syncs",
    """
    SELECT source_id, type, sync_id, version, started_at, sample_key FROM sample_syncs
    WHERE person_id = $1 AND sync_id = ANY ($2)
    """, [.int64, .texts])

  static let sync = Statement(
    "write_sample_syncs",
    """
    INSERT INTO sample_syncs (person_id, source_id, type, sync_id, version, started_at, sample_key)
    SELECT p.person_id, t.* FROM persons p, unnest($2::smallint[], $3::smallint[], $4::text[], $5::bigint[],
      $6::timestamptz[], $7::uuid[]) t WHERE p.person_id = $1
    ON CONFLICT (person_id, source_id, type, sync_id) DO UPDATE SET version = excluded.version,
      started_at = excluded.started_at, sample_key = excluded.sample_key
    """, [.int64, .int16s, .int16s, .texts, .int64s, .instants, .uuids])

  static let all: [(statement: Statement, reach: Reach)] = [
    (clients, .onePerson), (addClient, .onePerson), (seen, .onePerson), (reach, .onePerson), (coverage, .onePerson),
    (cover, .onePerson), (batch, .onePerson), (addBatch, .onePerson), (forgetBatches, .onePerson),
    (standing, .onePerson), (standingByKey, .onePerson), (buried, .onePerson), (syncs, .onePerson),
    (sync, .onePerson),
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
