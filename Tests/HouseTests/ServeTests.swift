import Activity
import Foundation
import HTTP
import Phones
import Postgres
import Support
import Testing

/// The real program over real TLS.
@Suite(.serialized)
struct ServeTests {
  private static func export(_ scenario: String) throws -> [UInt8] {
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    let life = try #require(Scenario.named(scenario)).play(until: now, in: try ZoneTable.machine())
    return try #require(life.exportZip())
  }

  /// A server that is set up, its browser, and an export, also as a file that commands may read.
  private static func withExport() throws -> (HouseServer, HouseBrowser, export: [UInt8], file: String) {
    let server = try HouseServer()
    let browser = try HouseBrowser(server)
    _ = try browser.setUp()
    let export = try export("ada")
    let file = server.home.folder + "/Export.zip"
    try Data(export).write(to: URL(filePath: file))
    chmod(file, 0o644)
    return (server, browser, export, file)
  }

  @Test("a fresh server is set up, takes an export, shows it, and stops with everything")
  func wholeWalk() throws {
    let server = try HouseServer()
    let browser = try HouseBrowser(server)
    #expect(try browser.get("/").location == "/setup")
    #expect(try browser.setUp().status == 303)
    #expect(try browser.get("/today").status == 200)
    let upload = try browser.upload(try Self.export("two-devices"))
    let address = try #require(upload.location)
    #expect(try browser.waitUntilDone(address).text.contains("Import done"))
    let today = try browser.get("/today")
    #expect(today.status == 200)
    let style = try #require(today.text.firstMatch(of: /href="(\/assets\/[^"]+\.css)"/)).1
    let asset = try browser.get(String(style))
    #expect(asset.status == 200)
    #expect(asset.fields["cache-control"]?.contains("immutable") == true)
    for name in ["content-security-policy", "cross-origin-resource-policy", "x-content-type-options"] {
      #expect(asset.fields[name] != nil && asset.fields[name] == today.fields[name], "\(name)")
    }
    #expect(try browser.get("/healthz").status == 200)
    #expect(try browser.get("/readyz").status == 200)
    #expect(server.output.contains("\"route\":\"/imports/{import}\""))
    #expect(!server.output.contains(address), "the log holds no ids")
    #expect(server.stop() == 0)
    #expect(!FileManager.default.fileExists(atPath: server.home.folder + "/postgres/postmaster.pid"))
    try server.startAgain()
    #expect(try browser.get("/today").status == 200, "the session outlives the program")
    #expect(server.stop() == 0)
  }

  @Test("killed in the middle of an import it goes on, and no day is wrong")
  func killed() throws {
    let (server, browser, export, file) = try Self.withExport()
    let address = try #require(try browser.upload(export).location)
    try server.killAndStartAgain()
    #expect(server.output.contains("took over"), "the database is adopted")
    var kills = 1
    for state in ["Reading your history", "Counting your days"] {
      for _ in 0..<1_000 {
        let page = try browser.get(address)
        if page.text.contains(state) {
          try server.killAndStartAgain()
          kills += 1
          break
        }
        if !page.text.contains(" data-poll=") { break }
      }
    }
    #expect(kills > 1)
    #expect(try browser.waitUntilDone(address).text.contains("Import done"))
    try compare(browser, with: file, server)
    #expect(server.stop() == 0)
  }

  @Test("killed twice at any moment, import after import, nothing is lost and no day is wrong", .enabled(if: Soak.isOn))
  func killedOften() throws {
    let (server, browser, export, file) = try Self.withExport()
    for _ in 0..<Soak.times(1, 25) {
      let address = try #require(try browser.upload(export).location)
      for _ in 0..<2 {
        usleep(UInt32.random(in: 0..<900_000))
        try server.killAndStartAgain()
      }
      #expect(try browser.waitUntilDone(address).text.contains("Import done"))
      try compare(browser, with: file, server)
    }
    #expect(server.stop() == 0)
  }

  /// Every day's number equals what `stepwell preview` makes of the same file.
  private func compare(_ browser: HouseBrowser, with file: String, _ server: HouseServer) throws {
    let preview = try HouseServer.run([], ["preview", file, "--zone", "Europe/Berlin"])
    #expect(preview.status == 0)
    let answer = try JSONSerialization.jsonObject(with: Data(preview.output.utf8)) as? [String: Any]
    let days = try #require(answer?["days"] as? [String: [String: Any]])
    #expect(days.count > 300)
    var pages: [String: String] = [:]
    for (day, value) in days {
      let month = String(day.prefix(7))
      if pages[month] == nil { pages[month] = try browser.get("/history/month/\(month)").text }
      let steps = try #require(value["steps"] as? Int)
      #expect(try Self.shown(day, in: try #require(pages[month])) == steps, "\(day)")
    }
  }

  /// The number that the month's list shows for a day.
  private static func shown(_ day: String, in page: String) throws -> Int? {
    // Today's row leads to Today.
    guard let link = page.range(of: "datetime=\"\(day)\"", options: .backwards) else { return nil }
    let row = page[link.upperBound...].prefix { $0 != "\n" }.components(separatedBy: "</tr>")[0]
    let number = row.firstMatch(of: />([0-9,]+)</).map { String($0.1).replacing(",", with: "") }
    return number.flatMap { Int($0) }
  }

  @Test("a second server on the same data is refused in words")
  func second() throws {
    let server = try HouseServer()
    let second = try HouseServer.run(
      ["STEPWELL_DATA=\(server.home.folder)", "STEPWELL_PORT=0", "STEPWELL_RESOURCES=\(Repository.root)"], ["serve"])
    #expect(second.status == 1)
    #expect(second.output.contains(server.home.folder))
    #expect(server.stop() == 0)
  }

  @Test("told to, it reads certificate, views and zones again without losing anybody")
  func reload() throws {
    let server = try HouseServer()
    let browser = try HouseBrowser(server)
    _ = try browser.setUp()
    server.signal(SIGHUP)
    try server.wait(for: "Read certificate")
    #expect(try browser.get("/today").status == 200)
    #expect(server.stop() == 0)
  }
}
