package import Activity
package import People
import Secrets

/// "I am a device of the person whose id stands in this upload token": not proven yet.
package struct UploadClaim: Sendable {
  package let person: PersonID
  /// SHA-256 of the token that was shown.
  package let tokenHash: [UInt8]

  /// Nil when the text is not a well-formed upload token: the check digits refuse it before the database is asked.
  package init?(bearer text: String) {
    guard let token = Token(reading: text), token.kind == .upload else { return nil }
    person = PersonID(token.person)
    tokenHash = token.hash
  }
}

/// What the database knows of an upload token that is valid at this moment.
package struct UploadRights: Sendable {
  package let client: ClientID
  /// Types with a share grant in force.
  package let types: Set<DataType>
  package let zones: [DatedZone]

  /// For Storage: the row exactly as the database answered it.
  package init(client: ClientID, types: Set<DataType>, zones: [DatedZone]) {
    self.client = client
    self.types = types
    self.zones = zones
  }
}

extension WritePermit {
  /// The permit of a device. `rights`: what Storage found for the claim, nil when there is no such token any more.
  package init(claim: UploadClaim, rights: UploadRights?) throws(Problem) {
    guard let rights else { throw Problem(.unauthenticated, "This upload token is not valid.") }
    self.init(owner: claim.person, client: rights.client, types: rights.types, tokenHash: claim.tokenHash)
  }
}
