import Activity
import Archive
import Consent
import Foundation
import HTTP
import People
import Storage
import Support
import Testing

/// A person's device: the token that the page showed, and requests as a phone makes them.
struct TestPhone {
  let site: TestSite
  let token: String

  /// Adds a device by the form.
  static func add(
    _ browser: Browser, types: [String] = ["stepCount", "activitySummary"], name: String = "Ada’s iPhone"
  ) async throws -> TestPhone {
    let page = try await browser.submit(
      "/devices", on: "/devices/new", [("name", name)] + types.map { ("type", $0) })
    let found = page.text.firstMatch(of: /id="tok">(swu_[0-9A-Za-z]+)</)?.1
    return TestPhone(site: browser.site, token: String(try #require(found, "\(page.status)")))
  }

  func send(
    _ body: [UInt8], to address: String = "/api/batches", _ fields: [(String, String)] = [], token: String? = nil
  ) async throws -> Answer {
    let type = fields.contains { $0.0 == "content-type" } ? [] : [("content-type", "application/json")]
    return try await site.answer(
      .post, address,
      [("host", "steps.example"), ("authorization", "Bearer " + (token ?? self.token))] + type + fields, body: body)
  }

  func send(_ text: String) async throws -> Answer { try await send(Array(text.utf8)) }
}

struct PhoneUploadTests {
  static func batch(_ id: Int = 1, count: Int = 900, uuid: String = "1") -> String {
    """
    {"batch":"00000000-0000-4000-8000-00000000000\(id)","added":[{"uuid":"0000000\(uuid)-AAAA-4000-8000-000000000001",\
    "type":"HKQuantityTypeIdentifierStepCount","value":\(count),"unit":"count","start":"2026-11-25T08:00:00Z",\
    "end":"2026-11-25T08:10:00Z","source":{"name":"Ada’s iPhone","bundle":"com.apple.health.1"}}]}
    """
  }

  private func ada() async throws -> (TestSite, Browser) {
    let site = try await TestSite()
    try await site.add(.ada)
    return (site, try await site.browser(of: .ada))
  }

  private func code(_ answer: Answer) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
    return object?["code"] as? String
  }

  private static let fixture = "Tests/Fixtures/cases-uploads/26-sync-same-batch-twice/b1.json"

  @Test("nothing is ticked in advance, and a device without a name or a type is asked for again")
  func form() async throws {
    let (_, browser) = try await ada()
    #expect(!(try await browser.get("/devices/new").text.contains(" checked")))
    for fields in [[("name", "x")], [("name", " "), ("type", "stepCount")], [("name", "x"), ("type", "heartRate")]] {
      #expect(try await browser.submit("/devices", on: "/devices/new", fields).status == 422)
    }
  }

  @Test("a phone's samples are on the day's page, the same batch is answered with the same bytes")
  func works() async throws {
    let (site, browser) = try await ada()
    site.clock.set(Instant(utc: "2026-11-26T15:42:00Z"))
    let phone = try await TestPhone.add(browser)
    let body = try Repository.bytes(Self.fixture)
    let first = try await phone.send(body)
    #expect(first.status == 200, "\(first.text)")
    #expect(first.text.contains("\"stored\":"))
    #expect(try await phone.send(body).bytes == first.bytes)
    #expect(try await browser.get("/day/2025-06-10").text.contains("900"))
    #expect(try await browser.get("/devices").text.contains("Up to date"))
    var packed: [UInt8] = []
    #expect(GzipEncoder().encode(body, into: &packed))
    #expect(try await phone.send(packed, [("content-encoding", "gzip")]).bytes == first.bytes)
  }

  @Test("the same id with other bytes is a conflict")
  func reused() async throws {
    let (_, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    #expect(try await phone.send(Self.batch(1, count: 900)).status == 200)
    let answer = try await phone.send(Self.batch(1, count: 901))
    #expect(answer.status == 409)
    #expect(code(answer) == "batch_reused")
  }

  @Test("a wrong, expired, revoked or foreign token gets the same 401")
  func tokens() async throws {
    let (site, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    let missing = try await phone.send(Array("{}".utf8), token: "")
    #expect(missing.status == 401)
    #expect(missing["www-authenticate"]?.hasPrefix("Bearer") == true)
    let session = try #require(browser[cookie: "__Host-sw"])
    for token in ["x", session, String(phone.token.dropLast()) + "!"] {
      #expect(try await phone.send(Array("{}".utf8), token: token).canonical == missing.canonical)
    }
    let now = site.clock.now
    site.clock.advance(milliseconds: 366 * 86_400_000)
    #expect(try await phone.send(Array("{}".utf8)).canonical == missing.canonical)
    site.clock.set(now)
    let device = try await Self.device(browser)
    #expect(try await browser.submit(device + "/removal", on: device, [("data", "keep")]).status == 303)
    #expect(try await phone.send(Self.batch()).canonical == missing.canonical)
  }

  private static func device(_ browser: Browser) async throws -> String {
    let page = try await browser.get("/devices").text
    return String(try #require(page.firstMatch(of: /href="(\/devices\/[0-9a-z]{13})"/)?.1))
  }

  @Test("what is no upload is a problem document that says why")
  func problems() async throws {
    let (_, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    let whole = Self.batch()
    for length in [0, 1, 40, 90, whole.utf8.count - 1] {
      let answer = try await phone.send(Array(whole.utf8.prefix(length)))
      #expect(answer.status == 400, "\(length)")
      #expect(answer["content-type"] == "application/problem+json")
      #expect(code(answer) == "bad_json")
    }
    #expect(try await phone.send("{}").status == 422)
    #expect(try await phone.send("{\"batch\":\"x\",\"added\":[]}").status == 422)
    #expect(try await phone.send(Array(whole.utf8), [("content-type", "text/plain")]).status == 415)
    #expect(try await phone.send(Array(whole.utf8), [("content-encoding", "br")]).status == 415)
    #expect(try await phone.send(Array(whole.utf8), [("content-encoding", "gzip")]).status == 400)
    let wrong = try await phone.site.answer(.get, "/api/batches", [("host", "steps.example")])
    #expect(wrong.status == 405)
    #expect(wrong["content-type"] == "application/problem+json")
    #expect(try await phone.send([], to: "/api/nothing").status == 404)
  }

  @Test("too much is refused with the limit, packed or not")
  func tooLarge() async throws {
    let (_, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    let large = try await phone.send([UInt8](repeating: 32, count: 9 << 20))
    #expect(large.status == 413)
    #expect(large.text.contains("\"limit\":8388608"))
    var bomb: [UInt8] = []
    #expect(GzipEncoder(level: 9).encode([UInt8](repeating: 32, count: 70 << 20), into: &bomb))
    let answer = try await phone.send(bomb, [("content-encoding", "gzip")])
    #expect(answer.status == 413)
    #expect(answer.text.contains("\"limit\":"))
  }

  @Test("ten thousand items of garbage are answered one by one, one more is too many")
  func garbage() async throws {
    let (_, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    let item = "{\"uuid\":\"\"}"
    let many = "{\"added\":[" + [String](repeating: item, count: 10_000).joined(separator: ",") + "]}"
    let answer = try await phone.send(many)
    #expect(answer.status == 200)
    #expect(answer.text.contains("\"received\":10000"))
    #expect(answer.text.contains("\"record\":10000,"))
    let more = "{\"added\":[" + [String](repeating: item, count: 10_001).joined(separator: ",") + "]}"
    #expect(try await phone.send(more).status == 413)
  }

  @Test("an item without a grant is refused by itself, from the withdrawal on")
  func consent() async throws {
    let (_, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    let device = try await Self.device(browser)
    let page = try await browser.get(device).text
    let revocation = String(try #require(page.firstMatch(of: /action="(\/sharing\/[0-9a-z]{13}\/revocation)"/)?.1))
    #expect(try await browser.submit(revocation, on: device, []).status == 303)
    #expect(try await browser.submit(revocation, on: device, []).status == 404)
    let answer = try await phone.send(try Repository.bytes(Self.fixture))
    #expect(answer.status == 200)
    #expect(answer.text.contains("\"result\":\"consent_missing\""))
    #expect(!answer.text.contains("\"stored\""))
    #expect(try await browser.get("/day/2025-06-10").status == 404)
  }

  @Test("removing a device keeps or deletes what it sent, as the person chose", arguments: ["keep", "delete"])
  func removal(choice: String) async throws {
    let (site, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    #expect(try await phone.send(try Repository.bytes(Self.fixture)).status == 200)
    let device = try await Self.device(browser)
    #expect(try await browser.submit(device + "/removal", on: device, [("data", "x")]).status == 400)
    #expect(try await browser.submit(device + "/removal", on: device, [("data", choice)]).status == 303)
    try await site.work()
    #expect(try await browser.get(device).status == 404)
    #expect(try await browser.get("/day/2025-06-10").status == (choice == "keep" ? 200 : 404))
  }

  @Test("a stranger sees and removes nobody else's device")
  func stranger() async throws {
    let (site, browser) = try await ada()
    let phone = try await TestPhone.add(browser)
    let device = try await Self.device(browser)
    try await site.add(.dan)
    let dan = try await site.browser(of: .dan)
    #expect(try await dan.get(device).canonical == (try await dan.get("/devices/0000000000001").canonical))
    #expect(try await dan.submit(device + "/removal", on: "/devices/new", [("data", "delete")]).status == 404)
    #expect(try await phone.send(Self.batch()).status == 200)
  }
}

/// The cases of uploads through real requests, mixed with Apple's files as each says.
struct UploadCaseTests {
  static let folders = ((try? Repository.entries("Tests/Fixtures/cases-uploads")) ?? []).filter(\.isFolder).map {
    "Tests/Fixtures/cases-uploads/\($0.name)"
  }

  @Test("a case of uploads shows its answer on the pages", arguments: folders)
  func everyCase(folder: String) async throws {
    let walk = try CaseWalk(folder)
    let site = try await TestSite(at: walk.receivedAt[0])
    let person = try await site.add(.ada, zone: walk.zones.last?.zone ?? "UTC")
    try await walk.prepare(site, person)
    let phone = try await TestPhone.add(try await site.browser(of: .ada))
    for place in walk.files.indices { try await walk.send(place, by: phone, site, person) }
    try await walk.setOrder(site, person)
    try await walk.compareDays(site)
    try await walk.compareRings(site)
  }
}
