/// Two hexadecimal digits per byte, written in lower case, read in either.
@usableFromInline
package enum Hex {
  /// The digits of `bytes`.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count &* 2)
    digits.append(hex: bytes)
    return digits.text
  }

  /// The bytes that `digits` print, or nil if the length is odd or a character is not a digit.
  package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for character in digits {
      guard let digit = digit(character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  /// The bytes that `digits` print, or nil.
  package static func decode(_ digits: String) -> [UInt8]? { decode(digits.utf8) }

  /// The value of one digit of either case, or nil.
  @inlinable
  package static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }

  /// The lower-case character of the low four bits.
  @inlinable
  package static func character(_ nibble: UInt8) -> UInt8 {
    let low = nibble & 15
    return low < 10 ? low &+ UInt8(ascii: "0") : low &- 10 &+ UInt8(ascii: "a")
  }
}

extension [UInt8] {
  /// Appends two lower-case digits per byte.
  @inlinable
  package mutating func append(hex bytes: some Collection<UInt8>) {
    for byte in bytes {
      append(Hex.character(byte >> 4))
      append(Hex.character(byte))
    }
  }

  /// Appends the lower-case digits of `number` without leading zeros, as chunk sizes are written.
  @inlinable
  package mutating func append(hex number: UInt64) {
    var shift = 60 as UInt64
    while shift > 0, number >> shift == 0 { shift &-= 4 }
    while true {
      append(Hex.character(UInt8(truncatingIfNeeded: number >> shift)))
      if shift == 0 { return }
      shift &-= 4
    }
  }
}
