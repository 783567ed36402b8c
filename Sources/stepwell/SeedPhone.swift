import Activity
import EventLoop
import Files
import PhoneKit
import Phones

/// A seeded person's phone: a device that they add on the page, and the app on it, which uploads over HTTPS.
struct SeedPhone {
  let life: Life
  let base: String
  let certificate: [UInt8]?

  /// Adds the device and uploads everything that is newer than `start`; nil: everything.
  func bring(_ visitor: Visitor, after start: Instant?) throws {
    let loop = try EventLoop.start(named: "phone")
    defer {
      loop.stop()
      loop.join()
    }
    let folder = try Folder.makeTemporary("stepwell-phone")
    defer { try? Folder.remove(folder) }
    let queue = folder + "/queue"
    defer { try? Folder.remove(queue) }
    let sender = CurlSender(server: base, certificate: certificate)
    let app = try BridgeApp(
      SimulatedPhone(life), queue: queue, token: try token(visitor), seed: life.scenario.seed,
      send: { try await sender.send($0) })
    let end = life.now
    let outcome = try loop.runBlocking { _ in
      if let start { try await app.begin(after: start) }
      return try await app.wake(at: end)
    }
    guard outcome == .done else { throw Failure("\(life.scenario.owner)’s phone could not upload: \(outcome).") }
  }

  private func token(_ visitor: Visitor) throws(Failure) -> String {
    let name = "\(life.scenario.owner)’s iPhone"
    let types = [DataType.stepCount, .activitySummary].map { ("type", $0.name) }
    let page = try visitor.submit("/devices", on: "/devices/new", [("name", name)] + types)
    guard let found = page.body.firstMatch(of: /id="tok">(swu_[0-9A-Za-z]+)</) else {
      throw Failure("\(name) was not added (\(page.status)).")
    }
    return String(found.1)
  }
}
