import Foundation
import Postgres
import Support
import Testing

/// Open pages of Today, over real TLS.
@Suite(.serialized)
struct LivePageTests {
  @Test("an open page hears of an upload, and open pages do not keep the server from ending")
  func hearsAndEnds() throws {
    let server = try HouseServer()
    let browser = try HouseBrowser(server)
    _ = try browser.setUp()
    let uploads = try PhoneUploads(server, tokens: [try browser.addDevice("Phone")])
    defer { uploads.stop() }
    try uploads.wait(forMore: 1)
    uploads.finish()
    let file = server.home.folder + "/heard.txt"
    let ears = try (0..<3).map { number in
      try ChildProcess.start(
        [
          "/usr/bin/env", "curl", "--silent", "--no-buffer", "--insecure", "--max-time", "120", "--header",
          "Cookie: \(browser.cookie)", server.base + "/today/live",
        ], output: number == 0 ? file : "/dev/null")
    }
    #expect(try wait(for: 1, in: file), "the present number comes first")
    let more = try PhoneUploads(server, tokens: [try browser.addDevice("Another phone")], daysAgo: 0)
    try more.wait(forMore: 1)
    more.finish()
    #expect(try wait(for: 2, in: file), "then what has changed")
    let began = ContinuousClock.now
    #expect(server.stop() == 0)
    #expect(began.duration(to: .now) < .seconds(15), "a stream is not waited for as long as it lasts")
    for ear in ears { _ = ear.wait() }
  }

  /// Whether so many events are in a file, now or soon.
  private func wait(for count: Int, in file: String) throws -> Bool {
    for _ in 0..<800 {
      let text = (try? Repository.text(file)) ?? ""
      if text.components(separatedBy: "event: today").count > count { return true }
      usleep(25_000)
    }
    return false
  }
}
