import Activity
import Foundation
import Support
import Testing

/// One case of Tests/Fixtures/reference/merge_reference.py.
struct ReferenceCase {
  var samples: [Sample]
  var merge: Merge
  var expected: [CivilDay: (exact: Double, steps: Int)]

  private static let classes: [String: SourceClass] = [
    "merged": .merged, "manual": .manual, "watch": .watch, "phone": .phone, "other": .other,
  ]

  init(_ line: Substring) throws {
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as! [String: Any]
    var sources: [Source] = []
    var zones: [ZoneRules?] = []
    samples = (read["samples"] as! [[String: Any]]).map { record in
      let source = Source(
        key: record["source"] as! String, sourceClass: Self.classes[record["class"] as! String]!, device: "")
      if !sources.contains(source) { sources.append(source) }
      let zone = (record["zone"] as? String).map { name -> Int16 in
        if !zones.contains(where: { $0?.name == name }) { zones.append(Zones.table.zone(named: name)!) }
        return Int16(zones.firstIndex { $0?.name == name }!)
      }
      return Sample(
        start: Self.instant(record["start"]!), end: Self.instant(record["end"]!), count: Self.number(record["count"]!),
        recorded: Self.instant(record["recorded"]!),
        key: SampleKey(firstBytesOf: Array((record["id"] as! String).utf8)),
        source: Int32(sources.firstIndex(of: source)!), zone: zone)
    }
    let options = MergeOptions(
      priority: read["priority"] as! [String], includeManual: (read["includeManual"] as! NSNumber).boolValue)
    merge = Merge(sources: sources, zones: zones, history: Self.history(read["zones"]!), options: options)
    expected = [:]
    for (date, answer) in read["expected"] as! [String: [String: Any]] {
      expected[day(date)] = (Self.number(answer["exact"]!), (answer["steps"] as! NSNumber).intValue)
    }
  }

  private static func history(_ spec: Any) -> ZoneHistory {
    if let name = spec as? String { return Zones.history(name) }
    let entries = (spec as! [[Any]]).map { entry in
      let since = (entry[0] as? String).map { at($0.replacingOccurrences(of: "+00:00", with: "Z")) }
      return (since: since, zone: entry[1] as! String)
    }
    return ZoneHistory(entries, in: Zones.table)
  }

  /// `400` or `400/7`.
  private static func number(_ text: Any) -> Double {
    let parts = (text as! String).split(separator: "/").map { Double($0)! }
    return parts.count == 2 ? parts[0] / parts[1] : parts[0]
  }

  private static func instant(_ text: Any) -> Instant {
    Instant(milliseconds: Int64((number(text) * 1000).rounded()))
  }

  func check(_ place: Int) {
    let days = merge.days(samples)
    #expect(Set(days.keys) == Set(expected.keys), "case \(place)")
    for (date, answer) in expected {
      guard let total = days[date] else { continue }
      #expect(total.shown == answer.steps, "case \(place) \(date.iso)")
      #expect(abs(total.exact - answer.exact) < 1e-6, "case \(place) \(date.iso)")
    }
  }
}

@Suite("The merge and its reference in exact arithmetic agree")
struct ReferenceTests {
  @Test("on the committed cases")
  func committedCases() throws {
    let lines = try Repository.text("Tests/Fixtures/reference/cases.jsonl").split(separator: "\n")
    #expect(lines.count == 200)
    for (place, line) in lines.enumerated() { try ReferenceCase(line).check(place) }
  }

  @Test(
    "on 2,000 fresh cases (50,000 in a soak), where Python is installed",
    arguments: (1...Soak.times(2, 50)).map { $0 * 101 })
  func freshCases(seed: Int) throws {
    let script = Repository.root + "/Tests/Fixtures/reference/merge_reference.py"
    guard let output = python([script, "gen", "1000", String(seed)]) else { return }
    let lines = output.split(separator: "\n")
    #expect(lines.count == 1000)
    for (place, line) in lines.enumerated() { try ReferenceCase(line).check(place) }
  }
}
