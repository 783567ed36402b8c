import Activity
import Foundation
import Intake
import PhoneKit
import Phones
import Synchronization

/// What the server promises to phones, in memory: each batch once, each sample once, a deletion for ever. It may be told to fail.
final class HomeServer: Sendable {
  struct State {
    var preview: Preview
    /// Body and answer by batch id.
    var batches: [String: (body: [UInt8], reply: UploadReply)] = [:]
    var tokens: Set<String> = ["swu_right"]
    var clock = now
    var refused = 0
    var duplicates = 0
    var received = 0
    var conflicts = 0
    var requests = 0
    var asked: [Upload.Asked] = []
    var largest = 10_000
  }

  let state: Mutex<State>

  init(_ life: Life) {
    // The account's first zone is that of home; others come with the samples.
    let home = ZoneHistory([(since: nil, zone: life.scenario.home)], in: zones)
    state = Mutex(State(preview: Preview(account: PreviewAccount(zones: home), zoneTable: zones)))
  }

  func answer(_ request: UploadRequest) -> UploadReply {
    answer(
      request.body.plain, token: request.fields["Authorization"] ?? "", key: request.fields["Idempotency-Key"] ?? "")
  }

  func answer(_ body: [UInt8], token: String, key: String) -> UploadReply {
    state.withLock { state in
      state.requests += 1
      guard state.tokens.contains(String(token.dropFirst("Bearer ".count))) else { return UploadReply(status: 401) }
      if let known = state.batches[key] {
        if known.body == body { return known.reply }
        state.conflicts += 1
        return UploadReply(status: 409)
      }
      guard let upload = try? HealthKitReader.read(body, receivedAt: state.clock), upload.id == key else {
        return UploadReply(status: 400)
      }
      if upload.received > state.largest { return UploadReply(status: 413) }
      state.refused += upload.refused.count + upload.ignored
      state.received += upload.received
      state.asked += upload.asked
      state.preview.add(upload, name: key, receivedAt: state.clock)
      let text = "{\"batch\":\"\(key)\",\"received\":\(upload.received),\"items\":[],\"wanted\":[]}"
      let reply = UploadReply(status: 200, body: HealthAnchor(plain: Array(text.utf8)))
      state.batches[key] = (body, reply)
      return reply
    }
  }

  var days: [CivilDay: DayTotal] { state.withLock { $0.preview.days() } }
  var summaries: [CivilDay: ActivitySummary] { state.withLock { $0.preview.summaries() } }
}

/// How a connection behaves, drawn from a seed.
struct Weather {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  /// xorshift64*.
  mutating func below(_ limit: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_f491_4f6c_dd1d) >> 33) % limit
  }
}

/// A folder that is gone after the test.
func withFolder<T>(_ body: (String) async throws -> T) async throws -> T {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stepwell-queue-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}
