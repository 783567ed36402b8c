/// Cuts a view into text, line ends and tags; knows delimiters and nothing of structure.
struct Scanner {
  private let file: String
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var opening: [UInt8] = Array("{{".utf8)
  private var closing: [UInt8] = Array("}}".utf8)
  private var tokens: [Token] = []

  init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
  }

  mutating func scan() throws(TemplateError) -> [Token] {
    var textStart = index
    while index < bytes.count {
      if starts(with: opening) {
        take(textFrom: textStart)
        try scanTag()
        textStart = index
      } else if bytes[index] == 0x0A {
        let isLong = index > textStart && bytes[index - 1] == 0x0D
        take(textFrom: textStart, to: isLong ? index - 1 : index)
        tokens.append(.lineEnd(isLong ? [0x0D, 0x0A] : [0x0A]))
        line += 1
        index += 1
        textStart = index
      } else {
        index += 1
      }
    }
    take(textFrom: textStart)
    return tokens
  }

  private mutating func take(textFrom start: Int, to end: Int? = nil) {
    let end = end ?? index
    if end > start { tokens.append(.text(Array(bytes[start..<end]))) }
  }

  private mutating func scanTag() throws(TemplateError) {
    let startLine = line
    index += opening.count
    let sigil = index < bytes.count ? bytes[index] : 0
    let kind = kind(of: sigil)
    if kind != .escaped || sigil == UInt8(ascii: "{") { index += 1 }
    var ending = closing
    if sigil == UInt8(ascii: "{") { ending.insert(UInt8(ascii: "}"), at: 0) }
    if kind == .delimiters { ending.insert(UInt8(ascii: "="), at: 0) }
    let contentStart = index
    while index < bytes.count, !starts(with: ending) {
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
    guard index < bytes.count else { throw fault("the tag that begins here has no end", startLine) }
    let content = trimmed(bytes[contentStart..<index])
    index += ending.count
    let name = String(decoding: content, as: UTF8.self)
    if kind == .delimiters { try setDelimiters(content, startLine) }
    if kind != .comment && kind != .delimiters { try check(name, startLine) }
    tokens.append(.tag(Tag(kind: kind, name: name, line: startLine)))
  }

  private func kind(of sigil: UInt8) -> Tag.Kind {
    switch sigil {
    case UInt8(ascii: "{"), UInt8(ascii: "&"): .raw
    case UInt8(ascii: "#"): .section
    case UInt8(ascii: "^"): .inverted
    case UInt8(ascii: "/"): .end
    case UInt8(ascii: ">"): .partial
    case UInt8(ascii: "<"): .parent
    case UInt8(ascii: "$"): .block
    case UInt8(ascii: "!"): .comment
    case UInt8(ascii: "="): .delimiters
    default: .escaped
    }
  }

  private func check(_ name: String, _ line: Int) throws(TemplateError) {
    if name.isEmpty { throw fault("a tag without a name", line) }
    if name.hasPrefix("*") { throw fault("dynamic names are not supported: {{…\(name)}}", line) }
    if name.utf8.contains(where: isSpace) { throw fault("a name may not hold a space: \"\(name)\"", line) }
  }

  private mutating func setDelimiters(_ content: ArraySlice<UInt8>, _ line: Int) throws(TemplateError) {
    let parts = content.split(whereSeparator: isSpace)
    guard parts.count == 2, !content.contains(UInt8(ascii: "=")) else {
      throw fault("a change of delimiters is written {{=<% %>=}}", line)
    }
    opening = Array(parts[0])
    closing = Array(parts[1])
  }

  private func starts(with word: [UInt8]) -> Bool {
    guard bytes[index] == word[0], index + word.count <= bytes.count else { return false }
    return bytes[index..<index + word.count].elementsEqual(word)
  }

  private func fault(_ message: String, _ line: Int) -> TemplateError {
    TemplateError(file: file, line: line, message: message)
  }
}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return [] }
  return bytes[first...last]
}
