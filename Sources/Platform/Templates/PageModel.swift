/// The finished words and pictures of one page, or of a part of it. A view may name exactly the fields declared here.
@usableFromInline package protocol PageModel: Sendable {
  /// The names that views use, each bound to a stored property. Computed properties are refused at start.
  static var fields: Fields<Self> { get }
}

extension PageModel {
  static var shape: Shape { .model(String(describing: Self.self), fields.byName) }
}

/// The fields of a model: name in the view → place in memory.
@usableFromInline package struct Fields<Model>: Sendable {
  let byName: [String: Field]

  package init(_ entries: Entry...) {
    byName = Dictionary(
      entries.map { ($0.name, $0.field) }, uniquingKeysWith: { _, _ in .broken("is declared twice") })
  }

  /// One name of a model.
  @usableFromInline package struct Entry: Sendable {
    let name: String
    let field: Field

    @usableFromInline init(_ name: String, _ field: Field) {
      self.name = name
      self.field = field
    }

    @usableFromInline init(_ name: String, at offset: Int?, _ field: (Int) -> Field) {
      self.init(name, offset.map(field) ?? .broken("is not a stored property"))
    }
  }
}

extension Fields.Entry {
  /// A word: escaped. As a section it is shown when it is not empty.
  package static func text(_ name: String, _ path: KeyPath<Model, String>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { .text(offset: $0) }
  }

  /// A word that may be missing: escaped, nothing when nil. As a section it is shown when present, `{{.}}` is the word.
  package static func text(_ name: String, _ path: KeyPath<Model, String?>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { .optionalText(offset: $0) }
  }

  /// Markup: only `{{{name}}}` or `{{&name}}` may print it. As a section it is shown when it is not empty.
  package static func html(_ name: String, _ path: KeyPath<Model, TrustedHTML>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { .html(offset: $0) }
  }

  /// A condition for `{{#name}}` and `{{^name}}`.
  package static func flag(_ name: String, _ path: KeyPath<Model, Bool>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { .flag(offset: $0) }
  }

  /// A picture drawn straight into the page; printed like markup.
  @inlinable package static func drawing<Picture: Drawing>(_ name: String, _ path: KeyPath<Model, Picture>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { offset in
      .drawing { model, out in
        (model + offset).assumingMemoryBound(to: Picture.self).pointee.draw(into: &out)
      }
    }
  }

  /// Words that spell themselves: printed like a word.
  @inlinable package static func words<Words: Wording>(_ name: String, _ path: KeyPath<Model, Words>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { offset in
      .wording { model, out in
        (model + offset).assumingMemoryBound(to: Words.self).pointee.spell(into: &out)
      }
    }
  }

  /// Words that spell themselves and may be missing; a section shows them when present, `{{.}}` are the words.
  @inlinable package static func words<Words: Wording>(_ name: String, _ path: KeyPath<Model, Words?>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { offset in
      .optionalWording(
        { model, out in (model + offset).assumingMemoryBound(to: Words?.self).pointee?.spell(into: &out) },
        isEmpty: { model in
          if case .none = (model + offset).assumingMemoryBound(to: Words?.self).pointee { true } else { false }
        })
    }
  }

  /// A model within the model: `{{name.field}}`, or a section that opens it.
  package static func part<Part: PageModel>(_ name: String, _ path: KeyPath<Model, Part>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { .part(offset: $0, shape: { Part.shape }) }
  }

  /// Rows: the section is written once for each.
  @inlinable package static func list<Row: PageModel>(_ name: String, _ path: KeyPath<Model, [Row]>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { rows(at: $0, of: Row.self, shape: shape(of: Row.self)) }
  }

  /// Words: the section is written once for each, `{{.}}` is the word.
  @inlinable package static func list(_ name: String, _ path: KeyPath<Model, [String]>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { rows(at: $0, of: String.self, shape: { .string }) }
  }

  /// A model that may be missing: the section opens it, the inverted section stands in for it.
  @inlinable package static func optional<Part: PageModel>(_ name: String, _ path: KeyPath<Model, Part?>) -> Self {
    Self(name, at: MemoryLayout<Model>.offset(of: path)) { offset in
      .each(
        { model, body in
          let place = (model + offset).assumingMemoryBound(to: Part?.self)
          if let part = place.pointee { withUnsafePointer(to: part) { body(UnsafeRawPointer($0)) } }
        },
        isEmpty: { model in
          if case .none = (model + offset).assumingMemoryBound(to: Part?.self).pointee { true } else { false }
        }, shape: shape(of: Part.self))
    }
  }

  @usableFromInline static func shape<Part: PageModel>(of: Part.Type) -> @Sendable () -> Shape {
    { Part.shape }
  }

  @inlinable static func rows<Row>(at offset: Int, of: Row.Type, shape: @escaping @Sendable () -> Shape) -> Field {
    .each(
      { model, body in
        (model + offset).assumingMemoryBound(to: [Row].self).pointee.withUnsafeBufferPointer { rows in
          guard let first = rows.baseAddress else { return }
          for index in 0..<rows.count { body(UnsafeRawPointer(first + index)) }
        }
      },
      isEmpty: { (model: UnsafeRawPointer) in
        (model + offset).assumingMemoryBound(to: [Row].self).pointee.isEmpty
      }, shape: shape)
  }
}
