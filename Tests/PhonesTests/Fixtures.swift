import Activity
import Glibc
import Intake
import Phones
import Support

let zones = ZoneTable(
  files: Dictionary(
    uniqueKeysWithValues: ["Europe/Berlin", "Asia/Tokyo", "America/New_York"].compactMap { name in
      (try? Repository.bytes("Tests/Fixtures/zoneinfo/\(name)")).map { (name, $0) }
    }))

/// Thursday, 26 November 2026, 16:42 in Berlin.
let now = Instant(seconds: 1_795_707_720)
let today = CivilDay(iso: "2026-11-26")!

extension Scenario {
  func life(at moment: Instant = now) -> Life { play(until: moment, in: zones) }

  func shorter(_ days: Int) -> Scenario {
    var shorter = self
    shorter.length = days
    return shorter
  }
}

extension Life {
  /// What the phone's samples merge to, without any file in between.
  var totals: [CivilDay: DayTotal] {
    let classes: [Device: SourceClass] = [.watch: .watch, .phone: .phone, .app: .other, .hand: .manual]
    let sources = Device.allCases.map {
      Source(
        key: $0 == .hand ? "manual" : "apple:" + $0.sourceName(of: scenario.owner), sourceClass: classes[$0]!,
        device: "")
    }
    let samples = walks(heldAt: now).map {
      Sample(
        start: $0.start, end: $0.end, count: Double($0.count), recorded: $0.recorded, key: $0.id,
        source: Int32($0.device.rawValue))
    }
    return Merge(sources: sources, history: history).days(samples)
  }

  /// Facts of all days, as the product would keep them.
  var facts: DayFacts {
    let totals = totals
    let rings = Dictionary(uniqueKeysWithValues: summaries.map { ($0.day, Rings($0)) })
    let first = today - (scenario.length - 1)
    return DayFacts(
      first: first,
      facts: (first...today).map { day in
        DayFact(
          shown: totals[day]?.shown, stepsGoal: 10_000, rings: rings[day],
          paused: pauses.contains { $0.contains(day) })
      })
  }

  func streak(_ kind: StreakKind) -> Streak { facts.streak(kind, today: today) { _ in false } }
}

/// A file that is gone after the test.
func withFile<T>(_ bytes: [UInt8], _ body: (String) throws -> T) throws -> T {
  var template = Array("/tmp/stepwell-phones-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { unlink(path) }
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
    guard count > 0 else { throw Repository.Unwritable() }
    written += count
  }
  close(descriptor)
  return try body(path)
}

extension Repository { struct Unwritable: Error {} }
