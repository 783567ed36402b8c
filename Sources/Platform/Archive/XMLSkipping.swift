/// What a reader passes over unread, kept from one call to the next: it may be longer than a call should last.
///
/// ```
/// <!DOCTYPE ─► head ─ [ ─► subset ─ ] ─► closing ─ > ─► nothing
///               └── > ──────────────────────────────────► nothing
///                           subset ─ root element ──────► nothing
/// ```
///
/// A comment, an instruction or a CDATA section (`mark` is its end) may stand anywhere, also in a subset.
struct Passing {
  enum Front {
    case head(quote: UInt8?)
    case subset
    case closing
  }

  var mark: StaticString?
  var front: Front?

  var isNothing: Bool { mark == nil && front == nil }
}

extension XMLReader {
  /// Goes on with what is being passed over; false when this call's share is used up before its end.
  mutating func passOver() throws(ArchiveError) -> Bool {
    while !passing.isNothing {
      if let mark = passing.mark {
        guard try pass(mark) else { return false }
        passing.mark = nil
      }
      switch passing.front {
      case nil: break
      case .head(let quote): guard try passHead(quote) else { return false }
      case .subset: guard try passSubset() else { return false }
      case .closing: guard try passClosing() else { return false }
      }
    }
    return true
  }

  /// Begins to pass over all up to behind `mark`, which ends in `>` and is looked for from `offset` bytes behind the cursor.
  mutating func begin(mark: StaticString, from offset: Int) throws(ArchiveError) {
    while filled - cursor < offset { guard try refill() else { return cursor = filled } }
    cursor += offset
    passing.mark = mark
  }

  /// Begins to pass over the declaration, comment or CDATA section at the cursor.
  mutating func beginDeclaration() throws(ArchiveError) {
    while filled - cursor < 10 { guard try refill() else { break } }
    if matches("<!--", at: cursor) { return try begin(mark: "-->", from: 4) }
    if matches("<![CDATA[", at: cursor) { return try begin(mark: "]]>", from: 9) }
    if matches("<!ENTITY", at: cursor) { throw .entityDeclaration }
    guard matches("<!DOCTYPE", at: cursor) else { return try begin(mark: ">", from: 2) }
    cursor += 9
    passing.front = .head(quote: nil)
  }

  private mutating func pass(_ mark: StaticString) throws(ArchiveError) -> Bool {
    let length = mark.utf8CodeUnitCount
    var behind = cursor
    while true {
      while let close = find(">", from: behind, to: filled) {
        behind = close + 1
        if behind - cursor >= length, matches(mark, at: behind - length) {
          cursor = behind
          return true
        }
      }
      cursor = max(cursor, filled - length + 1)
      guard !isExhausted else { return false }
      guard try refill() else {
        cursor = filled
        return true
      }
      behind = cursor
    }
  }

  /// `<!DOCTYPE … [ … ]>` is passed over unread. The subset of real files is broken now and then (a `>` missing), so only its
  /// end is looked for: `]` and `>`, or the root element itself.
  private mutating func passHead(_ open: UInt8?) throws(ArchiveError) -> Bool {
    var quote = open
    while let byte = try peek() {
      guard !isExhausted else {
        passing.front = .head(quote: quote)
        return false
      }
      cursor += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return leave(for: nil)
      } else if byte == UInt8(ascii: "[") {
        return leave(for: .subset)
      }
    }
    return leave(for: nil)
  }

  private mutating func passSubset() throws(ArchiveError) -> Bool {
    while let byte = try peek() {
      guard !isExhausted else { return false }
      if byte == UInt8(ascii: "<") {
        while filled - cursor < interest.root.count + 2 { guard try refill() else { break } }
        if matches("<!ENTITY", at: cursor) { throw .entityDeclaration }
        if matches("<!--", at: cursor) {
          try begin(mark: "-->", from: 4)
          return true
        }
        if matches("<?", at: cursor) {
          try begin(mark: "?>", from: 2)
          return true
        }
        if rootBegins() { return leave(for: nil) }
      }
      cursor += 1
      if byte == UInt8(ascii: "]") { return leave(for: .closing) }
    }
    return leave(for: nil)
  }

  private mutating func passClosing() throws(ArchiveError) -> Bool {
    while let byte = try peek() {
      guard !isExhausted else { return false }
      guard isBlank(byte) else {
        guard byte == UInt8(ascii: ">") else { return leave(for: .subset) }
        cursor += 1
        return leave(for: nil)
      }
      cursor += 1
    }
    return leave(for: nil)
  }

  private mutating func leave(for front: Passing.Front?) -> Bool {
    passing.front = front
    return true
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
