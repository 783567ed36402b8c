/// Percent-coding (RFC 3986, and the form's own rule that "+" is a blank).
package enum Percent {
  /// Decoded bytes, or nil on a bad escape (`%`, `%4`, `%zz`).
  package static func decode(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == ASCII.percent {
        guard bytes.endIndex - index > 2, let high = bytes[index + 1].hexDigitValue,
          let low = bytes[index + 2].hexDigitValue
        else { return nil }
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(byte == ASCII.plus && plusIsBlank ? ASCII.space : byte)
        index += 1
      }
    }
    return output
  }

  /// Decoded text; nil on a bad escape, on bytes that are not UTF-8 and on NUL.
  package static func text(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) -> String? {
    guard bytes.contains(where: { $0 == ASCII.percent || $0 == ASCII.plus || $0 >= 0x80 || $0 == 0 }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    guard let decoded = decode(bytes, plusIsBlank: plusIsBlank), !decoded.contains(0) else { return nil }
    return String(validating: decoded, as: UTF8.self)
  }

  /// Appends `text` so that it can stand as one segment of a path or one name or value of a query: everything but
  /// letters, digits and `-._~` is escaped.
  package static func append(_ text: String, to output: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, ASCII.hyphen, ASCII.dot, 95, 126: output.append(byte)
      default:
        output.append(ASCII.percent)
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      }
    }
  }

  /// `append(_:to:)` as a value.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
