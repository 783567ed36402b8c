package import Activity
package import People

/// What a pipeline brought: the session row (nil when there is no valid one) and the data that was asked for under
/// the same condition. Only `opened(at:)` gives the data out.
package struct Guarded<Value> {
  private let session: Session?
  private let settings: PersonSettings?
  private let value: Value
  private let fingerprint: [UInt8]?

  /// For Storage: the rows exactly as the database answered them, and what `Opened.fingerprint` says of them.
  package init(session: Session?, settings: PersonSettings?, value: Value, fingerprint: [UInt8]? = nil) {
    self.session = session
    self.settings = settings
    self.value = value
    self.fingerprint = fingerprint
  }

  /// The data with the permit that it was read under; throws `unauthenticated` when the session is unknown, over or another's.
  package func opened(by claim: OwnClaim, at now: Instant) throws(Problem) -> Opened<Value> {
    guard let session, let settings, session.person == claim.person, session.tokenHash == claim.tokenHash,
      session.expires > now
    else { throw Problem(.unauthenticated, "Please sign in again.", cause: "no valid session") }
    return Opened(
      session: session, settings: settings, permit: .own(claim.person), value: value, fingerprint: fingerprint)
  }
}

/// A page's data, proven to belong to whoever asks.
package struct Opened<Value> {
  package let session: Session
  package let settings: PersonSettings
  package let permit: ReadPermit
  package let value: Value
  /// SHA-256 over the settings and everything that `value` was read from: two reads with the same fingerprint show the
  /// same. Nil where nobody asked for one.
  package let fingerprint: [UInt8]?
}

extension ReadPermit {
  /// People may read everything of their own.
  static func own(_ person: PersonID) -> ReadPermit {
    ReadPermit(owner: person, viewer: person, types: Set(DataType.allCases), detail: .hours, days: nil)
  }
}

extension WritePermit {
  /// People may change everything of their own from their own pages.
  package static func own<Value>(_ opened: Opened<Value>) -> WritePermit {
    WritePermit(owner: opened.session.person, client: nil, types: Set(DataType.allCases))
  }

  /// For `stepwell` commands and its jobs: whoever runs the program on the server acts for the person who owns the import
  /// or whose days are counted again. Never call it from Site.
  package static func onServer(for person: PersonID, client: ClientID?) -> WritePermit {
    WritePermit(owner: person, client: client, types: Set(DataType.allCases))
  }
}

extension ReadPermit {
  /// For `stepwell` commands on the server (export, doctor). Never call it from Site.
  package static func onServer(for person: PersonID) -> ReadPermit { own(person) }
}
