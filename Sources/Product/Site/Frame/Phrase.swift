import Templates

/// A text with places for words, `{name}`, cut up once at start.
struct Phrase: Sendable, Equatable {
  enum Piece: Sendable, Equatable {
    case text(String)
    case place(String)
  }
  let pieces: [Piece]

  init(_ text: String) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      pieces.append(.place(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty || pieces.isEmpty { pieces.append(.text(String(rest))) }
    self.pieces = pieces
  }

  /// Puts words into the places; a place that is not named stays empty.
  func filled(_ word: (String) -> String?) -> String {
    if pieces.count == 1, case .text(let text) = pieces[0] { return text }
    var filled = ""
    for piece in pieces {
      switch piece {
      case .text(let text): filled += text
      case .place(let name): filled += word(name) ?? ""
      }
    }
    return filled
  }

  /// Straight into a page; `spell` writes what belongs into a place, escaped.
  func append(to out: inout [UInt8], _ spell: (String, inout [UInt8]) -> Void) {
    for piece in pieces {
      switch piece {
      case .text(let text): out.append(escaped: text)
      case .place(let name): spell(name, &out)
      }
    }
  }
}
