extension [UInt8] {
  /// Appends `text` as a JSON string with its quotes. Control characters (C0, DEL and C1) are escaped, so that the
  /// result is safe to show in a terminal too.
  @inlinable
  package mutating func append(jsonString text: String) {
    var text = text
    text.withUTF8 { append(jsonString: $0) }
  }

  /// Appends UTF-8 as a JSON string with its quotes; the caller answers for it being UTF-8.
  @inlinable
  package mutating func append(jsonString text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var clean = 0
    for (place, byte) in text.enumerated() {
      let isC1 = byte == 0xC2 && place &+ 1 < text.count && text[place &+ 1] < 0xA0
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || isC1
      else { continue }
      if clean < place { append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<place])) }
      clean = place &+ (isC1 ? 2 : 1)
      append(jsonEscaped: isC1 ? text[place &+ 1] : byte)
    }
    if clean < text.count { append(contentsOf: UnsafeBufferPointer(rebasing: text[clean...])) }
    append(UInt8(ascii: "\""))
  }

  @usableFromInline
  mutating func append(jsonEscaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default:
      append("\\u00")
      append(hex: CollectionOfOne(byte))
    }
  }
}
