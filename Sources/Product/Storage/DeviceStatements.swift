import Postgres

enum DeviceSQL {
  static let addToken = Statement(
    "add_upload_token",
    """
    INSERT INTO upload_tokens (person_id, token_hash, client_id, hint, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
    """, [.int64, .bytes, .int64, .text, .instant, .instant])

  /// A token that is valid now, what its device may bring, and where the person lives. The key of upload_tokens serves it.
  static let rights = Statement(
    "upload_rights",
    """
    SELECT t.client_id, ARRAY(SELECT g.type FROM grants g WHERE g.person_id = $1 AND g.action = 0 AND g.grantee_kind = 0
        AND g.grantee_id = t.client_id AND g.state = 1 AND (g.until IS NULL OR g.until > $3)), p.zone_since, p.zone_name
    FROM upload_tokens t JOIN clients c ON c.person_id = t.person_id AND c.client_id = t.client_id
      JOIN persons p ON p.person_id = t.person_id
    WHERE t.person_id = $1 AND t.token_hash = $2 AND t.expires_at > $3 AND t.revoked_at IS NULL AND c.ended_at IS NULL
      AND p.erased_at IS NULL
    """, [.int64, .bytes, .instant])

  /// The devices of a page, the oldest first; an ended one never comes back. Of a device's tokens the newest is shown, and
  /// how long an earlier one still works beside it.
  static let page = Statement(
    "page_devices",
    """
    SELECT c.client_id, c.name, c.created_at, c.seen_at, t.hint, t.expires_at,
      ARRAY(SELECT g.grant_id FROM grants g WHERE g.person_id = $1 AND g.action = 0 AND g.grantee_kind = 0
        AND g.grantee_id = c.client_id AND g.state = 1 ORDER BY g.type),
      ARRAY(SELECT g.type FROM grants g WHERE g.person_id = $1 AND g.action = 0 AND g.grantee_kind = 0
        AND g.grantee_id = c.client_id AND g.state = 1 ORDER BY g.type),
      (SELECT max(o.expires_at) FROM upload_tokens o WHERE o.person_id = $1 AND o.client_id = c.client_id
        AND o.revoked_at IS NULL AND o.expires_at > $3 AND o.token_hash <> t.token_hash)
    FROM clients c LEFT JOIN LATERAL (SELECT n.hint, n.expires_at, n.token_hash FROM upload_tokens n
      WHERE n.person_id = $1 AND n.client_id = c.client_id AND n.revoked_at IS NULL
      ORDER BY n.created_at DESC, n.token_hash LIMIT 1) t ON true
    WHERE c.person_id = $1 AND c.kind = 1 AND c.ended_at IS NULL AND \(SessionSQL.valid)
    ORDER BY c.created_at, c.client_id LIMIT 100
    """, [.int64, .bytes, .instant])

  /// The last characters of a device's newest token.
  static let hint = Statement(
    "upload_token_hint",
    """
    SELECT hint FROM upload_tokens WHERE person_id = $1 AND client_id = $2 AND revoked_at IS NULL
    ORDER BY created_at DESC, token_hash LIMIT 1
    """, [.int64, .int64])

  /// A device's tokens until now work until $3 at most.
  static let limitTokens = Statement(
    "limit_upload_tokens",
    """
    UPDATE upload_tokens SET expires_at = $3
    WHERE person_id = $1 AND client_id = $2 AND revoked_at IS NULL AND expires_at > $3
    """, [.int64, .int64, .instant])

  static let endClient = Statement(
    "end_client", "UPDATE clients SET ended_at = $3 WHERE person_id = $1 AND client_id = $2 AND ended_at IS NULL",
    [.int64, .int64, .instant])

  static let revokeTokens = Statement(
    "revoke_upload_tokens",
    "UPDATE upload_tokens SET revoked_at = $3 WHERE person_id = $1 AND client_id = $2 AND revoked_at IS NULL",
    [.int64, .int64, .instant])

  /// Everything that one device brought; without stones, so that another device may bring it again.
  static let takeSamples = Statement(
    "take_samples_of_client",
    """
    WITH gone AS (DELETE FROM samples WHERE person_id = $1 AND client_no = $2
        RETURNING started_at, duration_ms, type, sample_key),
      forgotten AS (DELETE FROM sample_syncs y USING gone g WHERE y.person_id = $1 AND y.sample_key = g.sample_key)
    SELECT started_at, duration_ms, type, sample_key FROM gone
    """, [.int64, .int16])

  static let takeSummaries = Statement(
    "take_summaries_of_client", "DELETE FROM activity_summaries WHERE person_id = $1 AND client_id = $2 RETURNING day",
    [.int64, .int64])

  static let takeCoverage = Statement(
    "take_coverage_of_client", "DELETE FROM coverage WHERE person_id = $1 AND client_id = $2", [.int64, .int64])

  static let takeBatches = Statement(
    "take_batches_of_client", "DELETE FROM upload_batches WHERE person_id = $1 AND client_id = $2", [.int64, .int64])

  static let all: [(statement: Statement, reach: Reach)] = [
    (addToken, .onePerson), (rights, .onePerson), (page, .onePerson), (hint, .onePerson), (limitTokens, .onePerson),
    (endClient, .onePerson),
    (revokeTokens, .onePerson), (takeSamples, .onePerson), (takeSummaries, .onePerson), (takeCoverage, .onePerson),
    (takeBatches, .onePerson),
  ]
}
