import Foundation
import HTTP
import HTTPClient
import Postgres
import Support
import Synchronization

/// Phones that upload one small batch after the other, each until it is answered, and remember what was.
final class PhoneUploads: Sendable {
  /// A batch: a step in each of its seconds, which no other batch has.
  struct Batch: Sendable {
    let phone: Int
    let seconds: Range<Int>
    var answer: [UInt8] = []

    var id: String {
      let digits = String(seconds.lowerBound)
      return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    var body: [UInt8] {
      let items = seconds.map { second in
        let start = Date(timeIntervalSince1970: TimeInterval(second))
        return """
          {"uuid":"\(second)","type":"stepCount","start":"\(start.formatted(.iso8601))","end":\
          "\((start + 1).formatted(.iso8601))","value":1,"unit":"count","source":{"name":"iPhone","bundle":\
          "com.apple.health.P","productType":"iPhone15,2"}}
          """
      }
      return Array("{\"batch\":\"\(id)\",\"added\":[\(items.joined(separator: ","))]}".utf8)
    }
  }

  private struct State {
    var base: String
    var nextSecond: Int
    var waiting: [Batch] = []
    var answered: [Batch] = []
    var faults: [String] = []
    var isStopping = false
    var isFinishing = false
    var running = 0
  }

  struct TooLong: Error {}

  private let state: Mutex<State>
  private let tokens: [String]
  private let client: HTTPClient

  /// `daysAgo`: by default so long ago that days change that are over.
  init(_ server: HouseServer, tokens: [String], daysAgo: Int = 10) throws {
    self.tokens = tokens
    var settings = ClientSettings()
    settings.trust = .only(pem: try Repository.bytes(server.home.folder + "/certificate.pem"))
    settings.compressAbove = .max
    settings.timeout = 20_000
    client = HTTPClient(settings)
    let second = Int(Date().timeIntervalSince1970) - daysAgo * 86_400 - 600
    state = Mutex(State(base: server.base, nextSecond: second, running: tokens.count))
    for phone in tokens.indices { Thread.detachNewThread { self.work(as: phone) } }
  }

  var base: String {
    get { state.withLock { $0.base } }
    set { state.withLock { $0.base = newValue } }
  }
  var answered: [Batch] { state.withLock { $0.answered } }
  /// Sent or being sent, and not answered.
  var waiting: [Batch] { state.withLock { $0.waiting } }
  var faults: [String] { state.withLock { $0.faults } }

  /// Until so many more are answered.
  func wait(forMore count: Int) throws {
    let goal = answered.count + count
    for _ in 0..<6_000 {
      if answered.count >= goal { return }
      usleep(5_000)
    }
    throw TooLong()
  }

  /// Sends what waits, and nothing new; returns when all is answered.
  func finish() {
    state.withLock { $0.isFinishing = true }
    while state.withLock({ $0.running > 0 }) { usleep(5_000) }
  }

  func stop() { state.withLock { $0.isStopping = true } }

  /// One phone with so slow a connection that its body is on the way for a long time; afterwards another tries again.
  func startSlowly(_ server: HouseServer) throws -> ChildProcess {
    let batch = take(phone: 0, count: 2_000)
    let file = server.home.folder + "/slow.json"
    try Data(batch.body).write(to: URL(filePath: file))
    defer { state.withLock { $0.waiting.append(batch) } }
    return try ChildProcess.start(
      [
        "/usr/bin/env", "curl", "--silent", "--insecure", "--limit-rate", "8k", "--max-time", "60", "--data-binary",
        "@\(file)",
        "--header", "Content-Type: application/json", "--header", "X-Stepwell-Token: \(tokens[0])",
        base + "/api/batches",
      ], output: "/dev/null")
  }

  /// The answer to one batch; throws when there was none, or another than 200.
  func send(_ batch: Batch) throws -> [UInt8] {
    let reply = try client.perform(
      ClientRequest(
        .post, base + "/api/batches",
        fields: [("content-type", "application/json"), ("x-stepwell-token", tokens[batch.phone])], body: batch.body))
    switch reply.status.code {
    case 200: return reply.body
    case 503: throw TooLong()
    default:
      state.withLock { $0.faults.append("\(reply.status.code) \(String(decoding: reply.body, as: UTF8.self))") }
      throw TooLong()
    }
  }

  private func take(phone: Int, count: Int) -> Batch {
    state.withLock { state in
      defer { state.nextSecond += count }
      return Batch(phone: phone, seconds: state.nextSecond..<(state.nextSecond + count))
    }
  }

  private func work(as phone: Int) {
    while !state.withLock({ $0.isStopping }) {
      let old = state.withLock { state in state.waiting.first { $0.phone == phone } }
      if old == nil, state.withLock({ $0.isFinishing }) { break }
      var batch = old ?? take(phone: phone, count: 20)
      if old == nil { state.withLock { $0.waiting.append(batch) } }
      guard let answer = try? send(batch) else {
        usleep(20_000)
        continue
      }
      batch.answer = answer
      state.withLock { state in
        state.waiting.removeAll { $0.seconds == batch.seconds }
        state.answered.append(batch)
      }
    }
    state.withLock { $0.running -= 1 }
  }
}
