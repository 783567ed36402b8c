/// A media type with its parameters (RFC 9110 8.3.1): `multipart/form-data; boundary=x`.
package struct ContentType: Equatable, Sendable {
  /// `type/subtype` in lower case.
  package let essence: String
  /// Names in lower case, quoted values without their quotes.
  package let parameters: Form

  package init(essence: String, parameters: Form = Form()) {
    self.essence = essence
    self.parameters = parameters
  }

  /// The type of a request; nil when there is none or it cannot be read.
  package static func parse(_ fields: HeaderFields) -> ContentType? {
    fields.bytes(of: "content-type").flatMap { parse($0) }
  }

  package static func parse(_ text: String) -> ContentType? { parse(Array(text.utf8)[...]) }

  /// nil where the syntax is broken.
  package static func parse(_ bytes: ArraySlice<UInt8>) -> ContentType? {
    guard let value = ParameterizedValue.parse(bytes, escapes: .all) else { return nil }
    let halves = value.main.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenCharacter) }) else {
      return nil
    }
    return ContentType(essence: value.main.lowercased(), parameters: value.parameters)
  }

  /// Written for the wire; values that are no tokens are quoted.
  package var text: String {
    var text = essence
    for pair in parameters.pairs {
      let isToken = !pair.value.isEmpty && pair.value.utf8.allSatisfy(\.isTokenCharacter)
      text += "; \(pair.name)=" + (isToken ? pair.value : ParameterizedValue.quote(pair.value))
    }
    return text
  }
}

/// `main; name=value; name="quoted"`: the shape of Content-Type and Content-Disposition.
struct ParameterizedValue {
  /// Which backslashes in quoted strings escape.
  enum Escapes {
    /// RFC 9110: any character may follow.
    case all
    /// Only `\"` and `\\`: file names from old browsers hold paths with plain backslashes.
    case quoteAndBackslash
  }

  let main: String
  let parameters: Form

  static let parameterLimit = 32

  /// nil where the syntax is broken, a parameter is repeated or there are too many.
  static func parse(_ bytes: ArraySlice<UInt8>, escapes: Escapes) -> ParameterizedValue? {
    let end = bytes.firstIndex(of: ASCII.semicolon) ?? bytes.endIndex
    let main = bytes[..<end].trimmed
    guard !main.isEmpty, let text = String(validating: main, as: UTF8.self) else { return nil }
    var pairs: [Form.Pair] = []
    var rest = bytes[end...]
    while rest.popFirst() == ASCII.semicolon {
      rest = rest.trimmed
      if rest.isEmpty || rest.first == ASCII.semicolon { continue }
      guard pairs.count < parameterLimit, let pair = parameter(&rest, escapes),
        !pairs.contains(where: { $0.name == pair.name })
      else { return nil }
      pairs.append(pair)
      rest = rest.trimmed
    }
    guard rest.isEmpty else { return nil }
    return ParameterizedValue(main: text, parameters: Form(pairs: pairs))
  }

  static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      // A quoted string may hold a tab, and no other control character (RFC 9110 5.6.4).
      let isControl = scalar.value < 32 && scalar != "\t" || scalar.value == 127
      quoted.unicodeScalars.append(isControl ? " " : scalar)
    }
    return quoted + "\""
  }

  private static func parameter(_ rest: inout ArraySlice<UInt8>, _ escapes: Escapes) -> Form.Pair? {
    let name = rest.prefix { $0.isTokenCharacter }
    rest = rest[name.endIndex...]
    guard !name.isEmpty, rest.popFirst() == ASCII.equals else { return nil }
    let value: [UInt8]
    if rest.first == ASCII.quote {
      guard let quoted = quotedString(&rest, escapes) else { return nil }
      value = quoted
    } else {
      // Clients send boundaries and charsets with characters that are no token's; only delimiters end a value.
      let token = rest.prefix { !$0.isBlank && $0 != ASCII.semicolon && $0 != ASCII.quote && !$0.isControl }
      rest = rest[token.endIndex...]
      guard !token.isEmpty else { return nil }
      value = Array(token)
    }
    guard let text = String(validating: value, as: UTF8.self) else { return nil }
    return Form.Pair(name: String(decoding: name.map(\.lowercasedASCII), as: UTF8.self), value: text)
  }

  private static func quotedString(_ rest: inout ArraySlice<UInt8>, _ escapes: Escapes) -> [UInt8]? {
    var value: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == ASCII.quote { return value }
      if byte.isControl, byte != ASCII.tab { return nil }
      guard byte == ASCII.backslash, let next = rest.first,
        escapes == .all || next == ASCII.quote || next == ASCII.backslash
      else {
        value.append(byte)
        continue
      }
      if next.isControl { return nil }
      value.append(next)
      rest.removeFirst()
    }
    return nil
  }
}
