import HTTP

/// Scanning a word at a time. Positions are checked by Span: a mistake here stops, it never reads foreign memory.
enum Scan {
  /// The first byte at or after `start` that is a control (below 32, or 127), or `bytes.count`.
  static func firstControl(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    let end = bytes.count
    let raw = bytes.bytes
    while end &- index >= 8 {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits = controls(word)
      if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end, !isControl(bytes[index]) { index &+= 1 }
    return index
  }

  /// The high bit of every byte that is a control; bits above the lowest hit may be wrong, the lowest is right.
  private static func controls(_ word: UInt64) -> UInt64 {
    let below32 = (word &- 0x2020_2020_2020_2020) & ~word
    let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
    return (below32 | ((delete &- 0x0101_0101_0101_0101) & ~delete)) & 0x8080_8080_8080_8080
  }

  /// The end of the field name that starts at `start`: the first byte that no token may hold. Letters and hyphens,
  /// which is nearly all of them, are checked eight at a time.
  static func nameEnd(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    let raw = bytes.bytes
    while end &- index >= 8 {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let others = ~lettersAndHyphens(word) & 0x8080_8080_8080_8080
      if others == 0 {
        index &+= 8
        continue
      }
      index &+= others.trailingZeroBitCount / 8
      guard bytes[index].isTokenCharacter else { return index }
      index &+= 1
    }
    while index < end, bytes[index].isTokenCharacter { index &+= 1 }
    return index
  }

  /// The high bit of every byte that is a letter or a hyphen. No sum carries into the next byte, since bytes above
  /// ASCII are masked first and struck out at the end.
  private static func lettersAndHyphens(_ word: UInt64) -> UInt64 {
    let folded = (word & 0x7F7F_7F7F_7F7F_7F7F) | 0x2020_2020_2020_2020
    let letters = (folded &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(folded &+ 0x0505_0505_0505_0505)
    let hyphens = ~(((word & 0x7F7F_7F7F_7F7F_7F7F) ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
    return (letters | hyphens) & ~word & 0x8080_8080_8080_8080
  }

  /// Turns the capitals of `range` into small letters, eight at a time.
  static func lowercase(_ bytes: inout MutableSpan<UInt8>, _ range: Range<Int>) {
    var index = range.lowerBound
    while range.upperBound &- index >= 8 {
      var raw = bytes.mutableBytes
      let word = raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      let ascii = word & 0x7F7F_7F7F_7F7F_7F7F
      let capitals = (ascii &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(ascii &+ 0x2525_2525_2525_2525) & ~word
      raw.storeBytes(of: word | (capitals & 0x8080_8080_8080_8080) >> 2, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < range.upperBound {
      bytes[index] = bytes[index].lowercasedASCII
      index &+= 1
    }
  }

  static func isControl(_ byte: UInt8) -> Bool { byte < 32 || byte == 127 }

  /// Finds the end of the line that starts somewhere before `scanned`.
  enum Line {
    /// Not here yet; go on at `scanned` when more has come.
    case incomplete(scanned: Int)
    /// The line's text ends at `end`, the next line starts two bytes later.
    case complete(end: Int)
    case refused(Refusal)
  }

  /// Looks for CRLF from `scanned` on and refuses every other control but tab on the way.
  static func line(in bytes: Span<UInt8>, from scanned: Int) -> Line {
    var index = scanned
    while true {
      index = firstControl(in: bytes, from: index)
      guard index < bytes.count else { return .incomplete(scanned: index) }
      switch bytes[index] {
      case 9: index &+= 1
      case 13:
        guard index &+ 1 < bytes.count else { return .incomplete(scanned: index) }
        return bytes[index &+ 1] == 10 ? .complete(end: index) : .refused(.badLineEnd)
      case 10: return .refused(.badLineEnd)
      default: return .refused(.controlCharacter)
      }
    }
  }

  /// Equal without regard to case; `text` must be in lower case.
  static func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      for offset in 0..<text.count where bytes[range.lowerBound &+ offset].lowercasedASCII != text[offset] {
        return false
      }
      return true
    }
  }
}
