/// Every time zone that the machine knows, loaded once and passed down. Names of offsets (`+09:00`) are always known.
package struct ZoneTable: Sendable {
  private let rules: [String: ZoneRules]
  /// Other bytes for other rules: a sum over the files, by name (FNV-1a, 64 bits), for noticing that they changed.
  package let fingerprint: [UInt8]
  /// Names to offer in a list, sorted; one or more for each country.
  package let offered: [String]

  /// `files`: name → bytes of its TZif file; a file that cannot be read is left out. UTC is always there.
  package init(files: [String: [UInt8]], offered: [String] = []) {
    var rules = ["UTC": ZoneRules.utc]
    for (name, bytes) in files {
      if let zone = ZoneRules(name: name, tzif: bytes) { rules[name] = zone }
    }
    self.rules = rules
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      for byte in name.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    fingerprint = (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    let chosen = offered.isEmpty ? Array(rules.keys) : offered.filter { rules[$0] != nil } + ["UTC"]
    self.offered = Set(chosen).sorted()
  }

  /// Reads a folder like /usr/share/zoneinfo: the names from `tzdata.zi`, `zone.tab` and `zone1970.tab`, whichever are
  /// there. `read` gives the bytes of a file by its path inside the folder.
  package init(read: (String) -> [UInt8]?) {
    let offered = ["zone.tab", "zone1970.tab"].flatMap { ZoneTable.names(inTable: read($0) ?? []) }
    let names = Set(offered + ZoneTable.names(inSource: read("tzdata.zi") ?? []))
    var files: [String: [UInt8]] = [:]
    for name in names where ZoneTable.isPlausible(name) { files[name] = read(name) }
    self.init(files: files, offered: offered)
  }

  /// Nil for a name that nobody knows (`bad_zone`).
  package func zone(named name: String) -> ZoneRules? { rules[name] ?? ZoneRules(offset: name) }

  package var names: [String] { rules.keys.sorted() }

  /// Keeps a name from leading out of the folder.
  package static func isPlausible(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= 64
      && parts.allSatisfy { part in
        guard let first = part.first, first != UInt8(ascii: ".") else { return false }
        return part.allSatisfy { $0 | 32 >= 97 && $0 | 32 <= 122 || $0 >= 48 && $0 <= 57 || "+-_".utf8.contains($0) }
      }
  }

  /// Third column of a table of zones by country.
  private static func names(inTable bytes: [UInt8]) -> [String] {
    bytes.split(separator: 10).compactMap { line in
      guard line.first != UInt8(ascii: "#") else { return nil }
      let columns = line.split(separator: 9)
      return columns.count > 2 ? String(decoding: columns[2], as: UTF8.self) : nil
    }
  }

  /// `Z name …` and `L target name` of the compact source.
  private static func names(inSource bytes: [UInt8]) -> [String] {
    bytes.split(separator: 10).compactMap { line in
      let words = line.split(separator: 32)
      guard words.count > 2, words[0].count == 1 else { return nil }
      switch words[0].first {
      case UInt8(ascii: "Z"): return String(decoding: words[1], as: UTF8.self)
      case UInt8(ascii: "L"): return String(decoding: words[2], as: UTF8.self)
      default: return nil
      }
    }
  }
}
