/// Why a text is not the JSON of RFC 8259, or not within the limits.
package enum JSONError: Error, Hashable, Sendable {
  /// The byte at this offset of the whole text cannot stand there.
  case unexpected(offset: Int)
  /// The text ended in the middle.
  case endedEarly
  case tooDeep(limit: Int)
  case stringTooLong(limit: Int)
}

/// A pull reader of JSON (RFC 8259) over a text that arrives in pieces: `feed` bytes, then `next` until it answers `.needsMore`.
///
/// Nothing is built: strings and numbers are ranges of the buffer, valid until the next `feed`. Memory is one piece plus the longest
/// token. Nesting is bounded, so is a string; a lone surrogate is replaced by U+FFFD; invalid UTF-8 in a string is an error of the text.
///
/// ```
/// value ─► ( literal | string | number ) ─► after
///       ─► { ─► keyOrEnd ─► colon ─► value … after ─► , ─► key …  ─► }
///       ─► [ ─► valueOrEnd …               after ─► , ─► value …─► ]
/// after at depth 0 ─► only blanks ─► end
/// ```
@usableFromInline
package struct JSONReader: Sendable {
  /// What stands next in the text.
  @usableFromInline
  package enum Token: Sendable {
    case beginObject, endObject, beginArray, endArray, key, string, number, yes, no, null
    /// The one value is complete and only blanks followed, after `finish`.
    case end
    /// The buffer holds no further whole token: `feed` or `finish`.
    case needsMore
  }

  private enum Expected: Sendable { case value, valueOrEnd, keyOrEnd, key, colon, after, end }

  package static let deepest = 32
  private let longestString: Int
  var bytes: [UInt8] = []
  private var position = 0
  /// How many bytes of the text lie before the buffer's first.
  private var dropped = 0
  private var finished = false
  private var expected = Expected.value
  /// One bit a level, the lowest the innermost: 1 = object.
  private var levels: UInt64 = 0
  private var depth = 0
  var text = 0..<0
  /// The last key or string of up to eight bytes as one number, the first byte the lowest; all ones for any other text. No
  /// text holds a zero byte, which JSON must escape, nor only 0xFF, which is no UTF-8.
  @usableFromInline var word: UInt64 = 0
  /// True if the last string holds a backslash.
  @usableFromInline package private(set) var isEscaped = false

  /// `longestString` is in bytes as written.
  package init(longestString: Int = 1024) { self.longestString = longestString }

  /// A text that is there as a whole: `next` never answers `.needsMore`.
  package init(whole text: [UInt8], longestString: Int = 1024) {
    self.longestString = longestString
    bytes = text
    finished = true
  }

  /// Offset of the next byte in the whole text.
  package var offset: Int { dropped + position }

  package mutating func feed(_ piece: some Collection<UInt8>) {
    if position > 0 {
      bytes.removeFirst(position)
      dropped += position
      position = 0
      text = 0..<0
    }
    bytes.append(contentsOf: piece)
  }

  /// No more bytes will come.
  package mutating func finish() { finished = true }

  package mutating func next() throws(JSONError) -> Token {
    while true {
      guard let byte = skipBlanks() else {
        guard finished else { return .needsMore }
        if expected == .end { return .end }
        throw .endedEarly
      }
      switch expected {
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected() }
        position += 1
        expected = .value
      case .after:
        if byte == UInt8(ascii: ",") {
          position += 1
          expected = levels & 1 == 1 ? .key : .value
        } else {
          return try close(byte)
        }
      case .keyOrEnd where byte == UInt8(ascii: "}"), .valueOrEnd where byte == UInt8(ascii: "]"):
        return try close(byte)
      case .key, .keyOrEnd:
        guard byte == UInt8(ascii: "\"") else { throw unexpected() }
        guard try readString() else { return .needsMore }
        expected = .colon
        // Mostly it stands right behind.
        if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
          position += 1
          expected = .value
        }
        return .key
      case .value, .valueOrEnd:
        return try readValue(byte)
      case .end:
        throw unexpected()
      }
    }
  }

  /// The bytes of the last key or string, unescaped, or of the last number as written.
  @inline(__always)
  package func withText<T>(_ body: (Span<UInt8>) -> T) -> T {
    guard isEscaped else { return body(bytes.span.extracting(text)) }
    let plain = JSONEscapes.unescaped(bytes.span.extracting(text))
    return body(plain.span)
  }

  /// The last key or string, unescaped; or the last number as written.
  package func string() -> String {
    guard isEscaped else { return String(decoding: bytes[text], as: UTF8.self) }
    return String(decoding: JSONEscapes.unescaped(bytes.span.extracting(text)), as: UTF8.self)
  }

  /// The bytes of a range of offsets of the whole text as a text of its own, to be read again.
  package func part(_ range: Range<Int>) -> JSONReader {
    JSONReader(whole: written(range), longestString: longestString)
  }

  /// The bytes of a range of offsets of the whole text, as far as they are in the buffer.
  package func written(_ range: Range<Int>) -> [UInt8] {
    let here = range.clamped(to: dropped..<dropped + bytes.count)
    return Array(bytes[here.lowerBound - dropped..<here.upperBound - dropped])
  }

  /// Passes over an object that was just begun if its text is `known`, from brace to brace, which was read before and found
  /// good. Lists repeat small objects thousands of times, and comparing them is far cheaper than reading them.
  package mutating func skipObject(writtenAs known: [UInt8]) -> Bool {
    let from = position - 1
    guard expected == .keyOrEnd, known.count > 1, known.count <= bytes.count - from else { return false }
    let isSame = bytes.withUnsafeBytes { all in
      known.withUnsafeBytes { known in
        // Eight bytes at a time.
        var place = 0
        while place &+ 8 <= known.count {
          guard
            all.loadUnaligned(fromByteOffset: from &+ place, as: UInt64.self)
              == known.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          else { return false }
          place &+= 8
        }
        return known[place...].elementsEqual(all[(from &+ place)..<(from &+ known.count)])
      }
    }
    guard isSame else { return false }
    position = from + known.count
    levels >>= 1
    depth -= 1
    expected = depth == 0 ? .end : .after
    return true
  }

  /// Passes over the value that comes next, whatever it is. False: `needsMore` came in between; call again with the same depth.
  package mutating func skip(to level: Int) throws(JSONError) -> Bool {
    while depth > level || expected == .value || expected == .colon {
      if try next() == .needsMore { return false }
    }
    return true
  }

  /// How many objects and arrays are open.
  package var level: Int { depth }

  // MARK: private, in the order of calling

  private mutating func skipBlanks() -> UInt8? {
    bytes.withUnsafeBufferPointer { buffer in
      while position < buffer.count {
        let byte = buffer[position]
        if byte > 0x20 { return byte }
        guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
        position &+= 1
      }
      return nil
    }
  }

  private func unexpected() -> JSONError { .unexpected(offset: offset) }

  private mutating func close(_ byte: UInt8) throws(JSONError) -> Token {
    let wanted = levels & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard depth > 0, byte == wanted else { throw unexpected() }
    let token: Token = levels & 1 == 1 ? .endObject : .endArray
    position += 1
    levels >>= 1
    depth -= 1
    expected = depth == 0 ? .end : .after
    return token
  }

  private mutating func open(object: Bool) throws(JSONError) -> Token {
    guard depth < Self.deepest else { throw .tooDeep(limit: Self.deepest) }
    position += 1
    levels = levels << 1 | (object ? 1 : 0)
    depth += 1
    expected = object ? .keyOrEnd : .valueOrEnd
    return object ? .beginObject : .beginArray
  }

  private mutating func readValue(_ byte: UInt8) throws(JSONError) -> Token {
    switch byte {
    case UInt8(ascii: "{"): return try open(object: true)
    case UInt8(ascii: "["): return try open(object: false)
    case UInt8(ascii: "\""):
      guard try readString() else { return .needsMore }
      expected = depth == 0 ? .end : .after
      return .string
    case UInt8(ascii: "t"): return try readLiteral("true", .yes)
    case UInt8(ascii: "f"): return try readLiteral("false", .no)
    case UInt8(ascii: "n"): return try readLiteral("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func readLiteral(_ word: StaticString, _ token: Token) throws(JSONError) -> Token {
    let length = word.utf8CodeUnitCount
    for place in 0..<length {
      guard position + place < bytes.count else {
        if finished { throw .endedEarly }
        return .needsMore
      }
      guard bytes[position + place] == word.utf8Start[place] else {
        throw .unexpected(offset: offset + place)
      }
    }
    position += length
    expected = depth == 0 ? .end : .after
    return token
  }

  /// From the opening quote to the closing one. False: the closing one is not in the buffer yet.
  private mutating func readString() throws(JSONError) -> Bool {
    let from = position + 1
    let found = bytes.withUnsafeBufferPointer { JSONEscapes.endOfString($0, from: from) }
    switch found {
    case .closed(let at, let escaped, let plain):
      guard at - from <= longestString else { throw .stringTooLong(limit: longestString) }
      text = from..<at
      isEscaped = escaped
      word = escaped ? .max : shortWord(from, at)
      guard plain || JSONEscapes.isUTF8(bytes[text]) else { throw .unexpected(offset: offset) }
      position = at + 1
      return true
    case .open:
      guard bytes.count - from <= longestString + 8 else { throw .stringTooLong(limit: longestString) }
      if finished { throw .endedEarly }
      return false
    case .bad(let at):
      throw .unexpected(offset: dropped + at)
    }
  }

  /// -? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?
  private mutating func readNumber() throws(JSONError) -> Token {
    var scan = JSONNumberScan()
    var at = position
    while at < bytes.count, scan.take(bytes[at]) { at += 1 }
    guard at - position <= longestString else { throw .stringTooLong(limit: longestString) }
    if at == bytes.count, !finished { return .needsMore }
    guard scan.isComplete else {
      if at == bytes.count, at > position { throw .endedEarly }
      throw .unexpected(offset: dropped + at)
    }
    text = position..<at
    isEscaped = false
    word = .max
    position = at
    expected = depth == 0 ? .end : .after
    return .number
  }
}
