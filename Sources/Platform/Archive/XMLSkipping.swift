/// What a reader passes over unread: comments, CDATA, instructions and the document type.
extension XMLReader {
  /// Skips to behind `mark`, which ends in `>` and is searched from `offset` bytes behind the cursor.
  mutating func skip(past mark: StaticString, from offset: Int) throws(ArchiveError) {
    let length = mark.utf8CodeUnitCount
    while filled - cursor < offset { guard try refill() else { return cursor = filled } }
    cursor += offset
    var behind = cursor
    while true {
      while let close = find(">", from: behind, to: filled) {
        behind = close + 1
        if behind - cursor >= length, matches(mark, at: behind - length) { return cursor = behind }
      }
      cursor = max(cursor, filled - length + 1)
      guard try refill() else { return cursor = filled }
      behind = cursor
    }
  }

  mutating func skipDeclaration() throws(ArchiveError) {
    while filled - cursor < 10 { guard try refill() else { break } }
    if matches("<!--", at: cursor) { return try skip(past: "-->", from: 4) }
    if matches("<![CDATA[", at: cursor) { return try skip(past: "]]>", from: 9) }
    if matches("<!ENTITY", at: cursor) { throw .entityDeclaration }
    if matches("<!DOCTYPE", at: cursor) { return try skipDocumentType() }
    try skip(past: ">", from: 2)
  }

  /// Skips `<!DOCTYPE … [ … ]>` unread. The subset of real files is broken now and then (a `>` missing), so only its end is
  /// looked for: `]` and `>`, or the root element itself.
  private mutating func skipDocumentType() throws(ArchiveError) {
    cursor += 9
    var quote: UInt8?
    while let byte = try peek() {
      cursor += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return
      } else if byte == UInt8(ascii: "[") {
        return try skipSubset()
      }
    }
  }

  private mutating func skipSubset() throws(ArchiveError) {
    while let byte = try peek() {
      if byte == UInt8(ascii: "]") {
        cursor += 1
        while let blank = try peek(), isBlank(blank) { cursor += 1 }
        if try peek() == UInt8(ascii: ">") {
          cursor += 1
          return
        }
      } else if byte == UInt8(ascii: "<") {
        while filled - cursor < interest.root.count + 2 { guard try refill() else { break } }
        if matches("<!ENTITY", at: cursor) { throw .entityDeclaration }
        if matches("<!--", at: cursor) {
          try skip(past: "-->", from: 4)
        } else if matches("<?", at: cursor) {
          try skip(past: "?>", from: 2)
        } else if rootBegins() {
          return
        } else {
          cursor += 1
        }
      } else {
        cursor += 1
      }
    }
  }

  private func rootBegins() -> Bool {
    let behind = cursor + 1 + interest.root.count
    guard !interest.root.isEmpty, behind < filled, isRoot(cursor + 1, behind) else { return false }
    return isBlank(base[behind]) || base[behind] == UInt8(ascii: ">") || base[behind] == UInt8(ascii: "/")
  }

  private mutating func peek() throws(ArchiveError) -> UInt8? {
    if cursor == filled { guard try refill() else { return nil } }
    return base[cursor]
  }
}
