import Activity
import Archive
import Foundation
import HTTP
import Support
import Testing

/// Bodies that are no uploads, through real requests.
struct BadUploadTests {
  private static let valid = """
    {"batch":"00000000-0000-4000-8000-000000000001","zone":"Europe/Berlin","asked":[{"type":"stepCount",\
    "from":"2026-11-24T00:00:00Z","to":"2026-11-26T00:00:00Z","complete":true}],"added":[{"uuid":"A\\u00e9-1",\
    "type":"HKQuantityTypeIdentifierStepCount","start":"2026-11-25T08:00:00Z","end":"2026-11-25T08:10:00.5Z",\
    "value":12.5e1,"unit":"count","source":{"name":"x","bundle":"com.apple.health.1"}}],"deleted":[{"uuid":"b"}],\
    "activitySummaries":[{"date":"2026-11-25","activeEnergyBurned":480.25,"activeEnergyBurnedGoal":500}]}
    """
  private static let export = """
    {"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2026-11-25 09:00:00 +0100",\
    "qty":12.5,"source":"Watch|iPhone"}]}],"workouts":[]}}
    """

  private func phone() async throws -> TestPhone {
    let site = try await TestSite()
    try await site.add(.ada)
    return try await TestPhone.add(try await site.browser(of: .ada))
  }

  /// A document that a program can act on.
  private func isProblem(_ answer: Answer) -> Bool {
    guard let object = try? JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] else {
      return false
    }
    return answer["content-type"] == "application/problem+json" && object["status"] as? Int == answer.status
      && !(object["code"] as? String ?? "").isEmpty && object["title"] is String && object["request"] is String
  }

  @Test(
    "cut after any byte, a body is answered 400 with the byte", arguments: ["/api/batches", "/api/health-auto-export"])
  func truncated(address: String) async throws {
    let phone = try await phone()
    let whole = Array((address == "/api/batches" ? Self.valid : Self.export).utf8)
    for length in whole.indices {
      let answer = try await phone.send(Array(whole[..<length]), to: address)
      #expect(answer.status == 400, "\(length)")
      #expect(isProblem(answer) && answer.text.contains("\"code\":\"bad_json\""), "\(length)")
      #expect(answer.text.contains("from byte \(length) on"), "\(length): \(answer.text)")
    }
    #expect(try await phone.send(whole, to: address).status == 200)
  }

  @Test(
    "with any byte changed, it is stored or answered as a problem",
    arguments: ["/api/batches", "/api/health-auto-export"])
  func flipped(address: String) async throws {
    let phone = try await phone()
    let whole = Array((address == "/api/batches" ? Self.valid : Self.export).utf8)
    var stored = 0
    for place in whole.indices {
      var changed = whole
      changed[place] ^= [1, 0x20, 0x80, 0xFF][place % 4] as UInt8
      let answer = try await phone.send(changed, to: address)
      switch answer.status {
      case 200: stored += 1
      // The id of the batch stands while what it names has changed.
      case 400, 409, 413, 422: #expect(isProblem(answer), "\(place): \(answer.text)")
      default: Issue.record("\(place): \(answer.status) \(answer.text)")
      }
    }
    #expect(stored < whole.count)
  }

  @Test("packed bodies that are cut, changed or unfold too far are problems with a code")
  func packed() async throws {
    let phone = try await phone()
    let gzip = [("content-encoding", "gzip")]
    var whole: [UInt8] = []
    #expect(GzipEncoder().encode(Array(Self.valid.utf8), into: &whole))
    for length in whole.indices {
      let answer = try await phone.send(Array(whole[..<length]), gzip)
      #expect(answer.status == 400 && isProblem(answer), "\(length): \(answer.text)")
    }
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 0x55
      let answer = try await phone.send(changed, gzip)
      #expect(answer.status == 200 || isProblem(answer), "\(place)")
    }
    var bomb: [UInt8] = []
    #expect(GzipEncoder(level: 9).encode([UInt8](repeating: 32, count: 3 << 20), into: &bomb))
    let answer = try await phone.send(bomb, gzip)
    #expect(answer.status == 413 && isProblem(answer))
    #expect(answer.text.contains("\"code\":\"unpacked_too_large\",") && answer.text.contains("\"limit\":1048576"))
  }

  @Test("deep, long and many are refused with their limit")
  func limits() async throws {
    let phone = try await phone()
    let deep = try await phone.send("{\"x\":" + String(repeating: "[", count: 100_000))
    #expect(deep.status == 422 && isProblem(deep))
    let name = String(repeating: "n", count: 2_000)
    let long = try await phone.send("{\"added\":[{\"uuid\":\"\(name)\"}]}")
    #expect(long.status == 413 && isProblem(long) && long.text.contains("\"limit\":1024"))
    let large = try await phone.send([UInt8](repeating: 32, count: 9 << 20))
    #expect(large.status == 413 && isProblem(large))
    #expect(large.text.contains("\"limit\":8388608"))
  }
}
