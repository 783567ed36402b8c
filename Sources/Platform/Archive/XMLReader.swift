#if canImport(Glibc)
  import Glibc
#endif

/// What `XMLReader.next` found.
package enum XMLEvent: Equatable {
  /// A start tag; `empty` if it closes itself. `XMLReader.attribute` reads its attributes until the next call of `next`.
  case start(element: Int, empty: Bool)
  case end(element: Int)
  /// Nothing of interest for many bytes: call again to go on. So that no file, however made, keeps its reader for long.
  case paused
  /// The document is over: `whole` if its root was closed, else it was cut.
  case finished(whole: Bool)
}

/// A pull reader for files that call themselves XML and are not always: it looks for tags and trusts nothing else.
///
/// - No document type is processed. An internal subset is skipped, also a broken one; `<!ENTITY` in it refuses the file.
/// - The five named references and numeric ones are decoded; others stay as they are written.
/// - Attribute names may hold blanks; of a repeated attribute the first stands; unknown elements and text are passed over.
/// - A tag that lost its `>` ends where the next one begins. A tag longer than the limit is passed over.
/// - The answer depends on the bytes alone, never on the pieces in which they arrive.
/// - Every byte is looked at a bounded number of times, whatever the file holds.
///
/// Memory is one buffer. Not Sendable: one thread at a time.
package struct XMLReader: ~Copyable {
  /// A tag longer than this is not a tag (real ones have a few hundred bytes).
  package static let longestTag = 64 << 10
  /// About so many bytes are passed over by one call of `next` or `drain`.
  package static let mostPassed = 4 << 20

  private let source: ByteSource
  let interest: XMLInterest
  let base: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private let mostPassed: Int
  /// Bytes that came since the call began.
  private var passed = 0
  /// Bytes of the document that have come so far.
  package private(set) var position: Int64 = 0
  /// How often the end of a tag was looked for and not found: each costs up to the length of the longest tag.
  private(set) var looksInVain = 0
  /// What is being passed over unread, from call to call.
  var passing = Passing()
  var cursor = 0
  var filled = 0
  private var sourceEnded = false
  private var wasCut = false
  private var over: XMLEvent?
  private var tag = XMLTag()
  private var scratch: [UInt8] = []

  /// How many counted elements have begun so far: the number of the one that was reported last.
  package private(set) var number = 0

  package init(
    _ source: ByteSource, for interest: XMLInterest, bufferBytes: Int = 256 << 10,
    mostPassed: Int = XMLReader.mostPassed
  ) {
    self.source = source
    self.interest = interest
    capacity = max(bufferBytes, XMLReader.longestTag + 16)
    self.mostPassed = mostPassed
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// The next start or end tag that is of interest.
  package mutating func next() throws(ArchiveError) -> XMLEvent {
    if let over { return over }
    passed = 0
    while true {
      guard !isExhausted else { return .paused }
      guard try passOver() else { return .paused }
      guard try findTag() else { return isExhausted ? .paused : finish(whole: false) }
      let event: XMLEvent?
      switch base[cursor + 1] {
      case UInt8(ascii: "!"):
        try beginDeclaration()
        continue
      case UInt8(ascii: "?"):
        try begin(mark: "?>", from: 2)
        continue
      case UInt8(ascii: "/"):
        event = try endTag()
      case let byte where isNameStart(byte):
        event = try startTag()
      default:
        cursor += 1
        continue
      }
      if let event { return event }
    }
  }

  /// Calls `body` with the decoded value of an attribute of the start tag reported last; nil if it has no such attribute.
  package mutating func attribute<T>(_ name: StaticString, _ body: (Span<UInt8>) -> T) -> T? {
    tag.parse(base)
    guard let range = tag.value(named: name, base: base) else { return nil }
    let raw = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: base, count: filled)[range])
    guard XMLText.needsDecoding(raw) else { return body(raw.span) }
    XMLText.decode(raw, into: &scratch)
    return body(scratch.span)
  }

  /// Appends the undecoded bytes of an attribute; true if there is one.
  package mutating func appendRaw(_ name: StaticString, to bytes: inout [UInt8]) -> Bool {
    tag.parse(base)
    guard let range = tag.value(named: name, base: base) else { return false }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: base, count: filled)[range]))
    return true
  }

  /// The name of the first element in `head`, the front of a document; nil if there is none in it.
  package static func firstElement(in head: [UInt8]) throws(ArchiveError) -> String? {
    var reader = XMLReader(.bytes(head), for: XMLInterest(root: ""))
    while try reader.passOver(), try reader.findTag() {
      switch reader.base[reader.cursor + 1] {
      case UInt8(ascii: "!"): try reader.beginDeclaration()
      case UInt8(ascii: "?"): try reader.begin(mark: "?>", from: 2)
      case let byte where isNameStart(byte):
        let name = reader.cursor + 1
        let end = (name..<reader.filled).first {
          isBlank(reader.base[$0]) || [0x2F, 0x3C, 0x3E].contains(reader.base[$0])
        }
        return end.map {
          String(decoding: UnsafeBufferPointer(start: reader.base + name, count: $0 - name), as: UTF8.self)
        }
      default: reader.cursor += 1
      }
    }
    return nil
  }

  /// Reads what is behind the document and throws it away; false if it breaks off, as a packed file does whose checksum is wrong.
  /// Nil: there is more, call again.
  package mutating func drain() throws(ArchiveError) -> Bool? {
    passed = 0
    while !sourceEnded {
      guard !isExhausted else { return nil }
      cursor = filled
      guard try refill() else { break }
    }
    return !wasCut
  }

  /// This call has passed over its share and should answer.
  var isExhausted: Bool { passed >= mostPassed && !sourceEnded }

  private mutating func finish(whole: Bool) -> XMLEvent {
    let event = XMLEvent.finished(whole: whole)
    over = event
    return event
  }

  // MARK: the buffer

  /// Moves to the next `<` that has at least one byte behind it.
  private mutating func findTag() throws(ArchiveError) -> Bool {
    while true {
      if let place = find("<", from: cursor, to: filled) {
        cursor = place
        if place + 1 < filled { return true }
      } else {
        cursor = filled
      }
      guard !isExhausted, try refill() else { return false }
    }
  }

  /// Moves what is not yet read to the front and fills up the rest; false if nothing came or nothing fits.
  mutating func refill() throws(ArchiveError) -> Bool {
    guard !sourceEnded else { return false }
    if cursor > 0 {
      memmove(base, base + cursor, filled - cursor)
      filled -= cursor
      cursor = 0
    }
    let before = filled
    do throws(ArchiveError) {
      while filled < capacity {
        let got = try source.read(into: UnsafeMutableRawBufferPointer(start: base + filled, count: capacity - filled))
        if got == 0 {
          sourceEnded = true
          break
        }
        filled += got
        passed += got
        position += Int64(got)
      }
    } catch {
      guard error == .cut else { throw error }
      sourceEnded = true
      wasCut = true
    }
    return filled > before
  }

  func find(_ byte: Unicode.Scalar, from: Int, to: Int) -> Int? {
    guard from < to, let hit = memchr(base + from, Int32(byte.value), to - from) else { return nil }
    return UnsafePointer(hit.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(base)
  }

  func matches(_ text: StaticString, at place: Int) -> Bool {
    place + text.utf8CodeUnitCount <= filled && memcmp(base + place, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  // MARK: tags

  /// Handles the start tag at the cursor; nil if it is of no interest.
  private mutating func startTag() throws(ArchiveError) -> XMLEvent? {
    guard let end = try tagEnd() else { return nil }
    let start = cursor
    cursor = end.next
    var nameEnd = start + 1
    while nameEnd < end.inside, !isBlank(base[nameEnd]), base[nameEnd] != UInt8(ascii: "/") { nameEnd += 1 }
    let empty = end.inside > nameEnd - 1 && base[end.inside - 1] == UInt8(ascii: "/")
    if empty, isRoot(start + 1, nameEnd) { return finish(whole: true) }
    guard let element = element(start + 1, nameEnd) else { return nil }
    if interest.elements[element].counted { number += 1 }
    tag.begin(attributes: nameEnd, end: empty ? end.inside - 1 : end.inside)
    guard meetsCondition(of: element) else { return nil }
    return .start(element: element, empty: empty)
  }

  private mutating func endTag() throws(ArchiveError) -> XMLEvent? {
    guard let end = try tagEnd() else { return nil }
    let name = cursor + 2
    cursor = end.next
    var nameEnd = name
    while nameEnd < end.inside, !isBlank(base[nameEnd]) { nameEnd += 1 }
    if isRoot(name, nameEnd) { return finish(whole: true) }
    return element(name, nameEnd).map { .end(element: $0) }
  }

  func isRoot(_ from: Int, _ to: Int) -> Bool {
    interest.root.count == to - from && memcmp(interest.root, base + from, to - from) == 0
  }

  private func element(_ from: Int, _ to: Int) -> Int? {
    for index in interest.elements.indices where interest.elements[index].name.count == to - from {
      if memcmp(interest.elements[index].name, base + from, to - from) == 0 { return index }
    }
    return nil
  }

  /// Most elements fail their condition, and mostly their first attribute says so: that one is looked at before the rest is read.
  private mutating func meetsCondition(of element: Int) -> Bool {
    guard let condition = interest.elements[element].condition else { return true }
    if let first = tag.firstValue(ifNamed: condition.attribute, base: base) {
      return first.count == condition.value.count && memcmp(base + first.lowerBound, condition.value, first.count) == 0
    }
    tag.parse(base)
    guard let range = tag.value(named: condition.attribute, base: base) else { return false }
    XMLText.decode(
      UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: base, count: filled)[range]), into: &scratch)
    return scratch == condition.value
  }

  /// Where the tag at the cursor ends; reads on if need be. Nil if it is no tag (then the cursor has moved on) or the data ends in it.
  private mutating func tagEnd() throws(ArchiveError) -> XMLTag.End? {
    while true {
      let resume: Int
      switch XMLTag.end(base, from: cursor, to: min(filled, cursor + XMLReader.longestTag)) {
      case .end(let end): return end
      case .open(let place): resume = place
      }
      looksInVain += 1
      if filled - cursor >= XMLReader.longestTag {
        // Not from the next byte on: what was looked at in vain would be looked at again and again.
        cursor = resume
        return nil
      }
      guard try refill() else {
        cursor = filled
        return nil
      }
    }
  }
}

func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
}

func isNameStart(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
}
