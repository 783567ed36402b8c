/// Builds the tree of a view from its tokens and removes the lines on which a tag stands alone.
struct Parser {
  private let file: String
  private let tokens: [Token]
  private var index = 0
  private var isLineStart = true
  private var lineIndent: [UInt8] = []

  static func parse(file: String, bytes: [UInt8]) throws(TemplateError) -> [Node] {
    var scanner = Scanner(file: file, bytes: bytes)
    var parser = Parser(file: file, tokens: try scanner.scan())
    return try parser.parseNodes(closing: nil, isArgument: false)
  }

  private init(file: String, tokens: [Token]) {
    self.file = file
    self.tokens = tokens
  }

  /// Reads up to the end tag of `opening`, or to the end of the file. `isArgument`: the nodes are those of a block
  /// directly inside a parent tag, where white space before the end tag is not content.
  private mutating func parseNodes(closing opening: Tag?, isArgument: Bool) throws(TemplateError) -> [Node] {
    var nodes: [Node] = []
    while index < tokens.count {
      switch tokens[index] {
      case .text(let text): take(text, isArgument: isArgument, into: &nodes)
      case .lineEnd(let end):
        nodes.append(.text(end))
        startLine()
        index += 1
      case .tag(let tag) where tag.kind == .end:
        guard let opening, opening.name == tag.name else {
          throw fault(
            opening.map { "{{/\(tag.name)}} ends {{\($0.name)}} of line \($0.line)" } ?? "nothing to end", tag)
        }
        let isAlone = standsAlone(index)
        index += 1
        if isAlone && !isArgument { skipLine() }
        return nodes
      case .tag(let tag): try parse(tag, into: &nodes)
      }
    }
    if let opening { throw fault("{{\(opening.name)}} has no end", opening) }
    return nodes
  }

  private mutating func take(_ text: [UInt8], isArgument: Bool, into nodes: inout [Node]) {
    defer { index += 1 }
    guard isLineStart else { return nodes.append(.text(text)) }
    let space = Array(text.prefix(while: { $0 == 0x20 || $0 == 0x09 }))
    if space.count == text.count, isBlank(text), isFollowedByLoneTag(isArgument) { return }
    lineIndent = space
    isLineStart = false
    nodes.append(.indent(space))
    if space.count < text.count { nodes.append(.text(Array(text[space.count...]))) }
  }

  private func isFollowedByLoneTag(_ isArgument: Bool) -> Bool {
    guard index + 1 < tokens.count, case .tag(let tag) = tokens[index + 1] else { return false }
    return standsAlone(index + 1) || (isArgument && tag.kind == .end)
  }

  private mutating func parse(_ tag: Tag, into nodes: inout [Node]) throws(TemplateError) {
    let place = index
    let isAlone = standsAlone(place)
    let leading = isAlone ? spaceBefore(place) : []
    if !isAlone, tag.kind != .comment, tag.kind != .delimiters, isLineStart {
      nodes.append(.indent([]))
      lineIndent = []
      isLineStart = false
    }
    index += 1
    switch tag.kind {
    case .escaped, .raw: nodes.append(.value(tag))
    case .section, .inverted:
      if isAlone { skipLine() }
      nodes.append(.section(tag, try parseNodes(closing: tag, isArgument: false)))
    case .block: nodes.append(.block(try parseBlock(tag, isAlone: isAlone, leading: leading, isArgument: false)))
    case .parent:
      let blocks = try parseArguments(of: tag)
      if isAlone { skipLine() }
      nodes.append(.parent(tag, indent: isAlone ? leading : nil, blocks: blocks))
    case .partial:
      if isAlone { skipLine() }
      nodes.append(.partial(tag, indent: isAlone ? leading : nil))
    case .comment, .delimiters: if isAlone { skipLine() }
    case .end: throw fault("nothing to end", tag)
    }
  }

  private mutating func parseBlock(
    _ tag: Tag, isAlone: Bool, leading: [UInt8], isArgument: Bool
  ) throws(TemplateError) -> Block {
    let space = isAlone ? leading : lineIndent
    if isAlone { skipLine() } else { isLineStart = false }
    let nodes = try parseNodes(closing: tag, isArgument: isArgument)
    return Block(file: file, name: tag.name, nodes: nodes, isAlone: isAlone, lineIndent: space)
  }

  /// Inside a parent tag only blocks count; text between them is a remark.
  private mutating func parseArguments(of parent: Tag) throws(TemplateError) -> [Block] {
    var blocks: [Block] = []
    let (wasLineStart, indent) = (isLineStart, lineIndent)
    defer { (isLineStart, lineIndent) = (wasLineStart, indent) }
    while index < tokens.count {
      guard case .tag(let tag) = tokens[index] else {
        index += 1
        continue
      }
      let isAlone = isBlankAfter(index)
      index += 1
      switch tag.kind {
      case .block: blocks.append(try parseBlock(tag, isAlone: isAlone, leading: [], isArgument: true))
      case .comment, .delimiters: break
      case .end where tag.name == parent.name: return blocks
      case .end: throw fault("{{/\(tag.name)}} ends {{<\(parent.name)}} of line \(parent.line)", tag)
      default: throw fault("only blocks may stand inside {{<\(parent.name)}}", tag)
      }
    }
    throw fault("{{<\(parent.name)}} has no end", parent)
  }

  /// Whether the line goes away with the tag. A parent tag reaches to its end tag.
  private func standsAlone(_ place: Int) -> Bool {
    guard case .tag(let tag) = tokens[place], tag.mayStandAlone, isBlankBefore(place) else { return false }
    if tag.kind == .parent { return endOfParent(place).map(isBlankAfter) ?? false }
    return isBlankAfter(place)
  }

  private func endOfParent(_ place: Int) -> Int? {
    var depth = 0
    for position in place..<tokens.count {
      guard case .tag(let tag) = tokens[position] else { continue }
      switch tag.kind {
      case .parent, .section, .inverted, .block: depth += 1
      case .end: depth -= 1
      default: break
      }
      if depth == 0 { return position }
    }
    return nil
  }

  private func isBlankBefore(_ place: Int) -> Bool {
    guard place > 0 else { return true }
    switch tokens[place - 1] {
    case .lineEnd: return true
    case .tag: return false
    case .text(let text):
      guard isBlank(text) else { return false }
      guard place > 1 else { return true }
      if case .lineEnd = tokens[place - 2] { return true }
      return false
    }
  }

  private func isBlankAfter(_ place: Int) -> Bool {
    guard place + 1 < tokens.count else { return true }
    switch tokens[place + 1] {
    case .lineEnd: return true
    case .tag: return false
    case .text(let text):
      guard isBlank(text) else { return false }
      guard place + 2 < tokens.count else { return true }
      if case .lineEnd = tokens[place + 2] { return true }
      return false
    }
  }

  private func spaceBefore(_ place: Int) -> [UInt8] {
    guard place > 0, case .text(let text) = tokens[place - 1] else { return [] }
    return text
  }

  /// Drops white space and the line end after a tag that stood alone.
  private mutating func skipLine() {
    if index < tokens.count, case .text(let text) = tokens[index], isBlank(text) { index += 1 }
    if index < tokens.count, case .lineEnd = tokens[index] { index += 1 }
    startLine()
  }

  private mutating func startLine() {
    isLineStart = true
    lineIndent = []
  }

  private func fault(_ message: String, _ tag: Tag) -> TemplateError {
    TemplateError(file: file, line: tag.line, message: message)
  }
}

private func isBlank(_ text: [UInt8]) -> Bool { text.allSatisfy(isSpace) }
