import Activity
import Foundation
import Intake
import PhoneKit
import Phones
import Support
import Synchronization
import Testing

/// The days that a server has are those of the phone's own samples.
private func expectSame(_ server: HomeServer, _ life: Life, _ comment: Comment) {
  let (theirs, ours) = (server.days, life.totals)
  #expect(theirs.mapValues(\.shown) == ours.mapValues(\.shown), comment)
  for (day, total) in ours {
    #expect(abs((theirs[day]?.exact ?? -1) - total.exact) < 1e-6, "\(comment) \(day.iso)")
  }
  let rings = (life.firstDay...life.today).compactMap { life.summary(of: $0, at: life.now) }.filter { !$0.isEmpty }
  #expect(server.summaries == Dictionary(uniqueKeysWithValues: rings.map { ($0.day, $0) }), comment)
}

@Suite("Simulated phones that upload", .timeLimit(.minutes(3)))
struct BridgeTests {
  @Test(
    "everything that the app sends is read without a refusal and makes the days that the phone meant",
    arguments: Scenario.all)
  func readBack(scenario: Scenario) async throws {
    let life = scenario.shorter(min(scenario.length, 40)).life()
    let server = HomeServer(life)
    try await withFolder { folder in
      let app = try BridgeApp(SimulatedPhone(life), queue: folder, token: "swu_right", seed: 1) { server.answer($0) }
      #expect(try await app.wake(at: now) == .done)
      #expect(await app.readThrough == now)
      #expect(try await app.wake(at: now) == .done)
    }
    expectSame(server, life, "\(scenario.name)")
    server.state.withLock { state in
      #expect(state.refused == 0)
      let first = life.history.firstInstant(of: life.firstDay)
      #expect(Set(state.asked.filter(\.complete).map(\.type)) == [.stepCount, .activitySummary])
      #expect(state.asked.allSatisfy { $0.interval == first..<now })
    }
  }

  @Test(
    "day by day, the server knows at each moment what the phone holds then",
    arguments: ["late-sync", "deletions", "travel", "paused-week"])
  func dayByDay(name: String) async throws {
    let life = try #require(Scenario.named(name)).shorter(24).life()
    let server = HomeServer(life)
    try await withFolder { folder in
      let app = try BridgeApp(SimulatedPhone(life), queue: folder, token: "swu_right", seed: 1) { server.answer($0) }
      for day in life.firstDay...life.today {
        let moment = min(life.history.firstInstant(of: day).advanced(hours: 20), now)
        server.state.withLock { $0.clock = moment }
        #expect(try await app.wake(at: moment) == .done)
        let held = life.walks(heldAt: moment)
        let ids = server.state.withLock { state in state.preview.days().values.reduce(0) { $0 + $1.exact } }
        #expect(held.isEmpty == (ids == 0), "\(day.iso)")
      }
      server.state.withLock { $0.clock = now }
      #expect(try await app.wake(at: now) == .done)
    }
    expectSame(server, life, "\(name)")
    server.state.withLock { state in
      #expect(state.refused == 0 && state.conflicts == 0)
      // Stretches that were declared complete follow each other without a gap.
      let steps = state.asked.filter { $0.type == .stepCount }.map(\.interval)
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
  }

  @Test(
    "requests and answers are lost, repeated and refused, the app dies and is restored: nothing is lost, nothing twice",
    arguments: 1...UInt64(Soak.times(6, 200)))
  func storms(seed: UInt64) async throws {
    let names = ["deletions", "late-sync", "two-devices", "travel"]
    let life = try #require(Scenario.named(names[Int(seed) % 4])).shorter(22).life()
    let server = HomeServer(life)
    server.state.withLock { $0.largest = [10_000, 300, 90][Int(seed) % 3] }
    let weather = Mutex(Weather(seed: seed))
    let send: @Sendable (UploadRequest) async throws -> UploadReply = { request in
      switch weather.withLock({ $0.below(10) }) {
      case 0: throw Lost()
      case 1:
        _ = server.answer(request)
        throw Lost()
      case 2: return UploadReply(status: 503, retryAfter: 1)
      case 3:
        _ = server.answer(request)
        return server.answer(request)
      case 4: return UploadReply(status: 200, body: HealthAnchor(plain: Array("<html>Welcome to our Wi-Fi".utf8)))
      default: return server.answer(request)
      }
    }
    try await withFolder { folder in
      var anchors: [[UInt8]] = []
      var phone = SimulatedPhone(life)
      var app = try BridgeApp(phone, queue: folder, token: "swu_right", seed: seed, send: send)
      var moment = life.history.firstInstant(of: life.firstDay)
      var settled = 0
      while moment < now || settled < 3 {
        moment = min(now, moment.advanced(hours: 1 + weather.withLock { $0.below(30) }))
        server.state.withLock { $0.clock = moment }
        let outcome = try await app.wake(at: moment)
        settled = outcome == .done && moment == now ? settled + 1 : 0
        if let anchor = try? Repository.bytes(folder + "/anchor") { anchors.append(anchor) }
        switch weather.withLock({ $0.below(6) }) {
        case 0:  // killed and started again, with the same ids to come: the server knows some of them
          app = try BridgeApp(phone, queue: folder, token: "swu_right", seed: seed, send: send)
        case 1:  // died after the batch and before the anchor, or came back from a backup
          guard !anchors.isEmpty, moment < now else { break }
          let old = anchors[weather.withLock { $0.below(anchors.count) }]
          try Data(old).write(to: URL(fileURLWithPath: folder + "/anchor"))
          phone = SimulatedPhone(life)
          app = try BridgeApp(
            phone, queue: folder, token: "swu_right", seed: weather.withLock { UInt64($0.below(9)) }, send: send)
          settled = 0
        default: break
        }
      }
      let queue = app.queue
      #expect(await queue.count == 0)
      #expect(await queue.refused == 0)
    }
    server.state.withLock { state in
      #expect(state.refused == 0)
      #expect(state.requests > 25)
    }
    expectSame(server, life, "\(seed)")
  }

  private struct Lost: Error {}
}
