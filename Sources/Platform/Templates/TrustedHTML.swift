/// HTML that is written as it is. Only this room and the drawing parts of a product may make one, from markup that they
/// built themselves; words of people go through `.text` fields, which are escaped.
@usableFromInline package struct TrustedHTML: Sendable, Equatable {
  @usableFromInline let bytes: [UInt8]

  /// Takes over markup in which every word from outside is already escaped.
  @inlinable package init(drawn bytes: [UInt8]) { self.bytes = bytes }

  /// The markup, for a drawing that holds other drawings and for tests.
  @inlinable package var markup: [UInt8] { bytes }
}

/// A picture that writes its own markup while the page is written, without a buffer of its own: the values are in the
/// model, the SVG never exists apart from the page. Whatever conforms promises what `TrustedHTML(drawn:)` promises.
@usableFromInline package protocol Drawing: Sendable {
  /// Appends the markup. Must escape every word that did not come from the program itself.
  func draw(into out: inout [UInt8])
}

extension TrustedHTML: Drawing {
  @inlinable package func draw(into out: inout [UInt8]) { out.append(contentsOf: bytes) }
}

/// Words that are spelled while the page is written: a number or a date goes straight into the page, without a string that
/// nobody keeps. Printed like text; whatever conforms escapes what it writes.
@usableFromInline package protocol Wording: Sendable {
  /// Appends the words, safe in element content and in double-quoted attributes.
  func spell(into out: inout [UInt8])
}
