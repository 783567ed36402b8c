/// Which elements a reader reports; everything else is passed over unread.
package struct XMLInterest: Sendable {
  /// An element that is reported only if this attribute has this value.
  package struct Condition: Sendable {
    let attribute: [UInt8]
    let value: [UInt8]

    package init(attribute: String, value: String) {
      self.attribute = Array(attribute.utf8)
      self.value = Array(value.utf8)
    }
  }

  struct Element: Sendable {
    let name: [UInt8]
    let counted: Bool
    let condition: Condition?
  }

  let root: [UInt8]
  var elements: [Element] = []

  /// `root` is the element whose end tag ends the document.
  package init(root: String) { self.root = Array(root.utf8) }

  /// Adds an element; its index in `XMLEvent` is the number of elements added before. Counted elements are numbered
  /// together, from 1, in the order of their start tags, also those that fail their condition.
  package mutating func add(_ name: String, counted: Bool = false, only condition: Condition? = nil) {
    elements.append(Element(name: Array(name.utf8), counted: counted, condition: condition))
  }
}
