/// Header fields in the order in which they came or will go, names in lower case.
///
/// One buffer holds all names and values, a table of offsets says where: a request's head becomes fields without
/// a String per field, and the fields of an answer lie in the buffer as they go to the wire. Look-up is linear
/// (heads have 10–20 fields) and compares lengths first. Strings are made when asked for.
package struct HeaderFields: Sendable {
  /// Where a field's name and value lie in the buffer.
  package struct Slot: Sendable {
    package var name: Int32
    package var nameLength: Int32
    package var value: Int32
    package var valueLength: Int32

    @inlinable package init(name: Int, nameLength: Int, value: Int, valueLength: Int) {
      self.name = Int32(truncatingIfNeeded: name)
      self.nameLength = Int32(truncatingIfNeeded: nameLength)
      self.value = Int32(truncatingIfNeeded: value)
      self.valueLength = Int32(truncatingIfNeeded: valueLength)
    }

    @inlinable package var nameRange: Range<Int> { Int(name)..<Int(name) + Int(nameLength) }
    @inlinable package var valueRange: Range<Int> { Int(value)..<Int(value) + Int(valueLength) }
  }

  @usableFromInline var bytes: [UInt8]
  @usableFromInline var slots: [Slot]
  /// False for a parsed head: its buffer has other bytes between the fields.
  @usableFromInline var isWireForm: Bool

  package init() {
    bytes = []
    slots = []
    isWireForm = true
  }

  package init(_ fields: [(String, String)]) {
    self.init()
    for (name, value) in fields { append(name, value) }
  }

  /// For the wire's parser: `slots` must lie inside `head`, with names already in lower case and values trimmed.
  /// Slots outside the buffer are dropped.
  package init(head: [UInt8], slots: [Slot]) {
    bytes = head
    let count = head.count
    let fits = slots.allSatisfy {
      $0.name >= 0 && $0.nameLength >= 0 && $0.value >= 0 && $0.valueLength >= 0
        && Int($0.name) + Int($0.nameLength) <= count && Int($0.value) + Int($0.valueLength) <= count
    }
    self.slots = fits ? slots : []
    isWireForm = false
  }

  package var count: Int { slots.count }
  package var isEmpty: Bool { slots.isEmpty }

  /// The first value of that name (any case). Setting replaces all of that name; nil removes them.
  package subscript(name: String) -> String? {
    get { slot(of: name).map { text($0.valueRange) } }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  package func contains(_ name: String) -> Bool { slot(of: name) != nil }

  /// Every value of that name, in order.
  package func values(_ name: String) -> [String] {
    var found: [String] = []
    for slot in slots where matches(slot, name) { found.append(text(slot.valueRange)) }
    return found
  }

  /// Adds a field. Control characters in the value become spaces and foreign characters in the name hyphens, so
  /// that no value can start a field of its own.
  package mutating func append(_ name: String, _ value: String) {
    if !isWireForm { rebuild() }
    var (name, value) = (name, value)
    let start = bytes.count
    name.withUTF8 { utf8 in
      for byte in utf8 { bytes.append(byte.isTokenCharacter ? byte.lowercasedASCII : ASCII.hyphen) }
    }
    let nameLength = bytes.count &- start
    bytes.append(ASCII.colon)
    bytes.append(ASCII.space)
    let valueStart = bytes.count
    value.withUTF8 { utf8 in
      if utf8.contains(where: { $0.isControl && $0 != ASCII.tab }) {
        for byte in utf8 { bytes.append(byte.isControl && byte != ASCII.tab ? ASCII.space : byte) }
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    let valueLength = bytes.count &- valueStart
    bytes.append(ASCII.carriageReturn)
    bytes.append(ASCII.lineFeed)
    slots.append(Slot(name: start, nameLength: nameLength, value: valueStart, valueLength: valueLength))
  }

  /// Makes room for `fields` more fields of `bytes` bytes together.
  package mutating func reserve(fields: Int, bytes count: Int) {
    slots.reserveCapacity(slots.count + fields)
    bytes.reserveCapacity(bytes.count + count)
  }

  package mutating func remove(_ name: String) {
    guard contains(name) else { return }
    slots = slots.filter { !matches($0, name) }
    rebuild()
  }

  /// Appends the fields as they go to the wire: `name: value` and CRLF each, without the final empty line.
  package func write(into output: inout [UInt8]) {
    if isWireForm {
      output.append(contentsOf: bytes)
    } else {
      var copy = self
      copy.rebuild()
      output.append(contentsOf: copy.bytes)
    }
  }

  /// True when one of the comma-separated elements of that name is `token` in any case.
  package func has(token: String, in name: String) -> Bool {
    hasElement(of: name, separator: ASCII.comma) { bytes, element in bytes.equals(element, token) }
  }

  /// Goes over the pieces between separators of all fields of that name, blanks cut off, until `body` says true.
  func hasElement(of name: String, separator: UInt8, where body: (Span<UInt8>, Range<Int>) -> Bool) -> Bool {
    let all = bytes.span
    for slot in slots where matches(slot, name) {
      var start = Int(slot.value)
      let end = slot.valueRange.upperBound
      while start <= end {
        var next = start
        while next < end, all[next] != separator { next &+= 1 }
        if body(all, all.trimmed(start..<next)) { return true }
        start = next &+ 1
      }
    }
    return false
  }

  /// The bytes of the first value of that name, for parsers that need no String.
  package func bytes(of name: String) -> ArraySlice<UInt8>? {
    slot(of: name).map { bytes[$0.valueRange] }
  }

  /// The bytes of every value of that name.
  package func allBytes(of name: String) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    for slot in slots where matches(slot, name) { found.append(bytes[slot.valueRange]) }
    return found
  }

  /// Whether a field is there that the wire writes itself: date, connection, keep-alive, content-length,
  /// transfer-encoding. Cheap: asked for every answer.
  package var haveFraming: Bool {
    for slot in slots {
      switch slot.nameLength {
      case 4 where matches(slot, "date"): return true
      case 10 where matches(slot, "connection") || matches(slot, "keep-alive"): return true
      case 14 where matches(slot, "content-length"): return true
      case 17 where matches(slot, "transfer-encoding"): return true
      default: continue
      }
    }
    return false
  }

  private func slot(of name: String) -> Slot? {
    for slot in slots where matches(slot, name) { return slot }
    return nil
  }

  private func matches(_ slot: Slot, _ name: String) -> Bool {
    Int(slot.nameLength) == name.utf8.count && bytes.span.equals(slot.nameRange, name)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func rebuild() {
    var fresh = HeaderFields()
    fresh.bytes.reserveCapacity(bytes.count)
    for slot in slots { fresh.append(text(slot.nameRange), text(slot.valueRange)) }
    self = fresh
  }
}

extension HeaderFields: Sequence {
  package func makeIterator() -> AnyIterator<(name: String, value: String)> {
    var index = 0
    return AnyIterator {
      guard index < slots.count else { return nil }
      defer { index += 1 }
      return (text(slots[index].nameRange), text(slots[index].valueRange))
    }
  }
}

extension HeaderFields: Equatable {
  package static func == (left: HeaderFields, right: HeaderFields) -> Bool {
    left.elementsEqual(right) { $0 == $1 }
  }
}

extension Span<UInt8> {
  /// `range` without spaces and tabs at both ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start].isBlank { start &+= 1 }
    while end > start, self[end &- 1].isBlank { end &-= 1 }
    return start..<end
  }

  /// The bytes in `range` equal `text` without regard to ASCII case.
  func equals(_ range: Range<Int>, _ text: String) -> Bool {
    guard range.count == text.utf8.count else { return false }
    var index = range.lowerBound
    for byte in text.utf8 {
      if self[index].lowercasedASCII != byte.lowercasedASCII { return false }
      index &+= 1
    }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// Without spaces and tabs at both ends.
  package var trimmed: ArraySlice<UInt8> {
    var slice = self
    while let first = slice.first, first.isBlank { slice.removeFirst() }
    while let last = slice.last, last.isBlank { slice.removeLast() }
    return slice
  }

  /// Equal to `text` without regard to ASCII case.
  package func equals(_ text: String) -> Bool {
    count == text.utf8.count && zip(self, text.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
  }
}
