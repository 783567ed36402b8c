/// Telling keys apart: the names that a reader of some format knows are short, and there are many thousand of them in a text.
extension JSONReader {
  /// True if the last key or string is exactly `name`, which holds no character that JSON must escape.
  @inlinable @inline(__always)
  package func isText(_ name: StaticString) -> Bool {
    // The compiler makes a number of a short name: one comparison, and no call.
    if name.utf8CodeUnitCount <= 8 { return word == Self.word(of: name) || isEscaped && holds(name) }
    return word == .max && holds(name)
  }

  @inlinable @inline(__always)
  static func word(of name: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<name.utf8CodeUnitCount {
      word |= UInt64(name.utf8Start[place]) &<< UInt64(truncatingIfNeeded: 8 &* place)
    }
    return word
  }

  @usableFromInline
  func holds(_ name: StaticString) -> Bool {
    guard !isEscaped else { return string() == "\(name)" }
    guard text.count == name.utf8CodeUnitCount else { return false }
    return bytes.withUnsafeBufferPointer { all in
      // From the end: keys of one length more often begin alike.
      var place = name.utf8CodeUnitCount
      while place > 0 {
        place &-= 1
        guard all[text.lowerBound &+ place] == name.utf8Start[place] else { return false }
      }
      return true
    }
  }

  /// What `word` is for the unescaped text from `from` to `end`.
  @inline(__always)
  func shortWord(_ from: Int, _ end: Int) -> UInt64 {
    guard end &- from <= 8, end > from else { return end == from ? 0 : .max }
    return bytes.withUnsafeBytes { all in
      // The eight bytes that end with the text, as far as there are so many: the rest is shifted out.
      if end >= 8 {
        let last = UInt64(littleEndian: all.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self))
        return last &>> UInt64(truncatingIfNeeded: 8 &* (8 &- (end &- from)))
      }
      var word: UInt64 = 0
      for place in (from..<end).reversed() { word = word << 8 | UInt64(all[place]) }
      return word
    }
  }
}
