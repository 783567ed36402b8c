public import Foundation

/// What an upload pass ended with.
public enum UploadOutcome: Sendable, Equatable {
  /// Everything that the store had is with the server.
  case done
  /// Try again after so many seconds; the batches are on disk.
  case wait(TimeInterval)
  /// The token is not valid (any more): the person has to look.
  case needsAttention(status: Int)
}

/// Moves changes from a health store to the server. One pass at a time.
///
/// ```
/// store ──changes──► queue on disk ──send──► 200: remove, fetch what is wanted
///                         ▲                  413: cut in halves      401, 403: stop, tell the person
///                         └──────────────── 408, 429, 5xx, no answer: wait, same id again      other 4xx: put aside
/// ```
public actor Uploader {
  private let store: any HealthStore
  private let queue: BatchQueue
  private let token: String
  private let send: @Sendable (UploadRequest) async throws -> UploadReply
  private let newID: @Sendable () -> String
  private let random: @Sendable () -> Double
  private var backoff = Backoff()
  /// Stretches already sent because the server wanted them in this pass: asked for once, not for ever.
  private var answered: Set<String> = []

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
  public func pass() async throws -> UploadOutcome {
    answered = []
    while true {
      while let (number, batch) = try await queue.first() {
        if let outcome = try await deliver(number, batch) { return outcome }
      }
      let changes = try await store.changes(since: queue.anchor, limit: UploadBatch.largest / 2)
      if !changes.isEmpty {
        try await queue.append([UploadBatch(id: newID(), zone: store.zone, changes: changes)], anchor: changes.anchor)
      } else if !changes.hasMore {
        return .done
      }
    }
  }

  /// nil: go on with the next batch.
  private func deliver(_ number: Int, _ batch: UploadBatch) async throws -> UploadOutcome? {
    let reply: UploadReply
    do {
      reply = try await send(request(batch))
    } catch {
      return .wait(backoff.wait(after: nil, random: random()))
    }
    switch reply.status {
    case 200:
      backoff.succeeded()
      try await fetchWanted(reply.body)
      try await queue.remove(number)
    case 401, 403: return .needsAttention(status: reply.status)
    case 409: try await sendUnderNewID(number, batch)
    case 413: try await cut(number, batch)
    case 408, 425, 429, 500...: return .wait(backoff.wait(after: reply.retryAfter, random: random()))
    default: try await queue.putAside(number)
    }
    return nil
  }

  private func request(_ batch: UploadBatch) throws -> UploadRequest {
    UploadRequest(
      method: "POST", path: "/api/batches",
      fields: ["Authorization": "Bearer \(token)", "Content-Type": "application/json", "Idempotency-Key": batch.batch],
      body: try batch.body())
  }

  private func fetchWanted(_ body: Data) async throws {
    guard let wanted = try? StoredReply.read(body).wanted else { return }
    for stretch in wanted where answered.insert("\(stretch.type) \(stretch.from) \(stretch.to)").inserted {
      var changes = try await store.everything(of: stretch.type, from: stretch.from, to: stretch.to)
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

  /// The server knows this id with other bytes (a phone restored from a backup): the same items under a fresh one.
  private func sendUnderNewID(_ number: Int, _ batch: UploadBatch) async throws {
    var again = batch
    again.batch = newID()
    try await queue.append([again], anchor: nil)
    try await queue.remove(number)
  }

  private func cut(_ number: Int, _ batch: UploadBatch) async throws {
    guard let halves = batch.halves(ids: (newID(), newID())) else { return try await queue.putAside(number) }
    try await queue.replace(number, by: halves)
  }
}
