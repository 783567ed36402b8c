import Activity
import Foundation
import Intake
import Support
import Testing

/// The zone data of the repository.
let zoneTable: ZoneTable = {
  let folder = "Tests/Fixtures/zoneinfo"
  var files: [String: [UInt8]] = [:]
  for path in (try? Repository.files(under: folder)) ?? [] {
    files[String(path.dropFirst(folder.count + 1))] = try? Repository.bytes(path)
  }
  return ZoneTable(files: files)
}()

private func folders(_ name: String) -> [String] {
  let entries = (try? Repository.entries("Tests/Fixtures/\(name)")) ?? []
  return entries.filter(\.isFolder).map { "Tests/Fixtures/\(name)/\($0.name)" }
}

private typealias Object = [String: Any]

private func json(_ bytes: [UInt8]) throws -> Object {
  try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
}

/// `a/b`, a decimal or a JSON number.
private func number(_ value: Any?) -> Double? {
  if let number = value as? NSNumber { return number.doubleValue }
  let parts = (value as? String)?.split(separator: "/").compactMap { Double($0) } ?? []
  return parts.count == 2 ? parts[0] / parts[1] : parts.first
}

private func lines(_ value: Any?, _ fields: [String]) -> [String] {
  (value as? [Object] ?? []).map { line in fields.map { "\(line[$0] ?? "")" }.joined(separator: " ") }.sorted()
}

@Suite("Cases")
struct CaseTests {
  @Test("every case gives its answer", arguments: ["cases", "cases-own", "cases-uploads"].flatMap(folders))
  func everyCase(folder: String) throws {
    let expected = try json(try Repository.bytes(folder + "/expected.json"))
    let got = try json(try CaseFolder.answer(Repository.root + "/" + folder, zoneTable: zoneTable))
    compareDays(expected["days"] as? Object ?? [:], got["days"] as? Object ?? [:])
    let refusal = ["file", "record", "reason"]
    #expect(lines(expected["rejected"], refusal) == lines(got["rejected"], refusal))
    #expect(lines(expected["fileErrors"], ["file", "error"]) == lines(got["fileErrors"], ["file", "error"]))
    compareRings(expected["rings"] as? Object ?? [:], got["rings"] as? Object ?? [:])
    for key in ["weeks", "streak"] where expected[key] != nil {
      #expect(expected[key] as? NSDictionary == got[key] as? NSDictionary)
    }
  }

  private func compareDays(_ expected: Object, _ got: Object) {
    #expect(Set(expected.keys) == Set(got.keys))
    for (day, value) in expected {
      let (want, have) = (value as? Object ?? [:], got[day] as? Object ?? [:])
      #expect(number(want["steps"]) == number(have["steps"]), "\(day)")
      let difference = (number(want["exact"]) ?? 0) - (number(have["exact"]) ?? -1)
      #expect(abs(difference) <= 1e-6, "\(day)")
    }
  }

  private func compareRings(_ expected: Object, _ got: Object) {
    #expect(Set(expected.keys) == Set(got.keys))
    for (day, value) in expected {
      let (want, have) = (value as? Object ?? [:], got[day] as? Object ?? [:])
      #expect(want["moveMode"] as? String == have["moveMode"] as? String)
      #expect(want["paused"] as? Bool == have["paused"] as? Bool)
      for ring in ["move", "exercise", "stand"] {
        compareRing(want[ring] as? Object, have[ring] as? Object, day + ring)
      }
    }
  }

  private func compareRing(_ want: Object?, _ have: Object?, _ name: String) {
    #expect((want == nil) == (have == nil), "\(name)")
    guard let want, let have else { return }
    for key in ["value", "goal"] {
      let (one, other) = (number(want[key]), number(have[key]))
      #expect((one == nil) == (other == nil), "\(name) \(key)")
      #expect(abs((one ?? 0) - (other ?? 0)) <= 1e-3, "\(name) \(key)")
    }
    for key in ["percent", "closed"] {
      #expect(want[key] as? NSObject == have[key] as? NSObject, "\(name) \(key)")
    }
  }

  @Test("formats that previews do not read are named, and a broken configuration is explained")
  func otherFormats() throws {
    let config =
      #"{"account":{"zones":"UTC"},"files":[{"path":"a","format":"fitbit","receivedAt":"2025-01-01T00:00:00Z"}]}"#
    let read = try CaseConfig(Array(config.utf8), zoneTable: zoneTable)
    #expect(read.files.map(\.format) == ["fitbit"] && !CaseFolder.formats.contains("fitbit"))
    let broken = [
      "{", "{\"account\":{\"zones\":\"Mars/Olympus\"}}", "{\"files\":[{}]}", "{\"want\":{\"streakOn\":\"today\"}}",
      "{\"files\":[{\"path\":\"a\",\"format\":\"hk\",\"receivedAt\":\"now\"}]}",
    ]
    for text in broken {
      #expect(throws: CaseConfig.Fault.self) { try CaseConfig(Array(text.utf8), zoneTable: zoneTable) }
    }
  }
}
