package import Activity
package import Consent
package import People
import Postgres

extension Store {
  /// Takes one grant back: from the next upload on items of its type are refused. False when there is none in force.
  package func revokeGrant(_ permit: WritePermit, _ grant: GrantID, role: Role) async throws(Problem) -> Bool {
    let now = clock.now()
    // It is over already when this runs again after the answer to its COMMIT was lost.
    var isAgain = false
    return try await transaction { change in
      let (_, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(ConsentSQL.head, [.int64(permit.owner.number)])
        $0.add(ConsentSQL.grants, [.int64(permit.owner.number)])
      }
      guard let standing = rows[1].compactMap(StandingGrant.init).first(where: { $0.id == grant }) else {
        return isAgain
      }
      isAgain = true
      var chain = try ConsentChain(rows[0])
      _ = try await change.commit {
        chain.add(standing.event(.revoked, owner: permit.owner, role: role, at: now), into: &$0)
        chain.finish(permit.owner, into: &$0)
      }
      return true
    }
  }

  /// Lets a device send a type again, or one more: a grant of its own with its event, since one that was taken back is over
  /// for good. Nothing is recorded where it may already. False when the person has no such device.
  package func grant(
    _ permit: WritePermit, _ type: DataType, to device: ClientID, notice: ConsentNotice, role: Role
  ) async throws(Problem) -> Bool {
    let now = clock.now()
    let owner = permit.owner
    let id = GrantID.fresh(at: now.milliseconds, random: random)
    return try await transaction { change in
      let (_, rows) = try await self.lock(owner, at: now, in: change) {
        $0.add(UploadSQL.clients, [.int64(owner.number)])
        $0.add(ConsentSQL.head, [.int64(owner.number)])
        $0.add(ConsentSQL.grants, [.int64(owner.number)])
      }
      let clients = try rows[0].map(StoredClient.init)
      guard clients.contains(where: { $0.id == device && $0.kind == 1 && !$0.isEnded }) else { return false }
      let standing = rows[2].compactMap(StandingGrant.init)
      if standing.contains(where: { $0.isShare(of: type, by: device) }) { return true }
      var chain = try ConsentChain(rows[1])
      _ = try await change.commit {
        chain.add(.share(id, type, owner: owner, device: device, notice: notice, role: role, at: now), into: &$0)
        chain.finish(owner, into: &$0)
      }
      return true
    }
  }
}

/// A grant in force.
struct StandingGrant {
  let id: GrantID
  let grantee: Int64
  let granteeKind: GranteeKind
  let action: ConsentAction
  let type: DataType

  init?(_ row: Row) {
    guard let kind = GranteeKind(rawValue: row.int16(2)), let action = ConsentAction(rawValue: row.int16(3)),
      let type = DataType(rawValue: row.int16(4))
    else { return nil }
    id = GrantID(row.int64(0))
    grantee = row.int64(1)
    granteeKind = kind
    self.action = action
    self.type = type
  }

  func event(_ state: ConsentState, owner: PersonID, role: Role, at now: Instant) -> ConsentEvent {
    ConsentEvent(
      owner: owner, number: 0, at: now, grant: id, actor: owner, actorRole: role.rawValue, state: state,
      granteeKind: granteeKind, grantee: grantee, type: type, action: action, notice: nil, method: .webForm,
      strength: 1,
      reason: nil)
  }
}

extension StandingGrant {
  func isShare(of type: DataType, by device: ClientID) -> Bool {
    granteeKind == .client && grantee == device.number && action == .share && self.type == type
  }
}

extension ConsentEvent {
  /// "This device may send this type", given on a page.
  static func share(
    _ grant: GrantID, _ type: DataType, owner: PersonID, device: ClientID, notice: ConsentNotice, role: Role,
    at now: Instant
  ) -> ConsentEvent {
    ConsentEvent(
      owner: owner, number: 0, at: now, grant: grant, actor: owner, actorRole: role.rawValue, state: .granted,
      granteeKind: .client, grantee: device.number, type: type, action: .share, notice: notice, method: .webForm,
      strength: 1, reason: nil)
  }
}
