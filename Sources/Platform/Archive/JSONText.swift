/// Strings of JSON: where they end, what their escapes mean.
enum JSONEscapes {
  enum End {
    /// The closing quote's place; whether a backslash, whether only ASCII came before it.
    case closed(at: Int, escaped: Bool, plain: Bool)
    case open
    case bad(at: Int)
  }

  /// Looks at eight bytes at a time for a quote, a backslash, a control character or a byte beyond ASCII.
  static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> End {
    var at = start
    var escaped = false
    var plain = true
    while true {
      while at &+ 8 <= bytes.count {
        let word = UnsafeRawPointer(bytes.baseAddress! + at).loadUnaligned(as: UInt64.self)
        let special = specials(in: word)
        // The lowest mark is a special byte; higher ones may be a borrow's.
        at &+= special.trailingZeroBitCount &>> 3
        guard special == 0 else { break }
      }
      guard at < bytes.count else { return .open }
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\""): return .closed(at: at, escaped: escaped, plain: plain)
      case 0..<0x20: return .bad(at: at)
      case UInt8(ascii: "\\"):
        escaped = true
        switch escapeLength(bytes, at) {
        case .some(0): return .bad(at: at)
        case .some(let length): at &+= length
        case nil: return .open
        }
      default:
        if byte >= 0x80 { plain = false }
        at &+= 1
      }
    }
  }

  static func unescaped(_ bytes: Span<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var at = 0
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count else {
        out.append(bytes[at])
        at += 1
        continue
      }
      if bytes[at + 1] == UInt8(ascii: "u") {
        at = appendUnicode(bytes, at, to: &out)
      } else {
        out.append(simple(bytes[at + 1]))
        at += 2
      }
    }
    return out
  }

  static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

  // MARK: private

  /// High bit trick: marks the first byte (in the order of memory) that is < 0x20, = 0x22, = 0x5C or ≥ 0x80, and 0 if none is.
  @inline(__always)
  private static func specials(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let word = UInt64(littleEndian: word)
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5C)
    let controls = (word &- ones &* 0x20) & ~word
    return (((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | controls | word) & highs
  }

  /// Length of the escape at `at`; 0 = not an escape of JSON, nil = cut off.
  private static func escapeLength(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    guard at + 1 < bytes.count else { return nil }
    switch bytes[at + 1] {
    case UInt8(ascii: "u"):
      for place in 2..<6 {
        guard at + place < bytes.count else { return nil }
        guard hex(bytes[at + place]) != nil else { return 0 }
      }
      return 6
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    default: return 0
    }
  }

  private static func simple(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
  }

  private static func hex(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) &- 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) &- 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) &- 55
    default: nil
    }
  }

  private static func unit(_ bytes: Span<UInt8>, _ at: Int) -> UInt32? {
    guard at + 6 <= bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") else { return nil }
    var value: UInt32 = 0
    for place in 2..<6 {
      guard let digit = hex(bytes[at + place]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  /// Appends the character of `\uXXXX` (or of a pair of surrogates) and answers where the text goes on.
  private static func appendUnicode(_ bytes: Span<UInt8>, _ at: Int, to out: inout [UInt8]) -> Int {
    guard let first = unit(bytes, at) else { return at + 2 }
    var scalar = Unicode.Scalar(first)
    var next = at + 6
    if scalar == nil, first < 0xDC00, let second = unit(bytes, next), (0xDC00..<0xE000).contains(second) {
      scalar = Unicode.Scalar(0x10000 + (first &- 0xD800) << 10 + (second &- 0xDC00))
      next += 6
    }
    out.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
    return next
  }
}

/// The grammar of a JSON number, a byte at a time.
struct JSONNumberScan {
  private enum State { case start, minus, zero, whole, point, fraction, exponent, sign, power }
  private var state = State.start

  var isComplete: Bool {
    switch state {
    case .zero, .whole, .fraction, .power: true
    default: false
    }
  }

  /// False: the byte does not belong to the number.
  mutating func take(_ byte: UInt8) -> Bool {
    let isDigit = byte &- 48 < 10
    switch state {
    case .start where byte == UInt8(ascii: "-"): state = .minus
    case .start where byte == 48, .minus where byte == 48: state = .zero
    case .start where isDigit, .minus where isDigit, .whole where isDigit: state = .whole
    case .zero where byte == UInt8(ascii: "."), .whole where byte == UInt8(ascii: "."): state = .point
    case .point where isDigit, .fraction where isDigit: state = .fraction
    case .zero where byte | 0x20 == UInt8(ascii: "e"), .whole where byte | 0x20 == UInt8(ascii: "e"),
      .fraction where byte | 0x20 == UInt8(ascii: "e"):
      state = .exponent
    case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"): state = .sign
    case .exponent where isDigit, .sign where isDigit, .power where isDigit: state = .power
    default: return false
    }
    return true
  }
}
