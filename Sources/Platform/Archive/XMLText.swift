/// Attribute values of XML: references and blanks (XML 1.0, 3.3.3 and 4.1).
enum XMLText {
  /// True if the bytes hold a reference or a control character.
  static func needsDecoding(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.contains { $0 == 0x26 || $0 < 0x20 }
  }

  /// Tabs and line ends become blanks, a NUL becomes U+FFFD, the five named references and numeric ones are decoded;
  /// what only looks like a reference stays as it is.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x26, let (scalar, next) = reference(bytes, at: place) {
        text.append(contentsOf: Array(String(Character(scalar)).utf8))
        place = next
        continue
      }
      switch byte {
      case 0x00: text.append(contentsOf: [0xEF, 0xBF, 0xBD])
      case 0x0D where place + 1 < bytes.count && bytes[place + 1] == 0x0A: break
      case 0x09, 0x0A, 0x0D: text.append(0x20)
      default: text.append(byte)
      }
      place += 1
    }
  }

  private static func reference(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (scalar: Unicode.Scalar, next: Int)? {
    let limit = min(bytes.count, place + 14)
    guard let end = (place + 1..<max(limit, place + 1)).first(where: { bytes[$0] == 0x3B }), end > place + 1 else {
      return nil
    }
    let name = UnsafeBufferPointer(rebasing: bytes[place + 1..<end])
    if name[0] == UInt8(ascii: "#") { return number(name).map { ($0, end + 1) } }
    let named: Unicode.Scalar
    switch String(decoding: name, as: UTF8.self) {
    case "amp": named = "&"
    case "lt": named = "<"
    case "gt": named = ">"
    case "quot": named = "\""
    case "apos": named = "'"
    default: return nil
    }
    return (named, end + 1)
  }

  /// `#123` or `#x7B`; what is no character becomes U+FFFD.
  private static func number(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    let hexadecimal = name.count > 1 && name[1] | 0x20 == UInt8(ascii: "x")
    let digits = name.dropFirst(hexadecimal ? 2 : 1)
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for digit in digits {
      guard let part = Character(Unicode.Scalar(digit)).hexDigitValue, hexadecimal || part < 10 else { return nil }
      value = min(value &* (hexadecimal ? 16 : 10) &+ UInt32(part), 0x110000)
    }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
