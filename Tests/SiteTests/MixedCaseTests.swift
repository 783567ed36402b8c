import Activity
import Foundation
import Intake
import Support
import Testing

/// Cases of uploads with an Apple export before them: the pages show what `stepwell preview` makes of the same files.
struct MixedCaseTests {
  static let exports = [
    "01-overlap-phone-watch-same-interval", "03-gap-filled-by-phone", "08-manual-instant-adds", "16-midnight-crossing",
  ]
  static let uploads = UploadCaseTests.folders.filter { !$0.contains("31-") && !$0.contains("58-") }

  @Test("a case of uploads mixed with an Apple export is the same in preview and on the pages", arguments: uploads)
  func mixed(folder: String) async throws {
    for export in Self.exports {
      let site = try await TestSite()
      let mixed = try mix(folder, with: "Tests/Fixtures/cases/\(export)", below: site.folder + "/case")
      let walk = try CaseWalk(mixed)
      site.clock.set(Instant(utc: walk.receivedAt[0]))
      let person = try await site.add(.ada, zone: walk.zones.last?.zone ?? "UTC")
      try await walk.prepare(site, person)
      let phone = try await TestPhone.add(try await site.browser(of: .ada))
      for place in walk.files.indices { try await walk.send(place, by: phone, site, person) }
      try await walk.setOrder(site, person)
      try await walk.compareDays(site)
      try await walk.compareRings(site)
    }
  }

  /// A folder with both cases' files, the export first, and preview's answer as the expected one.
  private func mix(_ uploads: String, with export: String, below folder: String) throws -> String {
    var config = try json(uploads + "/config.json")
    let files = try #require(config["files"] as? [Object])
    var first = try #require((try json(export + "/config.json")["files"] as? [Object])?.first)
    first["receivedAt"] = files[0]["receivedAt"]
    config["files"] = [first] + files
    config["want"] = Object()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(JSONSerialization.data(withJSONObject: config), folder + "/config.json")
    for file in files { try copy(file, uploads, folder) }
    try copy(first, export, folder)
    let answer = try CaseFolder.answer(folder, zoneTable: try ZoneTable.machine())
    try write(Data(answer), folder + "/expected.json")
    return folder
  }

  private func copy(_ file: Object, _ from: String, _ folder: String) throws {
    let name = try #require(file["path"] as? String)
    try write(Data(try Repository.bytes(from + "/" + name)), folder + "/" + name)
  }

  private func write(_ data: Data, _ path: String) throws { try data.write(to: URL(filePath: path)) }

  private func json(_ path: String) throws -> Object {
    try JSONSerialization.jsonObject(with: Data(try Repository.bytes(path))) as? Object ?? [:]
  }
}
