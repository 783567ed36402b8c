/// Why a multipart body was not read.
package enum MultipartError: Error, Equatable, Sendable {
  /// Not `multipart/form-data` with a usable boundary: 415.
  case wrongType
  /// Broken syntax: 400.
  case malformed
  /// A part's header, the number of parts or a text field beyond its limit: 413.
  case tooLarge(limit: Int)
  /// The body ended before its closing boundary: the upload broke off.
  case truncated
  /// The body could not be read.
  case body(BodyError)
}

/// What stands above a part of a form.
package struct Part: Equatable, Sendable {
  package let name: String
  /// The last component of the name that the browser gave; nil for a plain field. For people's eyes only: never a path.
  package let fileName: String?
  package let contentType: ContentType?
}

/// Takes a `multipart/form-data` body (RFC 7578) apart: bytes go in, parts come out, whatever way the bytes are split.
/// Holds at most one piece of input and one boundary, so the memory does not grow with the file.
package struct MultipartReader {
  /// What the caller is to do next.
  package enum Action: Equatable {
    case wait
    case part(Part)
    /// Content of the current part, never empty.
    case content([UInt8])
    case partEnd
    /// The closing boundary was seen; what follows is dropped.
    case end
    case refuse(MultipartError)
  }

  package static let headerLimit = 8 * 1024
  package static let partLimit = 1_000
  package static let preambleLimit = 4 * 1024

  //  preamble ─ boundary ─► afterBoundary ── "--" ──► end
  //                           ▲    │ CRLF
  //                           │    ▼
  //                           │  header ── empty line: .part ──► content
  //                           └───────────── boundary: .partEnd ───┘
  private enum State {
    case preamble, afterBoundary, header, content, end
    case refused(MultipartError)
  }

  /// CRLF, two hyphens, boundary. A virtual CRLF before the first byte lets a boundary open the body.
  private let delimiter: [UInt8]
  private var state = State.preamble
  private var buffer: [UInt8] = [ASCII.carriageReturn, ASCII.lineFeed]
  private var position = 0
  private var skipped = 0
  private var parts = 0

  /// nil for a boundary that RFC 2046 does not allow.
  package init?(boundary: String) {
    guard (1...70).contains(boundary.utf8.count), boundary.utf8.last != ASCII.space,
      boundary.utf8.allSatisfy(MultipartReader.isBoundaryCharacter)
    else { return nil }
    delimiter = Array("\r\n--\(boundary)".utf8)
  }

  package mutating func receive(_ bytes: [UInt8]) {
    if case .end = state { return }
    if position == buffer.count {
      buffer = bytes
    } else {
      buffer.removeSubrange(..<position)
      buffer.append(contentsOf: bytes)
    }
    position = 0
  }

  package mutating func next() -> Action {
    while true {
      switch state {
      case .preamble:
        if let action = skipPreamble() { return action }
      case .afterBoundary:
        if let action = readAfterBoundary() { return action }
      case .header: return readHeader()
      case .content: return readContent()
      case .end: return .end
      case .refused(let error): return .refuse(error)
      }
    }
  }

  private mutating func refuse(_ error: MultipartError) -> Action {
    state = .refused(error)
    buffer = []
    position = 0
    return .refuse(error)
  }

  private mutating func skipPreamble() -> Action? {
    let found = findDelimiter()
    skipped += found.start - position
    position = found.start
    if skipped > MultipartReader.preambleLimit { return refuse(.malformed) }
    guard found.isWhole else { return .wait }
    position += delimiter.count
    state = .afterBoundary
    return nil
  }

  /// "--" ends the form; blanks and CRLF start a part; anything else is no boundary of ours.
  private mutating func readAfterBoundary() -> Action? {
    var index = position
    if index < buffer.count, buffer[index] == ASCII.hyphen {
      guard index + 1 < buffer.count else { return .wait }
      guard buffer[index + 1] == ASCII.hyphen else { return refuse(.malformed) }
      state = .end
      buffer = []
      position = 0
      return nil
    }
    while index < buffer.count, buffer[index].isBlank { index += 1 }
    if index - position > 128 { return refuse(.malformed) }
    if index < buffer.count, buffer[index] != ASCII.carriageReturn { return refuse(.malformed) }
    guard index + 1 < buffer.count else { return .wait }
    guard buffer[index + 1] == ASCII.lineFeed else { return refuse(.malformed) }
    if parts == MultipartReader.partLimit { return refuse(.tooLarge(limit: MultipartReader.partLimit)) }
    parts += 1
    position = index + 2
    state = .header
    return nil
  }

  private mutating func readHeader() -> Action {
    guard let end = headerEnd() else {
      let length = buffer.count - position
      return length > MultipartReader.headerLimit ? refuse(.tooLarge(limit: MultipartReader.headerLimit)) : .wait
    }
    if end - position > MultipartReader.headerLimit { return refuse(.tooLarge(limit: MultipartReader.headerLimit)) }
    guard let part = PartHeader.parse(buffer[position..<end]) else { return refuse(.malformed) }
    position = end + 2
    state = .content
    return .part(part)
  }

  /// Where the empty line of the part's header starts.
  private func headerEnd() -> Int? {
    var lineStart = position
    var index = position
    while index + 1 < buffer.count {
      if buffer[index] == ASCII.carriageReturn, buffer[index + 1] == ASCII.lineFeed {
        if index == lineStart { return index }
        lineStart = index + 2
        index += 2
      } else {
        index += 1
      }
    }
    return nil
  }

  private mutating func readContent() -> Action {
    let found = findDelimiter()
    if found.start > position {
      if position == 0, found.start == buffer.count {
        let whole = buffer
        buffer = []
        return .content(whole)
      }
      defer { position = found.start }
      return .content(Array(buffer[position..<found.start]))
    }
    guard found.isWhole else { return .wait }
    position += delimiter.count
    state = .afterBoundary
    return .partEnd
  }

  /// The first place from which on the buffer may be a delimiter, and whether all of it is there. Delimiters start
  /// with CR and hold no second one, so no byte is compared more than twice.
  private func findDelimiter() -> (start: Int, isWhole: Bool) {
    var start = ByteScan.first(ASCII.carriageReturn, in: buffer, from: position)
    while start < buffer.count {
      var length = 1
      while length < delimiter.count, start + length < buffer.count, buffer[start + length] == delimiter[length] {
        length += 1
      }
      if length == delimiter.count { return (start, true) }
      if start + length == buffer.count { return (start, false) }
      start = ByteScan.first(ASCII.carriageReturn, in: buffer, from: start + length)
    }
    return (buffer.count, false)
  }

  private static func isBoundaryCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "'()+_,-./:=? ".utf8.contains(byte)
    }
  }
}

/// Finds a byte eight at a time.
enum ByteScan {
  static func first(_ byte: UInt8, in buffer: [UInt8], from start: Int) -> Int {
    let bytes = buffer.span
    let raw = bytes.bytes
    let pattern = 0x0101_0101_0101_0101 &* UInt64(byte)
    var index = start
    while bytes.count &- index >= 8 {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ pattern
      let hits = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count, bytes[index] != byte { index &+= 1 }
    return index
  }
}
