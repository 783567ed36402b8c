// The five characters of HTML that may not stand for themselves in text or in a quoted attribute.

extension [UInt8] {
  /// Appends text so that it is safe in element content and in double-quoted attributes.
  @inlinable package mutating func append(escaped text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { append(escaped: $0) }
    if done == nil { Array<UInt8>(text.utf8).withUnsafeBufferPointer { append(escaped: $0) } }
  }

  /// Copies runs up to the next special character; text without one is one copy.
  @usableFromInline mutating func append(escaped text: UnsafeBufferPointer<UInt8>) {
    var runStart = 0
    for index in 0..<text.count {
      let byte = text[index]
      // All five stand below 0x3F, letters of every language above.
      guard byte < 0x3F, let entity = entity(for: byte) else { continue }
      append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
      append(entity)
      runStart = index &+ 1
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<text.count]))
  }

  @usableFromInline mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(raw text: String) {
    append(contentsOf: text.utf8)
  }
}

private func entity(for byte: UInt8) -> StaticString? {
  switch byte {
  case UInt8(ascii: "&"): "&amp;"
  case UInt8(ascii: "<"): "&lt;"
  case UInt8(ascii: ">"): "&gt;"
  case UInt8(ascii: "\""): "&quot;"
  case UInt8(ascii: "'"): "&#39;"
  default: nil
  }
}
