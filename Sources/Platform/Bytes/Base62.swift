/// Digits, capitals, small letters: the alphabet of token secrets, which no mail program or shell breaks apart.
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
  package static func decode(_ text: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    guard count >= 0, text.count == length(of: count) else { return nil }
    var limbs = [UInt32](repeating: 0, count: (count + 3) / 4)
    // Five digits at a time: 62⁵ still fits a limb.
    var (digits, scale) = (0 as UInt64, 1 as UInt64)
    for character in text {
      guard let digit = value(character) else { return nil }
      (digits, scale) = (digits &* 62 &+ UInt64(digit), scale &* 62)
      if scale == 916_132_832 {
        guard multiply(&limbs, by: scale, adding: digits) else { return nil }
        (digits, scale) = (0, 1)
      }
    }
    guard multiply(&limbs, by: scale, adding: digits) else { return nil }
    let bytes = limbs.reversed().flatMap { limb in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: limb >> $0) } }
    let lead = bytes.count - count
    return bytes[..<lead].allSatisfy { $0 == 0 } ? Array(bytes[lead...]) : nil
  }

  /// `limbs`: least first. False when the product does not fit.
  private static func multiply(_ limbs: inout [UInt32], by scale: UInt64, adding digits: UInt64) -> Bool {
    var carry = digits
    for place in limbs.indices {
      carry &+= UInt64(limbs[place]) &* scale
      limbs[place] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    return carry == 0
  }

  /// How many characters `count` bytes need: ceil(8 · count / log2 62).
  package static func length(of count: Int) -> Int {
    Int((Double(count) * 8 / 5.954196310386875).rounded(.up))
  }

  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<10: value &+ UInt8(ascii: "0")
    case 10..<36: value &- 10 &+ UInt8(ascii: "A")
    default: value &- 36 &+ UInt8(ascii: "a")
    }
  }

  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character &- UInt8(ascii: "A") &+ 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character &- UInt8(ascii: "a") &+ 36
    default: nil
    }
  }
}
