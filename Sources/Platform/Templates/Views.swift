/// All views of one language, parsed. Made once at start; immutable, so that every thread may hold it.
package struct Views: Sendable {
  private let folder: String
  /// Every file that was read, one behind the other: changes with any of them.
  package let content: [UInt8]
  private let parsed: [String: [Node]]
  let texts: Texts?

  /// Reads and parses every `.html` file below a folder. A fault in any of them, used or not, is thrown.
  package static func load(folder: String, texts: Texts?) throws(TemplateError) -> Views {
    var parsed: [String: [Node]] = [:]
    var content: [UInt8] = []
    for name in try filesBelow(folder, ending: ".html").sorted() {
      let file = folder + "/" + name + ".html"
      let bytes = try readFile(file)
      parsed[name] = try Parser.parse(file: file, bytes: bytes)
      content += Array(name.utf8) + [0] + bytes + [0]
    }
    return Views(folder: folder, parsed: parsed, texts: texts, content: content)
  }

  /// Views that are not in files: for tests, by name.
  package init(sources: [String: String], texts: Texts? = nil) throws(TemplateError) {
    var parsed: [String: [Node]] = [:]
    for (name, source) in sources {
      parsed[name] = try Parser.parse(file: "views/\(name).html", bytes: Array(source.utf8))
    }
    self.init(folder: "views", parsed: parsed, texts: texts, content: [])
  }

  private init(folder: String, parsed: [String: [Node]], texts: Texts?, content: [UInt8]) {
    self.folder = folder
    self.content = content
    self.parsed = parsed
    self.texts = texts
  }

  /// The same views in another language.
  package func with(texts: Texts) -> Views { Views(folder: folder, parsed: parsed, texts: texts, content: content) }

  /// Compiles the view of a name (`history/month`) for its model. Throws when a field, partial or text is missing or of
  /// the wrong kind, with the place that names it.
  package func page<Model: PageModel>(_ name: String, _ model: Model.Type) throws(TemplateError) -> View<Model> {
    View(name: name, program: try Compiler.compile(name, Model.shape, in: self))
  }

  /// Compiles a view for data whose names are known only while rendering; see `OpenShape`.
  package func page(_ name: String, open shape: OpenShape) throws(TemplateError) -> OpenView {
    OpenView(program: try Compiler.compile(name, .open(shape), in: self))
  }

  func has(_ name: String) -> Bool { parsed[name] != nil }

  func file(of name: String) -> String { "\(folder)/\(name).html" }

  func nodes(of name: String, from place: (file: String, line: Int)?) throws(TemplateError) -> [Node] {
    if let nodes = parsed[name] { return nodes }
    throw TemplateError(
      file: place?.file ?? file(of: name), line: place?.line ?? 0, message: "there is no view \"\(name)\"")
  }
}

/// A compiled view of one model.
package struct View<Model: PageModel>: Sendable {
  /// As it was asked for: `history/month`.
  package let name: String
  let program: Program

  /// Appends the page. Allocates nothing but what the buffer and the drawings need.
  package func render(_ model: Model, into out: inout [UInt8]) {
    withUnsafePointer(to: model) { program.run(model: UnsafeRawPointer($0), into: &out) }
  }
}

/// A compiled view of open data; `root` is the address that its closures understand as the outermost level.
package struct OpenView: Sendable {
  let program: Program

  package func render(root: UnsafeRawPointer, into out: inout [UInt8]) {
    program.run(model: root, into: &out)
  }
}
