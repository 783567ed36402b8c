package import Activity
package import Consent
package import People
import Postgres
package import Secrets

/// What became of the wish for another token.
package enum TokenRenewal: Sendable {
  case renewed
  /// The device has another token than the page said: this form was sent before.
  case alreadyRenewed
  case noSuchDevice
}

extension Store {
  /// How long a token works on when there is a new one, in hours (security.md "Tokens and phones").
  package static let tokenOverlap = 24

  /// Gives a device another token; the ones until now work for a day more, so that a phone has time to be told.
  /// `replacing`: the last characters of the token that the person saw, so that a form that is sent twice changes one.
  package func renewToken(
    _ permit: WritePermit, of device: ClientID, replacing hint: String, by token: Token
  ) async throws(Problem) -> TokenRenewal {
    let now = clock.now()
    let own = Parameter.int64(permit.owner.number)
    return try await transaction { change in
      let (_, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(UploadSQL.clients, [own])
        $0.add(DeviceSQL.hint, [own, .int64(device.number)])
      }
      let clients = try rows[0].map(StoredClient.init)
      guard clients.contains(where: { $0.id == device && $0.kind == 1 && !$0.isEnded }) else { return .noSuchDevice }
      let standing = try rows[1].first { $0.text(0) } ?? ""
      // Ours, when this runs again after the answer to its COMMIT was lost.
      guard standing != token.hint else { return .renewed }
      guard standing == hint else { return .alreadyRenewed }
      _ = try await change.commit {
        let end = now.advanced(hours: Store.tokenOverlap)
        $0.add(DeviceSQL.limitTokens, [own, .int64(device.number), .instant(end.microseconds)])
        $0.add(DeviceSQL.addToken, token.parameters(owner: permit.owner, device: device, at: now))
      }
      return .renewed
    }
  }
}

extension Token {
  /// What pages may show of it.
  package var hint: String { String(text.suffix(4)) }

  /// Of `DeviceSQL.addToken`.
  func parameters(owner: PersonID, device: ClientID, at now: Instant) -> [Parameter] {
    [
      .int64(owner.number), .bytes(hash), .int64(device.number), .text(hint), .instant(now.microseconds),
      .instant(now.advanced(hours: Int(NewDevice.tokenDays) * 24).microseconds),
    ]
  }
}
