/// Crockford's base 32 in lower case: 63 bits as 13 characters that sort like the number.
package enum Crockford {
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// 13 characters; negative numbers are not ids and print as 0.
  package static func encode(_ value: Int64) -> String {
    let bits = UInt64(max(value, 0))
    let characters = (0..<13).map { digits[Int(truncatingIfNeeded: bits >> (UInt64(12 - $0) * 5)) & 31] }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The number of 13 characters (upper case is read too); nil for any other text and above 63 bits.
  package static func decode(_ text: some Collection<UInt8>) -> Int64? {
    guard text.count == 13 else { return nil }
    var bits: UInt64 = 0
    for byte in text {
      let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      guard bits >> 58 == 0, let digit = digits.firstIndex(of: lower) else { return nil }
      bits = bits << 5 | UInt64(digit)
    }
    return Int64(exactly: bits)
  }
}

/// Base 62 (0–9, A–Z, a–z), big-endian, padded with zeros to a width.
enum Base62 {
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  static func isDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }

  /// `width` characters; what does not fit is cut off at the front.
  static func text(_ bytes: [UInt8], width: Int) -> String {
    var rest = bytes
    var characters = [UInt8](repeating: digits[0], count: width)
    for place in characters.indices.reversed() {
      var remainder = 0
      for index in rest.indices {
        let part = remainder << 8 | Int(rest[index])
        rest[index] = UInt8(truncatingIfNeeded: part / 62)
        remainder = part % 62
      }
      characters[place] = digits[remainder]
    }
    return String(decoding: characters, as: UTF8.self)
  }

  static func text(_ value: UInt32, width: Int) -> String {
    text((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }, width: width)
  }
}

/// CRC-32 of zlib (polynomial 0xEDB88320).
enum CRC32 {
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
