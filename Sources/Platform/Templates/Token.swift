/// What the scanner cuts a view into. Lines are kept apart because Mustache removes a line on which a tag stands alone.
enum Token {
  case text([UInt8])
  /// "\n" or "\r\n".
  case lineEnd([UInt8])
  case tag(Tag)
}

struct Tag: Sendable {
  enum Kind: Sendable {
    case escaped, raw, section, inverted, end, partial, parent, block, comment, delimiters
  }
  let kind: Kind
  let name: String
  let line: Int

  /// mustache(5): comments, delimiters, sections and partials vanish with the line on which they stand alone.
  var mayStandAlone: Bool { kind != .escaped && kind != .raw }
}
