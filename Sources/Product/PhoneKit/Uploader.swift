#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an upload pass ended with.
public enum UploadOutcome: Sendable, Equatable {
  /// Everything that the store had is with the server.
  case done
  /// Try again after so many seconds; the batches are on disk.
  case wait(TimeInterval)
  /// Waiting does not help: the token is not valid (any more), or what answers at the address is no Stepwell. The person has to look; the
  /// batches are on disk.
  case needsAttention(status: Int)
}

/// Moves changes from a health store to the server. One pass at a time.
///
/// ```
/// store ──changes──► queue on disk ──send──► 200 for this batch: remove, fetch what is wanted
///                         ▲                  413: cut in halves       409: the same items under a new id
///                         │                  400, 415, 422: put aside 401, 403, other 3xx and 4xx: stop, tell the person
///                         └──────────────── 408, 425, 429, 5xx, no answer, no answer of a Stepwell: wait, same bytes again
/// ```
public actor Uploader {
  private let store: any HealthStore
  private let queue: BatchQueue
  private let token: String
  private let send: @Sendable (UploadRequest) async throws -> UploadReply
  private let newID: @Sendable () -> String
  private let random: @Sendable () -> Double
  private var backoff = Backoff()
  private var isPassing = false
  /// Stretches already sent because the server wanted them in this pass: asked for once, not for ever.
  private var answered: Set<String> = []
  /// Batches renamed one after the other without success in between.
  private var renamed = 0

  public init(
    store: any HealthStore, queue: BatchQueue, token: String, newID: @escaping @Sendable () -> String,
    random: @escaping @Sendable () -> Double, send: @escaping @Sendable (UploadRequest) async throws -> UploadReply
  ) {
    self.store = store
    self.queue = queue
    self.token = token
    self.newID = newID
    self.random = random
    self.send = send
  }

  /// Reads what is new and sends until nothing is left or something is in the way. Throws what the store or the disk says; nothing is lost.
  /// A pass that begins while another is under way ends at once with `wait`.
  public func pass() async throws -> UploadOutcome {
    guard !isPassing else { return .wait(1) }
    isPassing = true
    defer { isPassing = false }
    answered = []
    while true {
      while let waiting = try await queue.first() {
        if let outcome = try await deliver(waiting) { return outcome }
      }
      let before = await queue.anchor
      let changes = try await store.changes(since: before, limit: UploadBatch.largest / 2)
      if changes.isEmpty && (!changes.hasMore || changes.anchor == before) { return .done }
      let batches = changes.isEmpty ? [] : [UploadBatch(id: newID(), zone: store.zone, changes: changes)]
      try await queue.append(batches, anchor: changes.anchor)
    }
  }

  /// nil: go on with the next batch.
  private func deliver(_ waiting: BatchQueue.Waiting) async throws -> UploadOutcome? {
    let reply: UploadReply
    do {
      reply = try await send(request(waiting))
    } catch {
      return later()
    }
    switch reply.status {
    case 200:
      // A page that answers in the server's place says 200, too, but not for this batch.
      guard let stored = try? StoredReply.read(reply.body), stored.batch?.lowercased() == waiting.id.lowercased() else {
        return later()
      }
      backoff.succeeded()
      renamed = 0
      try await fetch(stored.wanted ?? [])
      try await queue.remove(waiting.ticket)
    case 409:
      guard renamed < 3, var batch = try? UploadBatch.read(waiting.body) else { return later() }
      // The server knows this id with other bytes (a phone restored from a backup): the same items under a fresh one.
      renamed += 1
      batch.batch = newID()
      try await queue.rename(waiting.ticket, as: batch)
    case 413: try await cut(waiting)
    case 400, 415, 422: try await queue.putAside(waiting.ticket)
    case 408, 425, 429, 500...: return later(after: reply.retryAfter)
    default: return .needsAttention(status: reply.status)
    }
    return nil
  }

  private func later(after retryAfter: TimeInterval? = nil) -> UploadOutcome {
    .wait(backoff.wait(after: retryAfter, random: random()))
  }

  private func request(_ waiting: BatchQueue.Waiting) -> UploadRequest {
    UploadRequest(
      method: "POST", path: "/api/batches",
      fields: ["Authorization": "Bearer \(token)", "Content-Type": "application/json", "Idempotency-Key": waiting.id],
      body: waiting.body)
  }

  private func fetch(_ wanted: [StoredReply.Wanted]) async throws {
    for stretch in wanted where answered.insert("\(stretch.type) \(stretch.from) \(stretch.to)").inserted {
      // A store that cannot be read now (a locked phone) must not hold up the queue: the server will want the stretch again.
      guard var changes = try? await store.everything(of: stretch.type, from: stretch.from, to: stretch.to) else {
        continue
      }
      if changes.asked.isEmpty {
        changes.asked = [AskedInterval(type: stretch.type, from: stretch.from, to: stretch.to, complete: true)]
      }
      try await queue.append(pieces(of: changes), anchor: nil)
    }
  }

  /// Only the last piece says what is complete.
  private func pieces(of changes: HealthChanges) -> [UploadBatch] {
    var rest = changes
    var out: [UploadBatch] = []
    while rest.added.count > UploadBatch.largest / 2 {
      var piece = HealthChanges(anchor: changes.anchor)
      piece.added = Array(rest.added.prefix(UploadBatch.largest / 2))
      rest.added.removeFirst(piece.added.count)
      out.append(UploadBatch(id: newID(), zone: store.zone, changes: piece))
    }
    return out + [UploadBatch(id: newID(), zone: store.zone, changes: rest)]
  }

  private func cut(_ waiting: BatchQueue.Waiting) async throws {
    guard let batch = try? UploadBatch.read(waiting.body), let halves = batch.halves(ids: (newID(), newID())) else {
      return try await queue.putAside(waiting.ticket)
    }
    try await queue.replace(waiting.ticket, by: [halves.0, halves.1])
  }
}
