package import Activity
package import Consent
package import People
import Postgres

/// What an upload says about itself beside its records.
package struct Upload: Sendable {
  /// The phone's id for this batch, 128 bits.
  package var batch: (high: UInt64, low: UInt64)
  /// SHA-256 of the body: the same batch must come with the same bytes.
  package var bodyHash: [UInt8]
  /// Intervals that the phone declares complete.
  package var declared: [(type: DataType, interval: Range<Instant>)]
  /// Where the phone is: becomes the person's zone from now on if it is another than theirs. Unknown names are ignored.
  package var zone: String?

  package init(
    batch: (high: UInt64, low: UInt64), bodyHash: [UInt8], declared: [(type: DataType, interval: Range<Instant>)] = [],
    zone: String? = nil
  ) {
    self.batch = batch
    self.bodyHash = bodyHash
    self.declared = declared
    self.zone = zone
  }
}

/// What an upload brought, for its answer.
package struct UploadOutcome: Sendable {
  /// One for each sample of the batch, in its order.
  package let results: [SampleResult]
  /// What the device may send: items of other types were left out.
  package let types: Set<DataType>
  package let summaries: Int
  /// One for each deletion of the batch: `stored`, or `duplicate` where the same was deleted before.
  package let deletions: [SampleResult]
  /// Samples that the batch's deletions took away.
  package let deleted: Int
  /// By type, all of the person's clients together, this upload included.
  package let coverage: [DataType: Coverage]
  /// False when the upload touches so many days that a job counts them.
  package let isCounted: Bool
}

extension Store {
  /// Makes a client that acts for the permit's owner: a phone, a bridge.
  package func addClient(_ permit: WritePermit, name: String, feed: Feed) async throws(Problem) -> ClientID {
    let now = clock.now()
    let id = ClientID.fresh(at: now.milliseconds, random: random)
    try await transaction { change in
      let (_, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(UploadSQL.clients, [.int64(permit.owner.number)])
      }
      let number = (try rows[0].map { StoredClient($0).number }.max() ?? 0) &+ 1
      _ = try await change.commit {
        $0.add(
          UploadSQL.addClient,
          [
            .int64(permit.owner.number), .int64(id.number), .int16(number), .int16(1), .int16(feed.rawValue),
            .text(String(name.prefix(100))), .instant(now.microseconds),
          ])
      }
    }
    return id
  }

  /// Stores a phone's batch, counts its days and keeps the reply that `reply` makes, in one transaction: a batch that was
  /// answered is committed, and the same batch of the same device gets the same bytes again. Throws `conflict` for a known batch with another
  /// body, `forbidden` for a client that is not the owner's or was removed, `unauthenticated` when the permit's token is no
  /// more. Items of types without a grant are left out and said to be so. `reply` may run again.
  package func receive(
    _ batch: Batch, _ upload: Upload, permit: WritePermit, reply: (UploadOutcome) -> [UInt8]
  ) async throws(Problem) -> [UInt8] {
    guard let client = permit.client else { throw Problem(.forbidden, "This upload names no device.") }
    let now = clock.now()
    return try await transaction(.upload) { change in
      let own = Parameter.int64(permit.owner.number)
      let (person, rows) = try await self.lock(permit.owner, at: now, in: change) {
        $0.add(UploadSQL.batch, [own, .int64(client.number), .uuid(upload.batch.high, upload.batch.low)])
        $0.add(UploadSQL.clients, [own])
        $0.add(UploadSQL.coverage, [own])
        $0.add(DeviceSQL.rights, [own, .bytes(permit.tokenHash ?? []), .instant(now.microseconds)])
      }
      var types = permit.types
      if permit.tokenHash != nil {
        guard let rights = try rows[3].first(UploadRights.init), rights.client == client else {
          throw Problem(.unauthenticated, "This upload token is not valid.")
        }
        types.formIntersection(rights.types)
      }
      if let known = try rows[0].first({ ($0.bytes(0), $0.bytes(1)) }) {
        guard known.0 == upload.bodyHash else {
          throw Problem(.conflict, "This batch was sent before with another content.", cause: "batch_reused")
        }
        return known.1
      }
      guard let sender = try rows[1].map(StoredClient.init).first(where: { $0.id == client }), !sender.isEnded else {
        throw Problem(.forbidden, "This device is not connected any more.")
      }
      var walk = UploadWalk(batch: batch, upload: upload, sender: sender, person: person, types: types)
      try walk.readCoverage(rows[2])
      try await walk.move(in: change)
      return try await self.finish(&walk, in: change, reply: reply)
    }
  }

  private func finish(
    _ walk: inout UploadWalk, in change: Transaction, reply: (UploadOutcome) -> [UInt8]
  ) async throws -> [UInt8] {
    try await walk.plan(in: change)
    try await walk.write(in: change)
    let person = walk.person
    let own = Parameter.int64(person.id.number)
    let tooMany = walk.days.count > 400
    let outcome = walk.outcome(isCounted: !tooMany)
    let bytes = reply(outcome)
    let done = walk
    try await count(tooMany ? DaysToCount() : walk.days, person: person, rings: walk.rings, in: change) {
      if tooMany { done.days.leave(to: person, into: &$0) }
      // Now and then: a batch's id is random enough to choose one in 32.
      if done.upload.batch.low & 31 == 0 {
        $0.add(UploadSQL.forgetBatches, [own, .instant(person.now.advanced(hours: -30 * 24).microseconds)])
      }
      if done.changesSomething { $0.add(RecountSQL.noteChange, [own, .instant(person.now.microseconds)]) }
      $0.add(UploadSQL.seen, [own, .int64(done.sender.id.number), .instant(person.now.microseconds)])
      $0.add(
        UploadSQL.addBatch,
        [
          own, .uuid(done.upload.batch.high, done.upload.batch.low), .int64(done.sender.id.number),
          .instant(person.now.microseconds), .bytes(done.upload.bodyHash), .bytes(bytes),
        ])
    }
    return bytes
  }
}
