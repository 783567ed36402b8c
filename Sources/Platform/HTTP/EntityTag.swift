/// An entity tag (RFC 9110 8.8.3): says whether what the client has is still what we would send.
package struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  package let value: String
  package let isWeak: Bool

  /// Characters that a tag may not hold are dropped.
  package init(_ value: String, isWeak: Bool = false) {
    self.value = String(decoding: value.utf8.filter(EntityTag.isTagCharacter), as: UTF8.self)
    self.isWeak = isWeak
  }

  package var text: String { isWeak ? "W/\"\(value)\"" : "\"\(value)\"" }

  /// True when If-None-Match names this tag or is "*": the answer to GET and HEAD is then 304. Compared weakly, as
  /// RFC 9110 13.1.2 asks. A field that cannot be read matches nothing.
  package func isNamed(by fields: HeaderFields) -> Bool {
    for field in fields.allBytes(of: "if-none-match") {
      if field.elementsEqual([ASCII.asterisk]) { return true }
      if EntityTag.parse(list: field)?.contains(where: { $0.value == value }) ?? false { return true }
    }
    return false
  }

  /// The tags of an If-None-Match or If-Match field; nil when it is broken.
  package static func parse(list: ArraySlice<UInt8>) -> [EntityTag]? {
    var tags: [EntityTag] = []
    var rest = list.trimmed
    while !rest.isEmpty {
      if rest.first == ASCII.comma {
        rest = rest.dropFirst().trimmed
        continue
      }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      guard rest.popFirst() == ASCII.quote, let end = rest.firstIndex(of: ASCII.quote),
        rest[..<end].allSatisfy(isTagCharacter)
      else { return nil }
      tags.append(EntityTag(String(decoding: rest[..<end], as: UTF8.self), isWeak: isWeak))
      rest = rest[end...].dropFirst().trimmed
      guard rest.isEmpty || rest.first == ASCII.comma else { return nil }
    }
    return tags
  }

  private static func isTagCharacter(_ byte: UInt8) -> Bool {
    byte == 0x21 || (0x23...0x7E).contains(byte) || byte >= 0x80
  }
}
