package import Activity
import Bytes
package import People
import Secrets

/// A grant: one owner, one grantee, one type, one action.
package struct GrantID: Identifier {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
}

/// Who receives a grant. Raw values are stored.
package enum GranteeKind: Int16, Sendable { case client = 0, person, family, link }

/// Raw values are stored. `share`: a client writes; `read`: somebody looks.
package enum ConsentAction: Int16, Sendable { case share = 0, read }

/// What happened to a grant, and so its state afterwards. Raw values are stored.
package enum ConsentState: Int16, Sendable {
  case requested = 0, granted, denied, paused, revoked, expired, superseded, closed
}

/// How a decision was collected. Raw values are stored.
package enum ConsentMethod: Int16, Sendable { case webForm = 0, pairing, command }

/// One decision, as it is recorded for ever. Names live elsewhere: here are ids only.
package struct ConsentEvent: Sendable, Equatable {
  package static let schemaVersion = "1"
  /// What stands before the first event of a person.
  package static let beginning = [UInt8](repeating: 0, count: 32)

  package var owner: PersonID
  /// Counts the owner's events from 1.
  package var number: Int64
  package var at: Instant
  package var grant: GrantID
  package var actor: PersonID
  package var actorRole: Int16
  package var state: ConsentState
  package var granteeKind: GranteeKind
  package var grantee: Int64
  package var type: DataType
  package var action: ConsentAction
  package var notice: ConsentNotice?
  package var method: ConsentMethod
  /// Of the sign-in: 1 a password.
  package var strength: Int16?
  package var reason: String?

  package init(
    owner: PersonID, number: Int64, at: Instant, grant: GrantID, actor: PersonID, actorRole: Int16,
    state: ConsentState, granteeKind: GranteeKind, grantee: Int64, type: DataType, action: ConsentAction,
    notice: ConsentNotice?, method: ConsentMethod, strength: Int16?, reason: String?
  ) {
    self.owner = owner
    self.number = number
    self.at = at
    self.grant = grant
    self.actor = actor
    self.actorRole = actorRole
    self.state = state
    self.granteeKind = granteeKind
    self.grantee = grantee
    self.type = type
    self.action = action
    self.notice = notice
    self.method = method
    self.strength = strength
    self.reason = reason
  }

  /// GDPR art. 9 (2) a: the owner's explicit consent.
  package var lawfulBasis: String { "explicit_consent" }

  /// What chains it to the event before.
  package func hash(after previous: [UInt8]) -> [UInt8] { Self.hash(of: fields, after: previous) }

  /// SHA-256(previous hash ‖ each field in the order of the table `consent_events`, as a 4-byte big-endian length and UTF-8;
  /// NULL has the length 0xFFFFFFFF). Numbers are decimal, instants RFC 3339 in UTC with three decimals, hashes hexadecimal.
  static func hash(of fields: [String?], after previous: [UInt8]) -> [UInt8] {
    var bytes = previous
    for field in fields {
      guard let field else {
        bytes.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF])
        continue
      }
      let length = UInt32(truncatingIfNeeded: field.utf8.count)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> UInt32(shift))) }
      bytes.append(contentsOf: field.utf8)
    }
    return SHA256.hash(bytes)
  }

  /// acting_for, detail, first_day, until and week_start are NULL in share grants.
  private var fields: [String?] {
    [
      String(owner.number), String(number), at.iso, String(grant.number), String(actor.number), nil, String(actorRole),
      String(state.rawValue), String(granteeKind.rawValue), String(grantee), String(type.rawValue),
      String(action.rawValue), nil, nil, nil, nil, notice.map { String($0.id) }, notice.map { String($0.version) },
      notice?.language, notice.map { Hex.encode($0.sha256) }, lawfulBasis, String(method.rawValue),
      strength.map { String($0) }, reason, Self.schemaVersion,
    ]
  }
}
