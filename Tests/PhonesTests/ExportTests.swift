import Activity
import Intake
import Phones
import Testing

@Suite("What simulated phones export")
struct ExportTests {
  @Test("the same scenario, seed and moment give the same bytes, another moment others")
  func sameBytes() throws {
    let life = Scenario.ada.shorter(20).life()
    let zip = try #require(life.exportZip())
    #expect(try #require(Scenario.ada.shorter(20).life().exportZip()) == zip)
    #expect(try #require(Scenario.ada.shorter(20).life(at: now.advanced(hours: 1)).exportZip()) != zip)
    #expect(life.exportXML().elementsEqual(Scenario.ada.shorter(20).life().exportXML()))
  }

  @Test(
    "the reader of exports takes every record and finds the days that the phone meant",
    arguments: [
      Scenario.ada.shorter(110), .ben.shorter(45), .cleo.shorter(20), .dan.shorter(30),
    ])
  func readBack(scenario: Scenario) throws {
    let life = scenario.life()
    let zip = try #require(life.exportZip())
    #expect(zip.starts(with: [0x50, 0x4b, 3, 4]))
    var preview = Preview(account: PreviewAccount(zones: life.history), zoneTable: zones)
    try withFile(zip) { try preview.addAppleExport(name: "export.zip", path: $0, receivedAt: now) }
    #expect(preview.rejected.isEmpty && preview.fileErrors.isEmpty)
    #expect(preview.counts.summaries == life.summaries.count)
    #expect(preview.counts.samples == life.walks(heldAt: now).count)
    #expect(preview.counts.records > preview.counts.samples + preview.counts.summaries)
    #expect(preview.days().mapValues(\.exact) == life.totals.mapValues(\.exact))
    for summary in life.summaries {
      let read = try #require(preview.summaries()[summary.day])
      #expect(read.moveMode == summary.moveMode)
      #expect(Rings(read).move?.percent == Rings(summary).move?.percent)
      #expect(Rings(read).exercise == Rings(summary).exercise)
      #expect(Rings(read).allClosed == Rings(summary).allClosed)
    }
  }

  @Test("devices keep their class: watch, phone, another app, typed by hand")
  func classes() throws {
    let life = Scenario("devices", owner: "Sam", seed: 5, length: 4).with(.otherApp, on: -3...0)
      .with(.typed, on: .day(-1)).life()
    var preview = Preview(account: PreviewAccount(zones: life.history), zoneTable: zones)
    try withFile(life.exportXML()) { try preview.addAppleExport(name: "export.xml", path: $0, receivedAt: now) }
    #expect(Set(preview.allSources.map(\.sourceClass)) == [.watch, .phone, .other, .manual])
    #expect(preview.days()[today - 1]?.flags.contains(.manualPart) == true)
  }
}
