/// Where the value of a name is found, once the type of the model is forgotten. Offsets count from the start of the
/// model in memory and come from `MemoryLayout.offset(of:)`, so a stored property is read without a call.
@usableFromInline package enum Field: Sendable {
  case text(offset: Int)
  case optionalText(offset: Int)
  case html(offset: Int)
  case flag(offset: Int)
  /// Takes the address of the model.
  case drawing(@Sendable (UnsafeRawPointer, inout [UInt8]) -> Void)
  /// Words that spell themselves, escaped. Takes the address of the model.
  case wording(@Sendable (UnsafeRawPointer, inout [UInt8]) -> Void)
  /// Words that may be missing.
  case optionalWording(
    @Sendable (UnsafeRawPointer, inout [UInt8]) -> Void, isEmpty: @Sendable (UnsafeRawPointer) -> Bool)
  /// A model inside the model, at a fixed place.
  case part(offset: Int, shape: @Sendable () -> Shape)
  /// Calls back with the address of each element: none, one (an optional) or many (a list).
  case each(
    @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void, isEmpty: @Sendable (UnsafeRawPointer) -> Bool,
    shape: @Sendable () -> Shape)
  /// Declared wrongly; the message is reported with the line that uses it.
  case broken(String)
}

/// What the compiler knows about one level of the data: which names it has.
@usableFromInline package enum Shape: Sendable {
  case model(String, [String: Field])
  /// A list of strings or an optional string: only `{{.}}` is there.
  case string
  /// Words that spell themselves: only `{{.}}` is there, at the address of the model that holds them.
  case wording(@Sendable (UnsafeRawPointer, inout [UInt8]) -> Void)
  /// Names are looked up while rendering. Only tests use it, to run the specification's loosely typed data.
  case open(OpenShape)
}

/// Data whose names are known only while rendering. The addresses are those that `each` handed out, outermost first.
@usableFromInline package struct OpenShape: Sendable {
  package typealias Stack = UnsafeBufferPointer<UnsafeRawPointer>
  package let write: @Sendable (_ path: [String], Stack, _ isEscaped: Bool, inout [UInt8]) -> Void
  package let each: @Sendable (_ path: [String], Stack, (UnsafeRawPointer) -> Void) -> Void
  package let isEmpty: @Sendable (_ path: [String], Stack) -> Bool

  package init(
    write: @escaping @Sendable ([String], Stack, Bool, inout [UInt8]) -> Void,
    each: @escaping @Sendable ([String], Stack, (UnsafeRawPointer) -> Void) -> Void,
    isEmpty: @escaping @Sendable ([String], Stack) -> Bool
  ) {
    self.write = write
    self.each = each
    self.isEmpty = isEmpty
  }
}

/// A field with its offset taken out, as the compiler handles it.
enum BoundField {
  case text, optionalText, html, flag
  case drawing(@Sendable (UnsafeRawPointer, inout [UInt8]) -> Void)
  case wording(@Sendable (UnsafeRawPointer, inout [UInt8]) -> Void)
  case optionalWording(
    @Sendable (UnsafeRawPointer, inout [UInt8]) -> Void, isEmpty: @Sendable (UnsafeRawPointer) -> Bool)
  case part(Shape)
  case each(
    @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void, isEmpty: @Sendable (UnsafeRawPointer) -> Bool,
    Shape)
  case open(OpenShape)

  init(_ field: Field) {
    switch field {
    case .text: self = .text
    case .optionalText: self = .optionalText
    case .html: self = .html
    case .flag, .broken: self = .flag
    case .drawing(let draw): self = .drawing(draw)
    case .wording(let spell): self = .wording(spell)
    case .optionalWording(let spell, let isEmpty): self = .optionalWording(spell, isEmpty: isEmpty)
    case .part(_, let shape): self = .part(shape())
    case .each(let each, let isEmpty, let shape): self = .each(each, isEmpty: isEmpty, shape())
    }
  }

  /// The shape that a section of this field opens; nil for conditions, which open nothing.
  var opened: Shape? {
    switch self {
    case .text, .optionalText: .string
    case .optionalWording(let spell, isEmpty: _): .wording(spell)
    case .part(let shape), .each(_, isEmpty: _, let shape): shape
    case .open(let shape): .open(shape)
    case .html, .flag, .drawing, .wording: nil
    }
  }
}

extension Field {
  /// Bytes from the start of the model; drawings and lists carry their own.
  var offset: Int {
    switch self {
    case .text(let offset), .optionalText(let offset), .html(let offset), .flag(let offset): offset
    case .part(let offset, _): offset
    case .drawing, .wording, .optionalWording, .each, .broken: 0
    }
  }
}
