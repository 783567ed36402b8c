// HTTP: the values that a request and its answer are made of: method, target, fields, body, cookies, forms, dates.
// Everything here is data and pure parsing. The room knows no socket, no clock, no loop and no version of the
// protocol; how these values look on the wire is written in HTTPWire, when they travel in HTTPServer.
// Bytes come from outside: nothing may trap on them, and every parser has a limit.

/// Bytes of ASCII that parsers compare with.
enum ASCII {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let percent = UInt8(ascii: "%")
  static let ampersand = UInt8(ascii: "&")
  static let apostrophe = UInt8(ascii: "'")
  static let plus = UInt8(ascii: "+")
  static let comma = UInt8(ascii: ",")
  static let hyphen = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let equals = UInt8(ascii: "=")
  static let question = UInt8(ascii: "?")
  static let hash = UInt8(ascii: "#")
  static let asterisk = UInt8(ascii: "*")
  static let backslash = UInt8(ascii: "\\")
  static let delete: UInt8 = 0x7F
}

extension UInt8 {
  /// `A`–`Z` as `a`–`z`, every other byte as it is.
  @inlinable package var lowercasedASCII: UInt8 { self &- 65 < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit of either case.
  @inlinable package var hexDigitValue: UInt8? {
    switch self {
    case 48...57: self &- 48
    case 65...70: self &- 55
    case 97...102: self &- 87
    default: nil
    }
  }

  /// RFC 9110 `tchar`: what field names, methods and parameters are made of. One bit per ASCII character.
  @inlinable package var isTokenCharacter: Bool {
    let bits: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : self < 128 ? 0x57FF_FFFF_C7FF_FFFE : 0
    return bits &>> UInt64(self & 63) & 1 == 1
  }

  @inlinable var isBlank: Bool { self == 32 || self == 9 }
  @inlinable var isControl: Bool { self < 32 || self == 127 }
}
