import HTTP
import Support
import Testing

/// The disk under the uploads, and what changes while an upload takes its time.
struct ImportRoomTests {
  private func adasBrowser(reserve: Int64 = 0) async throws -> (TestSite, Browser) {
    let site = try await TestSite(reserve: reserve)
    try await site.add(.ada)
    return (site, try await site.browser(of: .ada))
  }

  private func files(_ site: TestSite) throws -> [String] {
    try Repository.entries("/../../../../../../../.." + site.folder).map(\.name)
  }

  @Test("an upload that would take the disk's last room is refused before it is sent")
  func announced() async throws {
    let (site, browser) = try await adasBrowser(reserve: .max)
    let answer = try await browser.upload(ImportTests.export, named: "export.xml")
    #expect(answer.status == 507)
    #expect(answer.text.contains("The server’s disk is full."))
    #expect(try files(site).isEmpty)
  }

  @Test("an upload of unknown length is stopped within 64 MiB of the reserve, and nothing of it stays")
  func unannounced() async throws {
    let (site, browser) = try await adasBrowser(reserve: .max)
    let file = ImportTests.export + [UInt8](repeating: 0x20, count: 66 << 20)
    let answer = try await browser.uploadInPieces(file, named: "export.xml")
    #expect(answer.status == 507)
    #expect(try files(site).isEmpty)
    // Below that nobody looks: the reserve is there for it.
    #expect(try await browser.uploadInPieces(ImportTests.export, named: "export.xml").status == 303)
  }

  @Test("a session that ends while the file is on its way imports nothing")
  func sessionEnds() async throws {
    let (site, browser) = try await adasBrowser()
    let other = try await site.browser(of: .ada)
    let answer = try await browser.uploadInPieces(ImportTests.export, named: "export.xml") {
      _ = try await other.submit("/settings/sessions/end", on: "/settings/sessions", [])
    }
    #expect(answer.status == 303)
    #expect(answer["location"]?.hasPrefix("/sign-in") == true)
    #expect(try files(site).isEmpty)
    #expect(try await other.get("/imports").text.contains("export.xml") == false)
  }

  @Test("an import that waits for room on the disk says so on its page, and goes on by itself")
  func waits() async throws {
    let (site, browser) = try await adasBrowser()
    let address = try #require(try await browser.upload(ImportTests.export, named: "export.xml")["location"])
    try await site.work(freeBytes: .max)
    let waiting = try await browser.get(address)
    #expect(waiting.text.contains("The server’s disk is nearly full."))
    #expect(waiting.text.contains("role=\"status\"") && waiting.text.contains("Cancel import"))
    site.clock.advance(milliseconds: 61_000)
    try await site.work()
    let done = try await browser.get(address)
    #expect(done.text.contains("Import done"))
    #expect(!done.text.contains("nearly full"))
  }
}
