package import Activity
package import Consent
package import People
import Postgres
package import Secrets

/// A device of the page Devices.
package struct DeviceRecord: Sendable {
  package let id: ClientID
  package let name: String
  package let created: Instant
  /// Of its last upload.
  package let seen: Instant?
  /// The last characters of its token.
  package let hint: String
  package let expires: Instant?
  /// Until when an earlier token works beside it.
  package let overlap: Instant?
  /// What it may send, by type.
  package let grants: [(id: GrantID, type: DataType)]

  init(_ row: Row) {
    id = ClientID(row.int64(0))
    name = row.text(1)
    created = Instant(microseconds: row.instant(2))
    seen = row.optionalInstant(3).map { Instant(microseconds: $0) }
    hint = row.optionalText(4) ?? ""
    expires = row.optionalInstant(5).map { Instant(microseconds: $0) }
    grants = zip(row.int64s(6), row.int16s(7)).compactMap { id, type in
      DataType(rawValue: type).map { (GrantID(id), $0) }
    }
    overlap = row.optionalInstant(8).map { Instant(microseconds: $0) }
  }
}

/// A device that a person adds: its name, what they ticked, and how they were signed in.
package struct NewDevice: Sendable {
  package static let tokenDays: Int64 = 365

  /// Made by whoever asks, so that the same form sent twice adds one device.
  package let id: ClientID
  package let name: String
  package let types: Set<DataType>
  package let notice: ConsentNotice
  package let token: Token
  package let role: Role

  package init(
    id: ClientID, name: String, types: Set<DataType>, notice: ConsentNotice, token: Token, role: Role
  ) {
    self.id = id
    self.name = name
    self.types = types
    self.notice = notice
    self.token = token
    self.role = role
  }
}

extension Store {
  /// What the bearer of an upload token may do now; nil when the token is unknown, over or revoked. One round trip.
  package func rights(of claim: UploadClaim) async throws(Problem) -> UploadRights? {
    let rows = try await query(
      DeviceSQL.rights,
      [.int64(claim.person.number), .bytes(claim.tokenHash), .instant(clock.now().microseconds)])
    return try reading { () throws(PostgresError) in try rows.first(UploadRights.init) }
  }

  /// The person's devices, the oldest first.
  package func devices(_ claim: OwnClaim) async throws(Problem) -> Guarded<[DeviceRecord]> {
    let own = claim.parameters(at: clock.now())
    let rows = try await pipeline {
      $0.add(SessionSQL.open, own)
      $0.add(DeviceSQL.page, own)
    }
    let value = try reading { () throws(PostgresError) in try rows[1].map(DeviceRecord.init) }
    return try guarded(claim, rows, value)
  }

  /// Adds a device with its token and one share grant for each type, recorded as events, all in one transaction. False, and
  /// nothing is changed, when there is a device of that id already.
  package func addDevice(_ permit: WritePermit, _ device: NewDevice) async throws(Problem) -> Bool {
    let now = clock.now()
    let owner = permit.owner
    let grants = device.types.sorted { $0.rawValue < $1.rawValue }.map { type in
      (GrantID.fresh(at: now.milliseconds, random: random), type)
    }
    return try await transaction { change in
      let (_, rows) = try await self.lock(owner, at: now, in: change) {
        $0.add(UploadSQL.clients, [.int64(owner.number)])
        $0.add(ConsentSQL.head, [.int64(owner.number)])
        $0.add(DeviceSQL.hint, [.int64(owner.number), .int64(device.id.number)])
      }
      let clients = try rows[0].map(StoredClient.init)
      if clients.contains(where: { $0.id == device.id }) {
        // Ours, when this runs again after the answer to its COMMIT was lost.
        return try rows[2].first { $0.text(0) } == device.token.hint
      }
      let number = (clients.map(\.number).max() ?? 0) &+ 1
      var chain = try ConsentChain(rows[1])
      _ = try await change.commit {
        $0.add(
          UploadSQL.addClient,
          [
            .int64(owner.number), .int64(device.id.number), .int16(number), .int16(1), .int16(Feed.healthKit.rawValue),
            .text(String(device.name.prefix(100))), .instant(now.microseconds),
          ])
        $0.add(DeviceSQL.addToken, device.token.parameters(owner: owner, device: device.id, at: now))
        for (grant, type) in grants {
          chain.add(
            .share(grant, type, owner: owner, device: device.id, notice: device.notice, role: device.role, at: now),
            into: &$0)
        }
        chain.finish(owner, into: &$0)
      }
      return true
    }
  }

  /// Ends a device: its token is revoked and its grants are closed, in one transaction; with `deleting`, everything that it
  /// brought goes too and its days are counted again. False when the person has no such device.
  package func removeDevice(
    _ permit: WritePermit, _ device: ClientID, role: Role, deleting: Bool
  ) async throws(Problem) -> Bool {
    let now = clock.now()
    let own = Parameter.int64(permit.owner.number)
    // It is ended already when this runs again after the answer to its COMMIT was lost.
    var isAgain = false
    return try await transaction(.upload) { change in
      let (person, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(UploadSQL.clients, [own])
        $0.add(ConsentSQL.head, [own])
        $0.add(ConsentSQL.grants, [own])
      }
      let client = try rows[0].map(StoredClient.init).first { $0.id == device && $0.kind == 1 && !$0.isEnded }
      guard let client else { return isAgain }
      isAgain = true
      var chain = try ConsentChain(rows[1])
      let standing = rows[2].compactMap(StandingGrant.init).filter {
        $0.granteeKind == .client && $0.grantee == device.number
      }
      var days = DaysToCount()
      var rings: Set<CivilDay> = []
      if deleting { (days, rings) = try await self.take(client, of: person, in: change) }
      let isLong = days.count > 400
      try await self.count(isLong ? DaysToCount() : days, person: person, rings: rings, in: change) {
        if isLong { days.leave(to: person, into: &$0) }
        $0.add(DeviceSQL.endClient, [own, .int64(device.number), .instant(now.microseconds)])
        $0.add(DeviceSQL.revokeTokens, [own, .int64(device.number), .instant(now.microseconds)])
        for grant in standing {
          chain.add(grant.event(.closed, owner: permit.owner, role: role, at: now), into: &$0)
        }
        chain.finish(permit.owner, into: &$0)
        if deleting { $0.add(RecountSQL.noteChange, [own, .instant(now.microseconds)]) }
      }
      return true
    }
  }

  private func take(
    _ client: StoredClient, of person: LockedPerson, in change: Transaction
  ) async throws -> (DaysToCount, Set<CivilDay>) {
    let own = Parameter.int64(person.id.number)
    let rows = try await change.pipeline {
      $0.add(DeviceSQL.takeSamples, [own, .int16(client.number)])
      $0.add(DeviceSQL.takeSummaries, [own, .int64(client.id.number)])
      $0.add(DeviceSQL.takeCoverage, [own, .int64(client.id.number)])
      $0.add(DeviceSQL.takeBatches, [own, .int64(client.id.number)])
    }
    var touched = TouchedDays(person)
    try touched.add(rows[0])
    var days = DaysToCount()
    for (type, list) in touched.days { days.add(list, of: type, .deleted) }
    return (days, Set(try rows[1].map { CivilDay(number: $0.date(0)) }))
  }
}

extension DaysToCount {
  /// Notes the days as stale and asks for the job that counts them.
  func leave(to person: LockedPerson, into pipeline: inout Pipeline) {
    let own = Parameter.int64(person.id.number)
    for (type, reasons) in reasons {
      for (reason, days) in Dictionary(grouping: reasons.keys, by: { reasons[$0] ?? .late }) {
        let types = [Int16](repeating: type.rawValue, count: days.count)
        pipeline.add(
          RecountSQL.markStale, [own, .int16s(types), .dates(days.map(\.number)), .int16(reason.rawValue)])
      }
    }
    pipeline.add(JobSQL.ask, Job.recountParameters(person.id, at: person.now))
  }
}

extension UploadRights {
  init(_ row: Row) {
    self.init(
      client: ClientID(row.int64(0)), types: Set(row.int16s(1).compactMap { DataType(rawValue: $0) }),
      zones: DatedZone.list(since: row.instants(2), names: row.texts(3)))
  }
}
