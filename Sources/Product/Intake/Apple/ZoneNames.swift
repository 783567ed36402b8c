/// Names of the zones in which samples were walked, in the order in which they were met. Whether a zone exists is judged by
/// whoever has the zone table; an unknown one counts as none there.
struct ZoneNames {
  private static let most = 1000

  private(set) var names: [String] = []
  private var indexes: [String: Int16] = [:]

  /// Nil for what cannot be the name of a zone.
  mutating func index(of name: String) -> Int16? {
    if let known = indexes[name] { return known }
    let usual = name.utf8.allSatisfy { byte in
      byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || "/_+-:".utf8.contains(byte)
    }
    guard !name.isEmpty, usual, names.count < ZoneNames.most else { return nil }
    let index = Int16(truncatingIfNeeded: names.count)
    names.append(name)
    indexes[name] = index
    return index
  }
}
