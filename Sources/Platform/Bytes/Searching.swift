import Glibc

extension [UInt8] {
  /// Where `pattern` stands first at or behind `start`; nil when it does not, or is empty. As fast as memory where the
  /// first byte of the pattern is rare.
  package func firstRange(of pattern: [UInt8], from start: Int = 0) -> Range<Int>? {
    guard let first = pattern.first, start >= 0 else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var place = start
      while place <= count - pattern.count {
        let left = count - pattern.count - place + 1
        guard let found = memchr(base + place, Int32(first), left) else { return nil }
        place = UnsafeRawPointer(found) - base
        if memcmp(base + place, pattern, pattern.count) == 0 { return place..<place + pattern.count }
        place += 1
      }
      return nil
    }
  }
}
