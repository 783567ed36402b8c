/// Turns parsed views into one program for one shape of model: partials and parents are put in, blocks chosen, texts
/// looked up and every name bound.
struct Compiler {
  private let views: Views
  private var program = Program()
  /// Static bytes may join the instruction before only above this index: a body or a callable part begins here.
  private var barrier = 0
  private var openCalls: [OpenCall] = []

  /// A partial that is being compiled, for one that holds itself.
  private struct OpenCall {
    let key: String
    let start: Int
    var calls: [Int] = []
  }

  /// Where the compiler stands. Indentation: lines lose `remove` and gain `add`.
  private struct Place {
    var file: String
    var shapes: [Shape]
    var blocks: [String: Block] = [:]
    var add: [UInt8] = []
    var remove: [UInt8] = []

    func indent(_ space: [UInt8]) -> [UInt8] {
      add + (space.starts(with: remove) ? space.dropFirst(remove.count) : [])
    }
  }

  static func compile(_ name: String, _ shape: Shape, in views: Views) throws(TemplateError) -> Program {
    var compiler = Compiler(views: views)
    try compiler.compile(
      try views.nodes(of: name, from: nil), Place(file: views.file(of: name), shapes: [shape]))
    return compiler.program
  }

  private init(views: Views) { self.views = views }

  private mutating func compile(_ nodes: [Node], _ place: Place) throws(TemplateError) {
    for node in nodes {
      switch node {
      case .text(let text): emit(text)
      case .indent(let space): emit(place.indent(space))
      case .value(let tag): try compileValue(tag, place)
      case .section(let tag, let body): try compileSection(tag, body, place)
      case .partial(let tag, let indent): try insert(tag, indent, [], place)
      case .parent(let tag, let indent, let blocks): try insert(tag, indent, blocks, place)
      case .block(let block): try compile(block, place)
      }
    }
  }

  // MARK: Partials, parents, blocks

  private mutating func insert(
    _ tag: Tag, _ indent: [UInt8]?, _ blocks: [Block], _ place: Place
  ) throws(TemplateError) {
    guard let nodes = try findNodes(of: tag, place) else { return }
    var inner = place
    inner.file = views.file(of: tag.name)
    inner.add = indent.map(place.indent) ?? []
    inner.remove = []
    // What an outer view set wins over what this one sets.
    for block in blocks where inner.blocks[block.name] == nil { inner.blocks[block.name] = block }
    let key = key(of: tag.name, inner)
    if let open = openCalls.lastIndex(where: { $0.key == key }) {
      openCalls[open].calls.append(program.instructions.count)
      program.instructions.append(.call(start: Int32(openCalls[open].start), end: 0))
      return
    }
    guard openCalls.count < 64 else { throw fault("\"\(tag.name)\" holds itself without end", tag, place) }
    barrier = program.instructions.count
    openCalls.append(OpenCall(key: key, start: barrier))
    try compile(nodes, inner)
    guard let done = openCalls.popLast(), !done.calls.isEmpty else { return }
    for call in done.calls {
      program.instructions[call] = .call(start: Int32(done.start), end: Int32(program.instructions.count))
    }
    barrier = program.instructions.count
  }

  private func findNodes(of tag: Tag, _ place: Place) throws(TemplateError) -> [Node]? {
    if case .open = place.shapes[0], !views.has(tag.name) { return nil }
    return try views.nodes(of: tag.name, from: (place.file, tag.line))
  }

  /// Two insertions with the same key give the same instructions.
  private func key(of name: String, _ place: Place) -> String {
    let blocks = place.blocks.map { "\($0.key)=\(ObjectIdentifier($0.value).hashValue)" }.sorted()
    let depth = if case .open = place.shapes[0] { 0 } else { place.shapes.count }
    return "\(name)|\(place.add)|\(depth)|\(blocks)"
  }

  private mutating func compile(_ block: Block, _ place: Place) throws(TemplateError) {
    guard let chosen = place.blocks[block.name] else { return try compile(block.nodes, place) }
    var inner = place
    inner.file = chosen.file
    // A block of the same name inside what was chosen is a place with a default, not itself again without end.
    inner.blocks[block.name] = nil
    inner.add = place.indent(block.ownIndent ?? block.lineIndent)
    inner.remove = chosen.ownIndent ?? []
    var nodes = chosen.nodes[...]
    let beginsWithLine = if case .indent? = nodes.first { true } else { false }
    if beginsWithLine && !block.isAlone { nodes = nodes.dropFirst() }
    if !beginsWithLine && block.isAlone && !chosen.isAlone { emit(inner.add) }
    try compile(Array(nodes), inner)
  }

  // MARK: Values and sections

  private mutating func compileValue(_ tag: Tag, _ place: Place) throws(TemplateError) {
    if let text = try text(of: tag, place) {
      var escaped: [UInt8] = []
      escaped.append(escaped: text)
      return emit(escaped)
    }
    let found = try find(tag, place)
    let isRaw = tag.kind == .raw
    switch found.field {
    case .text where !isRaw: add(.text(level: found.level, offset: found.offset))
    case .optionalText where !isRaw: add(.optionalText(level: found.level, offset: found.offset))
    case .html where isRaw: add(.html(level: found.level, offset: found.offset))
    case .drawing(let draw) where isRaw: add(draw, found)
    case .wording(let spell) where !isRaw: add(spell, found)
    case .optionalWording(let spell, isEmpty: _) where !isRaw: add(spell, found)
    case .open(let shape):
      program.openNames.append(Program.OpenName(path: path(of: tag.name), shape: shape))
      add(.openText(Int32(program.openNames.count - 1), isEscaped: !isRaw))
    case .html, .drawing: throw fault("\(tag.name) is markup: write {{{\(tag.name)}}}", tag, place)
    case .text, .optionalText, .wording, .optionalWording:
      throw fault("\(tag.name) is a word and must be escaped: write {{\(tag.name)}}", tag, place)
    default: throw fault("\(tag.name) cannot be printed; it is opened by {{#\(tag.name)}}", tag, place)
    }
  }

  private mutating func compileSection(_ tag: Tag, _ body: [Node], _ place: Place) throws(TemplateError) {
    let found = try find(tag, place)
    let start = program.instructions.count
    add(.call(start: 0, end: 0))
    barrier = program.instructions.count
    let (level, offset) = (found.level, found.offset)
    var inner = place
    if tag.kind == .section, let shape = found.field.opened { inner.shapes.append(shape) }
    try compile(body, inner)
    let end = Int32(program.instructions.count)
    barrier = program.instructions.count
    let isInverted = tag.kind == .inverted
    switch found.field {
    case .flag:
      program.instructions[start] =
        isInverted
        ? .unlessFlag(level: level, offset: offset, end: end) : .ifFlag(level: level, offset: offset, end: end)
    case .text:
      program.instructions[start] =
        isInverted
        ? .unlessText(level: level, offset: offset, end: end) : .ifText(level: level, offset: offset, end: end)
    case .optionalText:
      program.instructions[start] =
        isInverted
        ? .unlessOptionalText(level: level, offset: offset, end: end)
        : .ifOptionalText(level: level, offset: offset, end: end)
    case .html:
      program.instructions[start] =
        isInverted
        ? .unlessHTML(level: level, offset: offset, end: end) : .ifHTML(level: level, offset: offset, end: end)
    case .part where !isInverted: program.instructions[start] = .part(level: level, offset: offset, end: end)
    case .each(let each, let isEmpty, _):
      program.lists.append(Program.List(each: each, isEmpty: isEmpty))
      let number = Int32(program.lists.count - 1)
      program.instructions[start] =
        isInverted
        ? .unlessAny(level: level, offset: offset, number, end: end)
        : .each(level: level, offset: offset, number, end: end)
    case .optionalWording(_, let isEmpty):
      program.lists.append(Program.List(each: { model, body in if !isEmpty(model) { body(model) } }, isEmpty: isEmpty))
      let number = Int32(program.lists.count - 1)
      program.instructions[start] =
        isInverted
        ? .unlessAny(level: level, offset: offset, number, end: end)
        : .each(level: level, offset: offset, number, end: end)
    case .open(let shape):
      program.openNames.append(Program.OpenName(path: path(of: tag.name), shape: shape))
      let number = Int32(program.openNames.count - 1)
      program.instructions[start] = isInverted ? .openUnless(number, end: end) : .openEach(number, end: end)
    default: throw fault("\(tag.name) cannot be a section of this kind", tag, place)
    }
  }

  // MARK: Names

  private struct Found {
    let field: BoundField
    let level: Int32
    let offset: Int32
  }

  /// `t.area.key` stands for a text of the language, when the views have one.
  private func text(of tag: Tag, _ place: Place) throws(TemplateError) -> String? {
    guard let texts = views.texts, tag.name.hasPrefix("t.") else { return nil }
    let key = String(tag.name.dropFirst(2))
    if tag.kind == .raw { throw fault("texts are always escaped: write {{\(tag.name)}}", tag, place) }
    guard let text = texts[key] else { throw fault("\(texts.file) has no text \"\(key)\"", tag, place) }
    return text
  }

  private func find(_ tag: Tag, _ place: Place) throws(TemplateError) -> Found {
    let path = path(of: tag.name)
    for level in place.shapes.indices.reversed() {
      switch place.shapes[level] {
      case .open(let shape): return Found(field: .open(shape), level: Int32(level), offset: 0)
      case .string where path.isEmpty: return Found(field: .text, level: Int32(level), offset: 0)
      case .wording(let spell) where path.isEmpty:
        return Found(field: .wording(spell), level: Int32(level), offset: 0)
      case .model(_, let fields):
        guard let first = path.first, let field = fields[first] else { break }
        return try follow(path.dropFirst(), from: field, level, tag, place)
      case .string, .wording: break
      }
      if path.isEmpty { throw fault("{{.}} stands for a word, and none is open here", tag, place) }
    }
    throw fault("\(describe(place.shapes)) no field \"\(tag.name)\"", tag, place)
  }

  private func follow(
    _ rest: ArraySlice<String>, from first: Field, _ level: Int, _ tag: Tag, _ place: Place
  ) throws(TemplateError) -> Found {
    var (field, base) = (first, 0)
    for name in rest {
      guard case .part(let offset, let shape) = field, case .model(let model, let fields) = shape() else {
        throw fault("\"\(name)\" of \(tag.name) is not in a part of the model", tag, place)
      }
      guard let next = fields[name] else { throw fault("\(model) has no field \"\(name)\"", tag, place) }
      (field, base) = (next, base + offset)
    }
    if case .broken(let reason) = field { throw fault("the field \(tag.name) \(reason)", tag, place) }
    return Found(field: BoundField(field), level: Int32(level), offset: Int32(base + field.offset))
  }

  private func describe(_ shapes: [Shape]) -> String {
    let names = shapes.reversed().compactMap { if case .model(let name, _) = $0 { name } else { nil } }
    return names.count == 1 ? "\(names[0]) has" : names.joined(separator: ", ") + " have"
  }

  private func path(of name: String) -> [String] {
    name == "." ? [] : name.split(separator: ".").map(String.init)
  }

  // MARK: Emitting

  private mutating func emit(_ text: [UInt8]) {
    guard !text.isEmpty else { return }
    let start = program.bytes.count
    program.bytes += text
    if program.instructions.count > barrier, case .bytes(let from, _)? = program.instructions.last {
      program.instructions[program.instructions.count - 1] = .bytes(
        start: from, count: Int32(program.bytes.count) - from)
    } else {
      program.instructions.append(.bytes(start: Int32(start), count: Int32(text.count)))
    }
  }

  private mutating func add(
    _ draw: @escaping @Sendable (UnsafeRawPointer, inout [UInt8]) -> Void, _ found: Found
  ) {
    program.drawings.append(draw)
    add(.drawing(level: found.level, offset: found.offset, Int32(program.drawings.count - 1)))
  }

  private mutating func add(_ instruction: Instruction) { program.instructions.append(instruction) }

  private func fault(_ message: String, _ tag: Tag, _ place: Place) -> TemplateError {
    TemplateError(file: place.file, line: tag.line, message: message)
  }
}
