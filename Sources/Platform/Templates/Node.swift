/// A parsed view. White space at the start of each line is kept apart as `indent`, because partials, parents and blocks
/// move lines to the indentation of the place where they are put.
indirect enum Node: Sendable {
  case text([UInt8])
  case indent([UInt8])
  case value(Tag)
  case section(Tag, [Node])
  /// The indentation of a partial that stands alone on its line; nil inside a line.
  case partial(Tag, indent: [UInt8]?)
  case parent(Tag, indent: [UInt8]?, blocks: [Block])
  case block(Block)
}

/// A place that may be overridden (outside a parent tag) or what overrides it (inside one).
final class Block: Sendable {
  let file: String
  let name: String
  let nodes: [Node]
  /// The opening tag stands alone, so that the content begins with a line of its own.
  let isAlone: Bool
  /// Indentation of the line on which the opening tag stands.
  let lineIndent: [UInt8]

  init(file: String, name: String, nodes: [Node], isAlone: Bool, lineIndent: [UInt8]) {
    self.file = file
    self.name = name
    self.nodes = nodes
    self.isAlone = isAlone
    self.lineIndent = lineIndent
  }

  /// The indentation that the content has by itself: that of its first line.
  var ownIndent: [UInt8]? { isAlone ? firstIndent(in: nodes) : nil }
}

private func firstIndent(in nodes: [Node]) -> [UInt8]? {
  for node in nodes {
    switch node {
    case .indent(let space): return space
    case .section(_, let inner): if let space = firstIndent(in: inner) { return space }
    case .block(let block): return firstIndent(in: block.nodes) ?? block.lineIndent
    case .partial(_, let space?), .parent(_, let space?, _): return space
    default: return nil
    }
  }
  return nil
}
