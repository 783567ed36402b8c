@_spi(_Unicode) import Swift

/// Names of sources as keys: the same name in another normal form or with another kind of blank is the same source (merge.md 2.2).
enum SourceName {
  /// Names longer than this are not names.
  static let longest = 1024

  /// In normal form C, with U+00A0 and U+202F as plain blanks, without blanks around it.
  static func normal(_ text: Span<UInt8>) -> String {
    let raw = String(text)
    guard raw.utf8.contains(where: { $0 >= 0x80 }) else { return trimmed(raw) }
    var scalars = String.UnicodeScalarView()
    for scalar in raw._nfc {
      scalars.append(scalar == "\u{A0}" || scalar == "\u{202F}" ? " " : scalar)
    }
    return trimmed(String(scalars))
  }

  private static func trimmed(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
