import Foundation
import PhoneKit
import Synchronization
import Testing

/// A store with numbered samples, handed out in pages.
private struct Shelf: HealthStore {
  var samples: [HealthSample]
  var page = 3
  let zone = "Europe/Berlin"

  func changes(since anchor: Data?, limit: Int) async throws -> HealthChanges {
    let from = anchor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let to = min(samples.count, from + min(limit, page))
    return HealthChanges(added: Array(samples[from..<to]), anchor: Data("\(to)".utf8), hasMore: to < samples.count)
  }

  func everything(of type: String, from: Date, to: Date) async throws -> HealthChanges {
    HealthChanges(added: samples.filter { $0.start < to && $0.end > from }, anchor: Data())
  }
}

/// A server that answers by a script and then 200, and remembers what it stored.
private final class Server: Sendable {
  struct State {
    var script: [UploadReply?]
    var stored: [String: Int] = [:]
    var batches: [String] = []
  }
  let state: Mutex<State>

  init(_ script: [UploadReply?] = []) { state = Mutex(State(script: script)) }

  func answer(_ request: UploadRequest) throws -> UploadReply {
    let batch = try JSONSerialization.jsonObject(with: request.body) as? [String: Any] ?? [:]
    let added = batch["added"] as? [[String: Any]] ?? []
    return try state.withLock { state in
      state.batches.append(batch["batch"] as? String ?? "")
      if !state.script.isEmpty {
        guard let reply = state.script.removeFirst() else { throw CocoaError(.fileNoSuchFile) }
        if reply.status != 200 { return reply }
      }
      for item in added { state.stored[item["uuid"] as? String ?? "", default: 0] += 1 }
      let id = batch["batch"] as? String ?? ""
      return UploadReply(status: 200, body: Data(#"{"batch":"\#(id)","received":1,"items":[],"wanted":[]}"#.utf8))
    }
  }
}

private func sample(_ number: Int) -> HealthSample {
  HealthSample(
    uuid: "u\(number)", type: "stepCount", start: Date(timeIntervalSince1970: Double(number) * 60),
    end: Date(timeIntervalSince1970: Double(number) * 60 + 30), value: 5, unit: "count",
    source: .init(name: "iPhone", bundle: "com.apple.health.X"))
}

private func uploader(_ shelf: Shelf, _ server: Server, folder: URL) throws -> Uploader {
  let ids = Mutex(0)
  return Uploader(
    store: shelf, queue: try BatchQueue(folder: folder), token: "t",
    newID: {
      ids.withLock {
        $0 += 1; return "id\($0)"
      }
    },
    random: { 0.5 }, send: { try server.answer($0) })
}

private func folder() -> URL {
  FileManager.default.temporaryDirectory.appendingPathComponent("phonekit-\(UUID().uuidString)")
}

@Test("everything in the store reaches the server once")
func everythingOnce() async throws {
  let server = Server()
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let one = try uploader(Shelf(samples: (0..<10).map(sample)), server, folder: at)
  #expect(try await one.pass() == .done)
  #expect(server.state.withLock { $0.stored } == Dictionary(uniqueKeysWithValues: (0..<10).map { ("u\($0)", 1) }))
}

@Test("no answer and 503 are repeated under the same id, with growing pauses; Retry-After is the least")
func repeats() async throws {
  let server = Server([nil, UploadReply(status: 503, retryAfter: 60), UploadReply(status: 500)])
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let one = try uploader(Shelf(samples: (0..<3).map(sample)), server, folder: at)
  #expect(try await one.pass() == .wait(0.75))
  #expect(try await one.pass() == .wait(60))
  #expect(try await one.pass() == .wait(3))
  #expect(try await one.pass() == .done)
  let state = server.state.withLock { $0 }
  #expect(Set(state.batches.prefix(4)) == ["id1"])
  #expect(state.stored.count == 3)
}

@Test("what was on its way when the app died is sent by the next one, under its old id")
func survivesDeath() async throws {
  let server = Server([nil])
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  #expect(try await uploader(Shelf(samples: (0..<3).map(sample)), server, folder: at).pass() == .wait(0.75))
  #expect(try await uploader(Shelf(samples: (0..<3).map(sample)), server, folder: at).pass() == .done)
  #expect(server.state.withLock { $0.batches } == ["id1", "id1"])
}

@Test("a batch that is too large is cut until it fits; one item that never fits is put aside, the rest goes on")
func cuts() async throws {
  let server = Server([UploadReply(status: 413), UploadReply(status: 413)])
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  #expect(try await uploader(Shelf(samples: (0..<3).map(sample)), server, folder: at).pass() == .done)
  let aside = try FileManager.default.contentsOfDirectory(atPath: at.path).filter { $0.hasPrefix("refused") }
  #expect(server.state.withLock { $0.stored.count } + aside.count == 3)
  #expect(aside.count == 1)
}

@Test("an invalid token stops and keeps the batch")
func token() async throws {
  let server = Server([UploadReply(status: 401)])
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let one = try uploader(Shelf(samples: (0..<2).map(sample)), server, folder: at)
  #expect(try await one.pass() == .needsAttention(status: 401))
  #expect(try await BatchQueue(folder: at).count == 1)
  #expect(try await one.pass() == .done)
}

@Test("a stretch that the server wants is sent whole, once")
func wanted() async throws {
  let asked = Mutex<[[String: Any]]>([])
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let wanted = #"[{"type":"stepCount","from":"1970-01-01T00:01:00Z","to":"1970-01-01T00:03:00.000Z"}]"#
  let one = Uploader(
    store: Shelf(samples: (0..<5).map(sample), page: 5), queue: try BatchQueue(folder: at), token: "t",
    newID: { UUID().uuidString },
    random: { 0 },
    send: { request in
      let object = try JSONSerialization.jsonObject(with: request.body)
      let count = ((object as? [String: Any])?["added"] as? [Any])?.count ?? 0
      let complete = ((object as? [String: Any])?["asked"] as? [Any])?.count ?? 0
      asked.withLock { $0.append(["added": count, "asked": complete]) }
      let id = (object as? [String: Any])?["batch"] ?? ""
      return UploadReply(status: 200, body: Data(#"{"batch":"\#(id)","received":0,"wanted":\#(wanted)}"#.utf8))
    })
  #expect(try await one.pass() == .done)
  let seen = asked.withLock { $0.map { "\($0["added"] ?? 0) \($0["asked"] ?? 0)" } }
  #expect(seen == ["5 0", "2 1"])
}

@Test("halves hold every item once and only the second is called complete")
func halves() throws {
  var changes = HealthChanges(added: (0..<7).map(sample), anchor: Data())
  changes.deleted = [HealthDeletion(uuid: "gone")]
  changes.asked = [AskedInterval(type: "stepCount", from: .distantPast, to: .distantFuture, complete: true)]
  let (one, two) = try #require(UploadBatch(id: "a", zone: "UTC", changes: changes).halves(ids: ("b", "c")))
  #expect(one.count + two.count == 8)
  #expect(Set(one.added.map(\.uuid) + two.added.map(\.uuid)).count == 7)
  #expect(one.asked.isEmpty && two.asked.count == 1)
}

@Test("a reply for another batch, or a page that answers in the server's place, does not count as stored")
func notOurs() async throws {
  let bodies = Mutex([#"{"batch":"other","received":3}"#, "<html>Wi-Fi</html>", "{}"])
  let server = Server()
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let one = Uploader(
    store: Shelf(samples: (0..<3).map(sample)), queue: try BatchQueue(folder: at), token: "t", newID: { "ID1" },
    random: { 0 },
    send: { request in
      if let body = bodies.withLock({ $0.popLast() }) { return UploadReply(status: 200, body: Data(body.utf8)) }
      return try server.answer(request)
    })
  for _ in 0..<3 { if case .wait = try await one.pass() {} else { Issue.record("it was believed") } }
  #expect(server.state.withLock { $0.stored.isEmpty })
  #expect(try await one.pass() == .done)
  #expect(server.state.withLock { $0.stored.count } == 3)
}

@Test("a server that knows every id does not make the phone ask for ever", arguments: [1, 3, 100])
func conflicts(count: Int) async throws {
  let server = Server(Array(repeating: UploadReply(status: 409), count: count))
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let one = try uploader(Shelf(samples: (0..<2).map(sample)), server, folder: at)
  let ended = try await one.pass()
  let batches = server.state.withLock { $0.batches }
  if count <= 3 {
    #expect(ended == .done && server.state.withLock { $0.stored } == ["u0": 1, "u1": 1])
    #expect(Set(batches).count == count + 1)
  } else {
    #expect(batches.count == 4)
    if case .wait = ended {} else { Issue.record("\(ended)") }
    #expect(try await BatchQueue(folder: at).count == 1)
  }
}

@Test(
  "what is refused for good is kept aside under a name of its own; other refusals keep the batch",
  arguments: [400, 415, 422, 404, 302, 403])
func refusals(status: Int) async throws {
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  for round in 1...2 {
    let server = Server([UploadReply(status: status)])
    let shelf = Shelf(samples: (0..<3 * round).map(sample))
    let one = try uploader(shelf, server, folder: at)
    let ended = try await one.pass()
    let queue = try BatchQueue(folder: at)
    if [400, 415, 422].contains(status) {
      #expect(ended == .done)
      #expect(await queue.refused == round)
      #expect(await queue.count == 0)
    } else {
      #expect(ended == .needsAttention(status: status))
      #expect(await queue.count == 1)
      break
    }
  }
}

@Test("parts of a cut batch stand where it stood, also after a restart, and the same bytes are sent again")
func order() async throws {
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let batch = { (id: String, numbers: Range<Int>) in
    UploadBatch(id: id, zone: "UTC", changes: HealthChanges(added: numbers.map(sample), anchor: Data()))
  }
  let queue = try BatchQueue(folder: at)
  try await queue.append((1...12).map { batch("b\($0)", $0..<$0 + 2) }, anchor: nil)
  for _ in 0..<9 { try await queue.remove(#require(try await queue.first()).ticket) }
  let ten = try #require(try await queue.first())
  try await queue.replace(ten.ticket, by: [batch("x", 10..<11), batch("y", 11..<12)])
  let again = try BatchQueue(folder: at)
  var ids: [String] = []
  while let next = try await again.first() {
    #expect(try UploadBatch.read(next.body).batch == next.id)
    ids.append(next.id)
    try await again.remove(next.ticket)
  }
  #expect(ids == ["x", "y", "b11", "b12"])
}

@Test("instants are written in milliseconds, rounded, and read back")
func instants() throws {
  for (seconds, text) in [
    (0.0, "1970-01-01T00:00:00.000Z"), (1_795_707_720.123, "2026-11-26T15:42:00.123Z"),
    (951_782_399.9996, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
    (4_102_444_799.999, "2099-12-31T23:59:59.999Z"),
  ] {
    var changes = HealthChanges(anchor: Data())
    let date = Date(timeIntervalSince1970: seconds)
    changes.deleted = [HealthDeletion(uuid: "u", start: date)]
    let body = try UploadBatch(id: "a", zone: "UTC", changes: changes).body()
    #expect(String(decoding: body, as: UTF8.self).contains(text), "\(seconds)")
    let read = try #require(try UploadBatch.read(body).deleted.first?.start)
    #expect(abs(read.timeIntervalSince(date)) <= 0.0005)
  }
}

@Test("a store that cannot be read now does not hold up what the server wants")
func lockedStore() async throws {
  struct Locked: HealthStore {
    let inner: Shelf
    var zone: String { inner.zone }
    func changes(since anchor: Data?, limit: Int) async throws -> HealthChanges {
      try await inner.changes(since: anchor, limit: limit)
    }
    func everything(of type: String, from: Date, to: Date) async throws -> HealthChanges {
      throw CocoaError(.fileLocking)
    }
  }
  let at = folder()
  defer { try? FileManager.default.removeItem(at: at) }
  let wanted = #"[{"type":"stepCount","from":"1970-01-01T00:01:00Z","to":"1970-01-01T00:03:00Z"}]"#
  let one = Uploader(
    store: Locked(inner: Shelf(samples: (0..<5).map(sample))), queue: try BatchQueue(folder: at), token: "t",
    newID: { "id" }, random: { 0 },
    send: { _ in UploadReply(status: 200, body: Data(#"{"batch":"id","received":3,"wanted":\#(wanted)}"#.utf8)) })
  #expect(try await one.pass() == .done)
}
