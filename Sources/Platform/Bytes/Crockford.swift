/// How ids look outside: 63 bits as 13 lower-case characters of Crockford's base 32 (no i, l, o, u).
package enum Crockford {
  /// How many characters an id has.
  package static let length = 13

  @usableFromInline static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

  /// The 13 characters of `number`; the sign bit is dropped.
  package static func encode(_ number: Int64) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(length)
    text.append(crockford: number)
    return text.text
  }

  /// The number whose 13 characters these are, or nil. Only the spelling that `encode` writes is read, so that a
  /// thing has one address.
  package static func decode(_ text: ArraySlice<UInt8>) -> Int64? {
    guard text.count == length else { return nil }
    var number: UInt64 = 0
    for (place, character) in text.enumerated() {
      guard let digit = digit(character), place > 0 || digit < 8 else { return nil }
      number = number << 5 | UInt64(digit)
    }
    return Int64(exactly: number)
  }

  /// The number whose 13 characters these are, or nil.
  package static func decode(_ text: String) -> Int64? { decode(Array(text.utf8)[...]) }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "h"): character &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "j")...UInt8(ascii: "k"): character &- UInt8(ascii: "j") &+ 18
    case UInt8(ascii: "m")...UInt8(ascii: "n"): character &- UInt8(ascii: "m") &+ 20
    case UInt8(ascii: "p")...UInt8(ascii: "t"): character &- UInt8(ascii: "p") &+ 22
    case UInt8(ascii: "v")...UInt8(ascii: "z"): character &- UInt8(ascii: "v") &+ 27
    default: nil
    }
  }
}

extension [UInt8] {
  /// Appends the 13 characters of an id.
  package mutating func append(crockford number: Int64) {
    let bits = UInt64(bitPattern: number) & (1 << 63 &- 1)
    var shift = 60 as UInt64
    while true {
      append(Crockford.alphabet.utf8Start[Int(bits >> shift & 31)])
      if shift == 0 { return }
      shift &-= 5
    }
  }
}
