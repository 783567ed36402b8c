import Activity
import Consent
import People
import Postgres

enum ConsentSQL {
  /// Where the owner's chain ends.
  static let head = Statement(
    "consent_head", "SELECT consent_count, consent_head FROM persons WHERE person_id = $1", [.int64])

  static let moveHead = Statement(
    "move_consent_head",
    "UPDATE persons SET consent_seq = consent_seq + 1, consent_count = $2, consent_head = $3 WHERE person_id = $1",
    [.int64, .int64, .bytes])

  static let addEvent = Statement(
    "add_consent_event",
    """
    INSERT INTO consent_events (person_id, event_no, at, grant_id, actor_id, actor_role, event, grantee_kind, grantee_id,
      type, action, notice_id, notice_version, notice_language, notice_sha256, lawful_basis, method, strength, reason,
      schema_version, previous_hash, hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
    """,
    [
      .int64, .int64, .instant, .int64, .int64, .int16, .int16, .int16, .int64, .int16, .int16, .int32, .int32, .text,
      .bytes, .text, .int16, .int16, .text, .text, .bytes, .bytes,
    ])

  /// The state that an event leaves behind. There is one for each thing that can be granted: a later grant of the same
  /// takes the place of one that was taken back, whose story stays in the events.
  static let setGrant = Statement(
    "set_grant",
    """
    INSERT INTO grants (person_id, grant_id, grantee_id, grantee_kind, action, type, state, event_no)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (person_id, action, grantee_kind, grantee_id, type) DO UPDATE SET grant_id = excluded.grant_id,
      state = excluded.state, event_no = excluded.event_no
    """, [.int64, .int64, .int64, .int16, .int16, .int16, .int16, .int64])

  static let addNotice = Statement(
    "add_notice",
    """
    INSERT INTO notices (notice_id, version, language, text, sha256, published_at) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT DO NOTHING
    """, [.int32, .int32, .text, .text, .bytes, .instant])

  /// A person's grants that are in force.
  static let grants = Statement(
    "grants_in_force",
    """
    SELECT grant_id, grantee_id, grantee_kind, action, type FROM grants WHERE person_id = $1 AND state = 1
    """, [.int64])

  /// Everything that was decided, in order: the fields of `ConsentEvent.hash(of:after:)`, then the two hashes.
  static let events = Statement(
    "consent_events",
    """
    SELECT event_no, at, grant_id, actor_id, acting_for, actor_role, event, grantee_kind, grantee_id, type, action, detail,
      first_day, until, week_start, notice_id, notice_version, notice_language, notice_sha256, lawful_basis, method,
      strength, reason, schema_version, previous_hash, hash
    FROM consent_events WHERE person_id = $1 ORDER BY event_no
    """, [.int64])

  static let all: [(statement: Statement, reach: Reach)] = [
    (events, .onePerson), (head, .onePerson), (moveHead, .onePerson), (addEvent, .onePerson), (setGrant, .onePerson),
    (addNotice, .oneName),
    (grants, .onePerson),
  ]
}

/// The end of one owner's chain of events, while the owner's row is locked.
struct ConsentChain {
  private(set) var count: Int64
  private(set) var head: [UInt8]

  init(_ rows: Rows) throws(PostgresError) {
    let found = try rows.first { ($0.int64(0), $0.optionalBytes(1)) }
    count = found?.0 ?? 0
    head = found?.1 ?? ConsentEvent.beginning
  }

  /// Records an event, numbered and chained, with the state that it leaves.
  mutating func add(_ event: ConsentEvent, into pipeline: inout Pipeline) {
    var event = event
    count &+= 1
    event.number = count
    let previous = head
    head = event.hash(after: previous)
    if let notice = event.notice {
      pipeline.add(
        ConsentSQL.addNotice,
        [
          .int32(notice.id), .int32(notice.version), .text(notice.language), .text(notice.text), .bytes(notice.sha256),
          .instant(event.at.microseconds),
        ])
    }
    pipeline.add(ConsentSQL.addEvent, event.parameters(previous: previous, hash: head))
    pipeline.add(
      ConsentSQL.setGrant,
      [
        .int64(event.owner.number), .int64(event.grant.number), .int64(event.grantee),
        .int16(event.granteeKind.rawValue),
        .int16(event.action.rawValue), .int16(event.type.rawValue), .int16(event.state.rawValue), .int64(count),
      ])
  }

  /// The last statement of a change of consent.
  func finish(_ owner: PersonID, into pipeline: inout Pipeline) {
    pipeline.add(ConsentSQL.moveHead, [.int64(owner.number), .int64(count), .bytes(head)])
  }
}

extension ConsentEvent {
  fileprivate func parameters(previous: [UInt8], hash: [UInt8]) -> [Parameter] {
    [
      .int64(owner.number), .int64(number), .instant(at.microseconds), .int64(grant.number), .int64(actor.number),
      .int16(actorRole), .int16(state.rawValue), .int16(granteeKind.rawValue), .int64(grantee), .int16(type.rawValue),
      .int16(action.rawValue), notice.map { .int32($0.id) } ?? .null, notice.map { .int32($0.version) } ?? .null,
      notice.map { .text($0.language) } ?? .null, notice.map { .bytes($0.sha256) } ?? .null, .text(lawfulBasis),
      .int16(method.rawValue), strength.map { .int16($0) } ?? .null, reason.map { .text($0) } ?? .null,
      .text(Self.schemaVersion), .bytes(previous), .bytes(hash),
    ]
  }
}
