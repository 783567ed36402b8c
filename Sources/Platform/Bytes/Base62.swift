/// Digits, capitals, small letters: the alphabet of token secrets, which no mail program or shell breaks apart.
@usableFromInline
package enum Base62 {
  /// `bytes` read as one big-endian number, in exactly as many characters as the largest such number needs
  /// (32 bytes → 43, 4 bytes → 6).
  package static func encode(_ bytes: [UInt8]) -> String {
    var number = bytes
    var characters: [UInt8] = []
    for _ in 0..<length(of: bytes.count) {
      var rest = 0 as UInt32
      for place in number.indices {
        let value = rest << 8 | UInt32(number[place])
        number[place] = UInt8(truncatingIfNeeded: value / 62)
        rest = value % 62
      }
      characters.append(character(UInt8(truncatingIfNeeded: rest)))
    }
    return String(decoding: characters.reversed(), as: UTF8.self)
  }

  /// The `count` bytes that `encode` wrote as `text`, or nil if the length, a character or the size is wrong.
  @inlinable package static func decode(_ text: some Collection<UInt8>, count: Int) -> [UInt8]? {
    guard count >= 0, text.count == length(of: count) else { return nil }
    var number = [UInt8](repeating: 0, count: count)
    for character in text {
      guard var carry = value(character).map(UInt32.init) else { return nil }
      for place in number.indices.reversed() {
        carry &+= UInt32(number[place]) &* 62
        number[place] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      guard carry == 0 else { return nil }
    }
    return number
  }

  /// How many characters `count` bytes need: ceil(8 · count / log2 62).
  @inlinable package static func length(of count: Int) -> Int {
    Int((Double(count) * 8 / 5.954196310386875).rounded(.up))
  }

  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<10: value &+ UInt8(ascii: "0")
    case 10..<36: value &- 10 &+ UInt8(ascii: "A")
    default: value &- 36 &+ UInt8(ascii: "a")
    }
  }

  @usableFromInline static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character &- UInt8(ascii: "A") &+ 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character &- UInt8(ascii: "a") &+ 36
    default: nil
    }
  }
}
