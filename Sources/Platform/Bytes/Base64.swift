/// RFC 4648 base 64. Reading is strict: one spelling per value, no blanks, no stray bits.
package enum Base64: Sendable {
  /// `+` and `/`, padded with `=`.
  case standard
  /// `-` and `_`, never padded.
  case url

  /// The text of `bytes`.
  package func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count &+ 2) / 3 &* 4)
    var place = 0
    while place &+ 2 < bytes.count {
      let group = UInt32(bytes[place]) << 16 | UInt32(bytes[place &+ 1]) << 8 | UInt32(bytes[place &+ 2])
      for shift in [18, 12, 6, 0] as [UInt32] { text.append(character(group >> shift)) }
      place &+= 3
    }
    appendRest(of: bytes, from: place, to: &text)
    return text.text
  }

  /// The bytes that `text` stands for, or nil if it is not exactly what `encode` writes for them.
  package func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var digits = text.count
    if self == .standard {
      guard digits % 4 == 0 else { return nil }
      digits &-= text.suffix(2).count { $0 == UInt8(ascii: "=") }
    }
    guard digits % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits &* 3 / 4)
    var (held, bits) = (0 as UInt32, 0 as UInt32)
    for character in text.prefix(digits) {
      guard let value = value(character) else { return nil }
      held = held << 6 | UInt32(value)
      bits &+= 6
      if bits >= 8 {
        bits &-= 8
        bytes.append(UInt8(truncatingIfNeeded: held >> bits))
        held &= (1 << bits) &- 1
      }
    }
    return held == 0 ? bytes : nil
  }

  /// The bytes that `text` stands for, or nil.
  package func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  private func appendRest(of bytes: [UInt8], from place: Int, to text: inout [UInt8]) {
    let left = bytes.count &- place
    guard left > 0 else { return }
    let group = UInt32(bytes[place]) << 16 | (left == 2 ? UInt32(bytes[place &+ 1]) << 8 : 0)
    text.append(character(group >> 18))
    text.append(character(group >> 12))
    if left == 2 { text.append(character(group >> 6)) }
    if self == .standard { for _ in left..<3 { text.append(UInt8(ascii: "=")) } }
  }

  private func character(_ group: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: group & 63)
    switch value {
    case 0..<26: return value &+ UInt8(ascii: "A")
    case 26..<52: return value &- 26 &+ UInt8(ascii: "a")
    case 52..<62: return value &- 52 &+ UInt8(ascii: "0")
    case 62: return self == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-")
    default: return self == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_")
    }
  }

  private func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character &- UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character &- UInt8(ascii: "a") &+ 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0") &+ 52
    case self == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-"): 62
    case self == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
