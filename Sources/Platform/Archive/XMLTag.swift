#if canImport(Glibc)
  import Glibc
#endif

/// One start tag inside the reader's buffer: where it ends and where its attributes are. Offsets only, nothing is copied.
struct XMLTag {
  /// `inside` is the end of what is between the brackets, `next` where reading goes on.
  struct End: Equatable {
    var inside: Int
    var next: Int
  }

  /// `open`: there is no end in sight, and reading may go on at `resume`; what lies before it was looked at as part of this
  /// tag, and looking again would find nothing.
  enum Search {
    case end(End)
    case open(resume: Int)
  }

  private struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  private var from = 0
  private var to = 0
  private var attributes: [Attribute] = []
  /// More attributes than this in one tag are not read.
  private static let mostAttributes = 256

  // MARK: the end of a tag

  /// Where the tag that begins at `from` ends, if it does so before `to`.
  ///
  /// Nearly every tag is plain: no apostrophe, no `<`, and the first `>` stands behind a closing quote. That takes three
  /// memchr, which are much faster than a loop over the bytes; whatever is not plain goes through the exact loop. The next
  /// `<` is looked for first and bounds the others: so no byte is looked at for more than a few tags.
  static func end(_ base: UnsafeMutablePointer<UInt8>, from: Int, to: Int) -> Search {
    let border = find(0x3C, base, from: from + 1, to: to) ?? to
    guard let close = find(0x3E, base, from: from + 1, to: border) else { return exactEnd(base, from: from, to: to) }
    let plain =
      find(0x27, base, from: from + 1, to: close) == nil && closesBehindQuote(base, from: from, close: close)
    return plain ? .end(End(inside: close, next: close + 1)) : exactEnd(base, from: from, to: to)
  }

  private static func find(_ byte: Int32, _ base: UnsafeMutablePointer<UInt8>, from: Int, to: Int) -> Int? {
    guard from < to, let hit = memchr(base + from, byte, to - from) else { return nil }
    return UnsafePointer(hit.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(base)
  }

  /// True if the `>` at `close` cannot be inside a value of a tag whose only quotes are `"`.
  private static func closesBehindQuote(_ base: UnsafeMutablePointer<UInt8>, from: Int, close: Int) -> Bool {
    var last = close - 1
    if base[last] == 0x2F { last -= 1 }
    guard last > from + 1 else { return last > from }
    guard base[last] == 0x22 else { return memchr(base + from, 0x22, close - from) == nil }
    return base[last - 1] != 0x3D && !isBlank(base[last - 1])
  }

  /// A quote opens a value only behind `=`; outside of values `>` ends the tag and `<` breaks it. Of each kind of quote at most
  /// one is left open within `to`, as another would close it: with reading resumed behind it, all searches together are linear.
  private static func exactEnd(_ base: UnsafeMutablePointer<UInt8>, from: Int, to: Int) -> Search {
    var place = from + 1
    var last: UInt8 = 0
    while place < to {
      let byte = base[place]
      if byte == 0x3E { return .end(End(inside: place, next: place + 1)) }
      if byte == 0x3C { return .end(End(inside: place, next: place)) }
      if last == 0x3D, byte == 0x22 || byte == 0x27 {
        guard let end = find(Int32(byte), base, from: place + 1, to: to) else { return .open(resume: place + 1) }
        if let next = lostQuote(base, from: place + 1, to: end) { return .end(End(inside: next, next: next)) }
        place = end
      }
      if !isBlank(byte) { last = byte }
      place += 1
    }
    return .open(resume: to)
  }

  /// Where the next tag begins if the quote at `to` is not the end of the value but the beginning of another tag's: it stands
  /// behind `=`, and a line in between begins with a tag. One lost quote must not swallow the record behind it.
  private static func lostQuote(_ base: UnsafeMutablePointer<UInt8>, from: Int, to: Int) -> Int? {
    guard to > from, base[to - 1] == 0x3D else { return nil }
    var line = from
    while let lineEnd = find(0x0A, base, from: line, to: to) {
      var place = lineEnd + 1
      while place < to, isBlank(base[place]), base[place] != 0x0A { place += 1 }
      if place + 1 < to, base[place] == 0x3C, (base[place + 1] | 0x20) &- 0x61 < 26 || base[place + 1] == 0x2F {
        return place
      }
      line = lineEnd + 1
    }
    return nil
  }

  // MARK: attributes

  mutating func begin(attributes from: Int, end to: Int) {
    self.from = from
    self.to = max(from, to)
    attributes.removeAll(keepingCapacity: true)
  }

  /// The value of the first attribute if that has this name, is written as `name="…"` and holds no reference.
  func firstValue(ifNamed name: [UInt8], base: UnsafeMutablePointer<UInt8>) -> Range<Int>? {
    let start = from + 1
    let value = start + name.count + 2
    guard value < to, memcmp(base + start, name, name.count) == 0 else { return nil }
    guard base[value - 2] == 0x3D, base[value - 1] == 0x22 else { return nil }
    var end = value
    while end < to, base[end] != 0x22 {
      if base[end] == 0x26 || base[end] < 0x20 { return nil }
      end += 1
    }
    return end < to ? value..<end : nil
  }

  /// Finds all attributes. A name is everything from the last value to the `=`, blanks inside included.
  mutating func parse(_ base: UnsafeMutablePointer<UInt8>) {
    guard attributes.isEmpty else { return }
    var place = from
    while place < to, attributes.count < XMLTag.mostAttributes {
      while place < to, isBlank(base[place]) { place += 1 }
      let nameStart = place
      while place < to, base[place] != 0x3D { place += 1 }
      guard place < to else { return }
      var nameEnd = place
      while nameEnd > nameStart, isBlank(base[nameEnd - 1]) { nameEnd -= 1 }
      place += 1
      while place < to, isBlank(base[place]) { place += 1 }
      guard place < to else { return }
      let (value, next) = XMLTag.value(base, from: place, to: to)
      attributes.append(Attribute(name: nameStart..<nameEnd, value: value))
      place = next
    }
  }

  private static func value(_ base: UnsafeMutablePointer<UInt8>, from: Int, to: Int) -> (Range<Int>, next: Int) {
    let quote = base[from]
    if quote == 0x22 || quote == 0x27 {
      guard let hit = memchr(base + from + 1, Int32(quote), to - from - 1) else { return (from + 1..<to, to) }
      let end = UnsafePointer(hit.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(base)
      return (from + 1..<end, end + 1)
    }
    var end = from
    while end < to, !isBlank(base[end]) { end += 1 }
    return (from..<end, end)
  }

  func value(named name: StaticString, base: UnsafeMutablePointer<UInt8>) -> Range<Int>? {
    value(base, name.utf8Start, name.utf8CodeUnitCount)
  }

  func value(named name: [UInt8], base: UnsafeMutablePointer<UInt8>) -> Range<Int>? {
    name.withUnsafeBufferPointer { name in name.baseAddress.flatMap { value(base, $0, name.count) } }
  }

  private func value(_ base: UnsafeMutablePointer<UInt8>, _ name: UnsafePointer<UInt8>, _ count: Int) -> Range<Int>? {
    for attribute in attributes where attribute.name.count == count {
      if memcmp(base + attribute.name.lowerBound, name, count) == 0 { return attribute.value }
    }
    return nil
  }
}
