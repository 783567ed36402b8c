package import Activity
package import Consent
package import People
import Postgres
import Secrets

enum SessionSQL {
  /// Guards every statement that reads a person's own data: true only while the session that the claim names is valid.
  /// $1 person, $2 token hash, $3 now; the key of sessions serves it.
  static let valid =
    "EXISTS (SELECT FROM sessions g WHERE g.person_id = $1 AND g.token_hash = $2 AND g.expires_at > $3)"

  /// The session with the settings that every page needs.
  static let open = Statement(
    "session",
    """
    SELECT s.role, s.created_at, s.seen_at, s.expires_at, s.confirmed_at, s.form_key, s.agent, s.token_hash,
      p.display_name, p.week_start, p.theme, p.language, p.include_manual, p.zone_since, p.zone_name, p.changed_at
    FROM sessions s JOIN persons p ON p.person_id = s.person_id
    WHERE s.person_id = $1 AND s.token_hash = $2 AND s.expires_at > $3 AND p.person_id = $1 AND p.erased_at IS NULL
    """, [.int64, .bytes, .instant])

  static let start = Statement(
    "start_session",
    """
    INSERT INTO sessions (person_id, token_hash, created_at, seen_at, expires_at, confirmed_at, role, form_key, agent)
    VALUES ($1, $2, $3, $3, $4, $3, $5, $6, $7) ON CONFLICT DO NOTHING
    """, [.int64, .bytes, .instant, .instant, .int16, .bytes, .text])

  static let clean = Statement(
    "clean_sessions", "DELETE FROM sessions WHERE person_id = $1 AND expires_at <= $2", [.int64, .instant])

  static let touch = Statement(
    "touch_session",
    "UPDATE sessions SET seen_at = $3, expires_at = $4 WHERE person_id = $1 AND token_hash = $2 AND seen_at < $3",
    [.int64, .bytes, .instant, .instant])

  static let confirm = Statement(
    "confirm_session", "UPDATE sessions SET confirmed_at = $3 WHERE person_id = $1 AND token_hash = $2",
    [.int64, .bytes, .instant])

  static let end = Statement(
    "end_session", "DELETE FROM sessions WHERE person_id = $1 AND token_hash = $2", [.int64, .bytes])

  static let endOthers = Statement(
    "end_other_sessions", "DELETE FROM sessions WHERE person_id = $1 AND token_hash <> $2", [.int64, .bytes])

  static let list = Statement(
    "sessions",
    """
    SELECT s.role, s.created_at, s.seen_at, s.expires_at, s.confirmed_at, s.form_key, s.agent, s.token_hash
    FROM sessions s WHERE s.person_id = $1 AND s.expires_at > $2 ORDER BY s.seen_at DESC, s.token_hash LIMIT 100
    """, [.int64, .instant])

  static let all: [(statement: Statement, reach: Reach)] = [
    (open, .onePerson), (start, .onePerson), (clean, .onePerson), (touch, .onePerson), (confirm, .onePerson),
    (end, .onePerson), (endOthers, .onePerson), (list, .onePerson),
  ]
}

extension SessionSQL {
  /// Of the session only the role and the settings: when it was last used says nothing that a page shows.
  static func fingerprint(_ rows: [Rows]) -> [UInt8] {
    var values: [UInt8] = []
    values.reserveCapacity(8 << 10)
    rows[0].appendValues(of: 0..<1, to: &values)
    rows[0].appendValues(of: 8..<15, to: &values)
    for rows in rows.dropFirst() { rows.appendValues(to: &values) }
    return SHA256.hash(values)
  }
}

extension Store {
  /// Signs in: `tokenHash` is that of the cookie's token, `formKey` 32 fresh bytes, `agent` the browser's own name. The
  /// person's sessions that are over go.
  package func startSession(
    for account: Account, tokenHash: [UInt8], formKey: [UInt8], agent: String
  ) async throws(Problem) -> Session {
    let now = clock.now()
    let session = Session(
      person: account.person, tokenHash: tokenHash, role: account.role, created: now, seen: now,
      expires: Session.expiry(role: account.role, created: now, now: now), confirmed: now, formKey: formKey,
      agent: String(agent.prefix(200)))
    _ = try await pipeline {
      $0.add(SessionSQL.clean, [.int64(account.person.number), .instant(now.microseconds)])
      $0.add(
        SessionSQL.start,
        [
          .int64(account.person.number), .bytes(tokenHash), .instant(now.microseconds),
          .instant(session.expires.microseconds), .int16(account.role.rawValue), .bytes(formKey),
          .text(session.agent),
        ])
    }
    return session
  }

  /// The session alone with the settings, for actions without data. One round trip.
  package func session(_ claim: OwnClaim) async throws(Problem) -> Guarded<Void> {
    let now = clock.now()
    let rows = try await pipeline { $0.add(SessionSQL.open, claim.parameters(at: now)) }
    return try guarded(claim, rows, ())
  }

  /// Notes that the session is used; call it when `Session.wantsTouch`, after the page is answered.
  package func touch(_ session: Session) async throws(Problem) {
    let now = clock.now()
    let expires = Session.expiry(role: session.role, created: session.created, now: now)
    _ = try await query(
      SessionSQL.touch,
      [
        .int64(session.person.number), .bytes(session.tokenHash), .instant(now.microseconds),
        .instant(expires.microseconds),
      ])
  }

  /// Notes that the person proved who they are just now.
  package func confirm(_ session: Session) async throws(Problem) {
    _ = try await query(
      SessionSQL.confirm,
      [.int64(session.person.number), .bytes(session.tokenHash), .instant(clock.now().microseconds)])
  }

  /// Signs out. Nothing happens when the session is over already.
  package func endSession(_ claim: OwnClaim) async throws(Problem) {
    _ = try await pipeline {
      $0.add(SessionSQL.end, [.int64(claim.person.number), .bytes(claim.tokenHash)])
      $0.add(ChangeSQL.noteRights, [.int64(claim.person.number)])
    }
  }

  /// Ends one session of the person by the `Session.id` that pages show; false when there is none.
  package func endSession(of person: PersonID, id: String) async throws(Problem) -> Bool {
    let rows = try await query(
      SessionSQL.list, [.int64(person.number), .instant(clock.now().microseconds)])
    let sessions = try reading { () throws(PostgresError) in try rows.map { Session($0, person: person) } }
    guard let session = sessions.first(where: { $0.id == id }) else { return false }
    let ended = try await pipeline {
      $0.add(SessionSQL.end, [.int64(person.number), .bytes(session.tokenHash)])
      $0.add(ChangeSQL.noteRights, [.int64(person.number)])
    }
    return ended[0].affected > 0
  }

  /// Ends all sessions of the person but the one with the hash `keeping`.
  package func endSessions(of person: PersonID, keeping: [UInt8]?) async throws(Problem) {
    _ = try await pipeline {
      $0.add(SessionSQL.endOthers, [.int64(person.number), .bytes(keeping ?? [])])
      $0.add(ChangeSQL.noteRights, [.int64(person.number)])
    }
  }

  /// Joins the rows of `SessionSQL.open`, which stand first in `rows`, to what was read with them.
  /// `isPage`: with the fingerprint of the rows.
  func guarded<Value>(
    _ claim: OwnClaim, _ rows: [Rows], _ value: Value, isPage: Bool = false
  ) throws(Problem) -> Guarded<Value> {
    guard let head = rows.first, !head.isEmpty else { return Guarded(session: nil, settings: nil, value: value) }
    let session = Session(head[0], person: claim.person)
    let settings = PersonSettings(head[0])
    try reading { () throws(PostgresError) in try head.verify() }
    return Guarded(
      session: session, settings: settings, value: value, fingerprint: isPage ? SessionSQL.fingerprint(rows) : nil)
  }
}

extension OwnClaim {
  /// $1, $2, $3 of every statement that `SessionSQL.valid` guards.
  func parameters(at now: Instant) -> [Parameter] {
    [.int64(person.number), .bytes(tokenHash), .instant(now.microseconds)]
  }
}

extension Session {
  init(_ row: Row, person: PersonID) {
    self.init(
      person: person, tokenHash: row.bytes(7), role: Role(rawValue: row.int16(0)) ?? .person,
      created: Instant(microseconds: row.instant(1)), seen: Instant(microseconds: row.instant(2)),
      expires: Instant(microseconds: row.instant(3)),
      confirmed: row.optionalInstant(4).map { Instant(microseconds: $0) }, formKey: row.bytes(5), agent: row.text(6))
  }
}

extension PersonSettings {
  init(_ row: Row) {
    self.init(
      displayName: row.text(8), zones: DatedZone.list(since: row.instants(13), names: row.texts(14)),
      weekStart: WeekStart(rawValue: row.int16(9)) ?? .monday, theme: Theme(rawValue: row.int16(10)) ?? .system,
      language: row.text(11), includeManual: row.bool(12))
  }
}

extension DatedZone {
  /// The two lists of `persons` together; the first entry holds for all time before it.
  static func list(since: [Int64], names: [String]) -> [DatedZone] {
    zip(since, names).map { since, name in
      DatedZone(since: since == .min ? nil : Instant(microseconds: since), zone: name)
    }
  }
}
