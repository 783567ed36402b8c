import Activity
import Foundation
import Support

/// Zone data of the repository, so that days do not depend on the machine.
enum Zones {
  static let table = ZoneTable { try? Repository.bytes("Tests/Fixtures/zoneinfo/\($0)") }.adding(names)
  static let names = [
    "UTC", "America/New_York", "Europe/Berlin", "Asia/Tokyo", "Africa/Cairo", "Pacific/Chatham", "America/St_Johns",
    "Australia/Lord_Howe", "Pacific/Apia", "Europe/Dublin", "Europe/London", "Africa/Casablanca", "America/Sao_Paulo",
    "America/Asuncion", "Asia/Kolkata", "Pacific/Kwajalein", "Europe/Lisbon", "America/Havana", "Antarctica/Troll",
    "Asia/Gaza", "America/Godthab", "Asia/Kathmandu",
  ]

  static func history(_ name: String) -> ZoneHistory { ZoneHistory([(since: nil, zone: name)], in: table) }
}

extension ZoneTable {
  /// The fixture has no lists of names: they are given.
  fileprivate func adding(_ names: [String]) -> ZoneTable {
    var files: [String: [UInt8]] = [:]
    for name in names { files[name] = try? Repository.bytes("Tests/Fixtures/zoneinfo/\(name)") }
    return ZoneTable(files: files)
  }
}

/// Runs `python3` with the repository's zone data; nil where there is no Python.
func python(_ arguments: [String], zoneinfo: String = Repository.root + "/Tests/Fixtures/zoneinfo") -> String? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3"] + arguments
  process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONTZPATH": zoneinfo]) { $1 }
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  let bytes = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

/// SplitMix64: the same numbers on every machine.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension Collection {
  func pick(_ random: inout Seeded) -> Element {
    self[index(startIndex, offsetBy: Int.random(in: 0..<count, using: &random))]
  }
}

func day(_ text: String) -> CivilDay { CivilDay(iso: text)! }

/// `2025-06-10T08:00:00Z`.
func at(_ text: String) -> Instant {
  let clock = text.dropFirst(11).dropLast().split(separator: ":").map { Int64($0)! }
  return Instant(
    seconds: Int64(day(String(text.prefix(10))).number) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
}
