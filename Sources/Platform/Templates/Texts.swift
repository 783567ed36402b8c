/// The words of one language, read from a JSON file of nested objects whose leaves are strings. A key is the path of
/// names joined by dots: `{"today": {"goal": "Goal"}}` holds `today.goal`.
package struct Texts: Sendable {
  package let file: String
  package let entries: [String: String]
  /// The file as it was read: changes with any text.
  package let content: [UInt8]

  /// Reads a file from the disk; a fault of the file system or of the JSON is reported with its place.
  package init(file: String) throws(TemplateError) {
    try self.init(file: file, json: try readFile(file))
  }

  /// For tests and for texts that are not in a file; `file` only names them in errors.
  package init(file: String, json: [UInt8]) throws(TemplateError) {
    self.file = file
    content = json
    var reader = TextReader(file: file, bytes: json)
    entries = try reader.read()
  }

  package subscript(key: String) -> String? { entries[key] }
}

/// The part of JSON that a file of texts needs: objects and strings (RFC 8259).
private struct TextReader {
  let file: String
  let bytes: [UInt8]
  var index = 0
  var line = 1
  var entries: [String: String] = [:]

  init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
  }

  mutating func read() throws(TemplateError) -> [String: String] {
    try readObject(under: "", depth: 0)
    skipSpace()
    guard index == bytes.count else { throw fault("something follows the closing brace") }
    return entries
  }

  private mutating func readObject(under prefix: String, depth: Int) throws(TemplateError) {
    guard depth < 16 else { throw fault("objects are nested too deeply") }
    try expect("{")
    skipSpace()
    if take("}") { return }
    repeat {
      skipSpace()
      let key = try readString()
      let path = prefix.isEmpty ? key : prefix + "." + key
      try expect(":")
      skipSpace()
      if peek == UInt8(ascii: "{") {
        try readObject(under: path, depth: depth + 1)
      } else {
        let text = try readString()
        guard entries.updateValue(text, forKey: path) == nil else { throw fault("\(path) stands here twice") }
      }
      skipSpace()
    } while take(",")
    try expect("}")
  }

  private mutating func readString() throws(TemplateError) -> String {
    guard take("\"") else { throw fault("a string in quotes is expected here") }
    var text: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw fault("a string ends before its closing quote") }
      index += 1
      if byte == UInt8(ascii: "\\") { try readEscape(into: &text) } else { text.append(byte) }
    }
    guard take("\"") else { throw fault("a string ends before its closing quote") }
    guard let string = String(validating: text, as: UTF8.self) else { throw fault("a string is not UTF-8") }
    return string
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(TemplateError) {
    guard let byte = peek else { throw fault("a string ends before its closing quote") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard index + 4 <= bytes.count,
        let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw fault("\\u needs four hexadecimal digits of one character; write others as they are") }
      index += 4
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: throw fault("unknown escape in a string")
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      index += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(TemplateError) {
    skipSpace()
    guard take(character) else { throw fault("\"\(character)\" is expected here") }
  }

  private func fault(_ message: String) -> TemplateError { TemplateError(file: file, line: line, message: message) }
}
