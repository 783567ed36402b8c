import Activity
import Foundation
import HTTP
import Storage
import Support
import Testing

/// What an upload is answered, beyond the counts.
struct UploadAnswerTests {
  private func ada() async throws -> (TestSite, Browser, TestPhone) {
    let site = try await TestSite()
    try await site.add(.ada)
    let browser = try await site.browser(of: .ada)
    return (site, browser, try await TestPhone.add(browser))
  }

  private func object(_ answer: Answer) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any], "\(answer.text)")
  }

  private func sample(_ uuid: String, _ start: String, _ end: String, _ count: Double, extra: String = "") -> String {
    """
    {"uuid":"\(uuid)","type":"stepCount","start":"\(start)","end":"\(end)","value":\(count),"unit":"count",\
    "source":{"name":"iPhone","bundle":"com.apple.health.P","productType":"iPhone15,2"}\(extra)}
    """
  }

  @Test("Idempotency-Key names the batch; another id in the body, or no UUID, is said to be wrong")
  func idempotencyKey() async throws {
    let (_, _, phone) = try await ada()
    let key = "0A0B0C0D-0000-4000-8000-000000000001"
    let body = Array("{\"added\":[]}".utf8)
    let first = try await phone.send(body, [("idempotency-key", key)])
    #expect(try object(first)["batch"] as? String == key.lowercased())
    #expect(try await phone.send(body, [("idempotency-key", key.lowercased())]).bytes == first.bytes)
    #expect(try await phone.send(Array("{\"added\":[ ]}".utf8), [("idempotency-key", key)]).status == 409)
    let other = Array("{\"batch\":\"00000000-0000-4000-8000-000000000002\",\"added\":[]}".utf8)
    let both = try await phone.send(other, [("idempotency-key", key)])
    #expect(both.status == 422)
    #expect(try object(both)["code"] as? String == "bad_batch")
    #expect(try await phone.send(body, [("idempotency-key", "7")]).status == 422)
  }

  @Test("what was declared complete is covered, what lies between is wanted, until it comes")
  func wanted() async throws {
    let (_, browser, phone) = try await ada()
    func asked(_ from: String, _ to: String, complete: Bool = true) -> String {
      "{\"asked\":[{\"type\":\"stepCount\",\"from\":\"\(from)\",\"to\":\"\(to)\",\"complete\":\(complete)}]}"
    }
    _ = try await phone.send(asked("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"))
    let gap = try object(try await phone.send(asked("2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z")))
    #expect((gap["coveredThrough"] as? [String: String])?["stepCount"] == "2026-11-24T00:00:00.000Z")
    let wanted = gap["wanted"] as? [[String: String]] ?? []
    #expect(
      wanted == [["type": "stepCount", "from": "2026-11-21T00:00:00.000Z", "to": "2026-11-23T00:00:00.000Z"]])
    // A phone that was asked and cannot say everything: it is asked again.
    let part = try object(
      try await phone.send(asked("2026-11-21T00:00:00Z", "2026-11-23T00:00:00Z", complete: false)))
    #expect((part["wanted"] as? [Any])?.count == 1)
    let whole = try object(try await phone.send(asked("2026-11-21T00:00:00Z", "2026-11-23T00:00:00Z")))
    #expect((whole["wanted"] as? [Any])?.isEmpty == true)
    // A day that lies wholly in what was declared and has no steps is zero, not unknown.
    #expect(try await browser.get("/history?from=2026-11-20&to=2026-11-24").status == 200)
  }

  @Test("a deletion is stored, the same again is a duplicate, and what comes late is dead")
  func deletions() async throws {
    let (_, browser, phone) = try await ada()
    let late = sample("D1", "2026-11-25T08:00:00Z", "2026-11-25T08:10:00Z", 500)
    let alive = sample("L1", "2026-11-25T09:00:00Z", "2026-11-25T09:10:00Z", 70)
    // In advance: nothing of that id is here yet.
    let first = try object(try await phone.send("{\"deleted\":[{\"uuid\":\"D1\"}]}"))
    #expect(first["counts"] as? [String: Int] == ["stored": 1])
    #expect((first["items"] as? [Any])?.isEmpty == true)
    let again = try object(try await phone.send("{\"deleted\":[{\"uuid\":\"d1\",\"start\":\"2026-11-25T08:00:00Z\"}]}"))
    #expect(again["counts"] as? [String: Int] == ["duplicate": 1])
    let answer = try object(try await phone.send("{\"added\":[\(late),\(alive)]}"))
    #expect(answer["counts"] as? [String: Int] == ["deleted": 1, "stored": 1])
    let item = try #require((answer["items"] as? [[String: Any]])?.first)
    #expect(item["message"] as? String == "It was deleted before.")
    #expect(try await browser.get("/day/2026-11-25").text.contains(">70<"))
    // A start that the phone has wrong keeps nothing alive.
    _ = try await phone.send("{\"deleted\":[{\"uuid\":\"L1\",\"start\":\"2026-11-24T01:00:00Z\"}]}")
    #expect(try await browser.get("/day/2026-11-25").status == 404)
  }

  @Test("every item of Health Auto Export that is not taken is named with its reason")
  func healthAutoExportItems() async throws {
    let (_, _, phone) = try await ada()
    let body = """
      {"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[{"date":"2026-11-25 09:00:00 +0100","Avg":60}]},\
      {"name":"step_count","units":"count","data":[{"date":"2026-11-25 09:00:00 +0100","qty":12.5},\
      {"date":"soon","qty":1},{"date":"2026-11-25 09:01:00 +0100","qty":-1},{"date":"2026-11-25 09:02:00 +0100"},\
      {"date":"1998-11-25 09:02:00 +0100","qty":5},{"date":"2027-11-25 09:02:00 +0100","qty":5}]},\
      {"name":"step_count","units":"km","data":[{"date":"2026-11-25 09:03:00 +0100","qty":2}]}]}}
      """
    let answer = try object(try await phone.send(Array(body.utf8), to: "/api/health-auto-export"))
    let items = (answer["items"] as? [[String: Any]] ?? []).map { "\($0["record"] ?? "") \($0["result"] ?? "")" }
    #expect(items == ["3 bad_date", "4 negative", "5 bad_number", "6 too_old", "7 future", "8 bad_unit"])
    #expect((answer["counts"] as? [String: Int])?["stored"] == 1)
    #expect((answer["counts"] as? [String: Int])?["ignored"] == 1)
    #expect(answer["received"] as? Int == 8)
  }

  @Test("the zone that an upload names holds from now on; one that is unknown is said so and nothing changes")
  func zone() async throws {
    let (site, browser, phone) = try await ada()
    // 16:42 in Berlin is the next day in Tokyo.
    let walk = sample("Z1", "2026-11-26T15:30:00Z", "2026-11-26T15:40:00Z", 111)
    let unknown = try object(try await phone.send("{\"zone\":\"Mars/Olympus\",\"added\":[]}"))
    let item = try #require((unknown["items"] as? [[String: Any]])?.first)
    #expect(item["result"] as? String == "bad_zone")
    #expect(try await browser.get("/settings").text.contains("Europe/Berlin"))
    _ = try await phone.send("{\"zone\":\"Asia/Tokyo\",\"added\":[\(walk)]}")
    #expect(try await browser.get("/day/2026-11-26").text.contains(">111<"), "walked before the zone changed")
    site.clock.advance(milliseconds: 600_000)
    let later = sample("Z2", "2026-11-26T15:45:00Z", "2026-11-26T15:50:00Z", 222)
    _ = try await phone.send("{\"zone\":\"Asia/Tokyo\",\"added\":[\(later)]}")
    #expect(try await browser.get("/day/2026-11-27").text.contains(">222<"))
    #expect(try await browser.get("/day/2026-11-26").text.contains(">111<"))
  }

  @Test("the day says in words why its number changed after it was over")
  func revisions() async throws {
    let (site, browser, phone) = try await ada()
    site.clock.set(Instant(utc: "2026-11-25T20:00:00Z"))
    _ = try await phone.send("{\"added\":[\(sample("A", "2026-11-25T08:00:00Z", "2026-11-25T08:10:00Z", 100))]}")
    site.clock.set(Instant(utc: "2026-11-26T09:00:00Z"))
    let version = { (number: Int) in
      ",\"metadata\":{\"HKMetadataKeySyncIdentifier\":\"s\",\"HKMetadataKeySyncVersion\":\(number)}"
    }
    let late = sample("B", "2026-11-25T10:00:00Z", "2026-11-25T10:10:00Z", 50, extra: version(1))
    _ = try await phone.send("{\"added\":[\(late)]}")
    #expect(try await browser.get("/day/2026-11-25").text.contains("More data arrived."))
    let corrected = sample("C", "2026-11-25T10:00:00Z", "2026-11-25T10:10:00Z", 30, extra: version(2))
    _ = try await phone.send("{\"added\":[\(corrected)]}")
    #expect(try await browser.get("/day/2026-11-25").text.contains("Data was corrected."))
    _ = try await phone.send("{\"deleted\":[{\"uuid\":\"A\"}]}")
    let page = try await browser.get("/day/2026-11-25").text
    #expect(page.contains("Data was deleted on the phone."))
    for change in ["100 → 150", "150 → 130", "130 → 30"] { #expect(page.contains(change), "\(change)") }
  }

  @Test("the same walk by two bridges of one phone and by Health Auto Export counts once")
  func feeds() async throws {
    let (_, browser, phone) = try await ada()
    let pad = try await TestPhone.add(browser, name: "Another bridge")
    for device in [phone, pad] {
      let uuid = device.token == phone.token ? "F1" : "F2"
      _ = try await device.send("{\"added\":[\(sample(uuid, "2026-11-25T08:00:00Z", "2026-11-25T08:10:00Z", 600))]}")
    }
    #expect(try await browser.get("/day/2026-11-25").text.contains(">600<"))
    let buckets = (0..<10).map { "{\"date\":\"2026-11-25 09:0\($0):00 +0100\",\"qty\":61}" }.joined(separator: ",")
    let export = "{\"data\":{\"metrics\":[{\"name\":\"step_count\",\"units\":\"count\",\"data\":[\(buckets)]}]}}"
    #expect(try await phone.send(Array(export.utf8), to: "/api/health-auto-export").status == 200)
    #expect(try await browser.get("/day/2026-11-25").text.contains(">610<"), "the phone's own total stands")
  }
}
