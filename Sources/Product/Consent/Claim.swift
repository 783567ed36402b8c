// Consent: who may read or write which data type of whom. It is the only maker of permits, and without a permit no
// function of Storage answers health data, so that a page that forgot to ask does not compile.
// Pure: it judges what Storage read in the same statement; it reads no clock and no database itself.
package import Activity
package import People
import Secrets

/// "I am the person whose id stands in this session token": not proven yet. Storage puts the proof (the valid session)
/// and the data into one pipeline and answers `Guarded`.
package struct OwnClaim: Sendable {
  package let person: PersonID
  /// SHA-256 of the token that was shown.
  package let tokenHash: [UInt8]

  /// Nil when the text is not a well-formed session token: nothing to ask the database about.
  package init?(cookie text: String) {
    guard let token = Token(reading: text), token.kind == .session else { return nil }
    person = PersonID(token.person)
    tokenHash = token.hash
  }
}

/// How closely another person's data may be looked at. Ordered from narrow to wide.
package enum Detail: Int16, Sendable, Comparable, CaseIterable {
  case weeks = 0
  case days = 1
  case hours = 2

  package static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
}

/// The right to read some data types of one person, up to a level of detail, on some days. Only Consent makes it.
package struct ReadPermit: Sendable {
  package let owner: PersonID
  package let viewer: PersonID
  package let types: Set<DataType>
  package let detail: Detail
  /// Nil: all days there are.
  package let days: ClosedRange<CivilDay>?

  init(owner: PersonID, viewer: PersonID, types: Set<DataType>, detail: Detail, days: ClosedRange<CivilDay>?) {
    self.owner = owner
    self.viewer = viewer
    self.types = types
    self.detail = detail
    self.days = days
  }
}

/// The right to add, change and delete data of one person through one client. Only Consent makes it.
package struct WritePermit: Sendable {
  package let owner: PersonID
  /// Nil for the person's own hand on the pages and for commands on the server.
  package let client: ClientID?
  package let types: Set<DataType>
  /// Of the upload token that must still be valid, with its grants, in the transaction that writes; nil for the person's own
  /// hand and for commands on the server.
  package let tokenHash: [UInt8]?

  init(owner: PersonID, client: ClientID?, types: Set<DataType>, tokenHash: [UInt8]? = nil) {
    self.owner = owner
    self.client = client
    self.types = types
    self.tokenHash = tokenHash
  }
}
