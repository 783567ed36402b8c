import Activity
package import PhoneKit
import Synchronization

/// Stands between PhoneKit and the network and counts what goes through: for the line that a person reads.
package final class Tally: Sendable {
  /// What the server answered, added up.
  package struct Counts: Sendable {
    package var requests = 0
    /// Bytes of bodies, before packing.
    package var bytes = 0
    /// Items by the server's word for what became of them: stored, duplicate, replaced, …
    package var results: [String: Int] = [:]
    /// Why the last request brought no answer, or what the last answer was that is not 200.
    package var trouble: String?
    /// That trouble, where it was thrown.
    package var error: (any Error)?
  }

  private let counts = Mutex(Counts())
  private let send: @Sendable (UploadRequest) async throws -> UploadReply

  package init(_ send: @escaping @Sendable (UploadRequest) async throws -> UploadReply) { self.send = send }

  package func send(_ request: UploadRequest) async throws -> UploadReply {
    do {
      let reply = try await send(request)
      note(request, reply)
      return reply
    } catch {
      counts.withLock {
        $0.requests += 1
        $0.trouble = "\(error)"
        $0.error = error
      }
      throw error
    }
  }

  /// What was counted since the last call.
  package func take() -> Counts {
    counts.withLock { counts in
      let taken = counts
      counts = Counts()
      return taken
    }
  }

  private func note(_ request: UploadRequest, _ reply: UploadReply) {
    let stored = reply.status == 200 ? try? StoredReply.read(reply.body) : nil
    counts.withLock { counts in
      counts.requests += 1
      counts.bytes += request.body.plain.count
      counts.results.merge(stored?.counts ?? [:]) { $0 + $1 }
      counts.error = nil
      counts.trouble =
        stored != nil ? nil : "\(reply.status) \(String(decoding: reply.body.plain.prefix(300), as: UTF8.self))"
    }
  }
}
