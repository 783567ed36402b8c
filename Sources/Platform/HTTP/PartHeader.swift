/// The header of one part of a form.
enum PartHeader {
  static let fieldLimit = 20

  /// `bytes`: the field lines, each with its CRLF. nil where the syntax is broken or the part has no name.
  static func parse(_ bytes: ArraySlice<UInt8>) -> Part? {
    var disposition: ParameterizedValue?
    var contentType: ContentType?
    var count = 0
    var rest = bytes
    while !rest.isEmpty {
      guard let end = lineEnd(rest), count < fieldLimit, let field = split(rest[..<end]) else { return nil }
      count += 1
      rest = rest[(end + 2)...]
      if field.name.equals("content-disposition") {
        guard disposition == nil else { return nil }
        disposition = ParameterizedValue.parse(field.value, escapes: .quoteAndBackslash)
        guard disposition != nil else { return nil }
      } else if field.name.equals("content-type") {
        contentType = ContentType.parse(field.value)
      }
    }
    guard let disposition, disposition.main.lowercased() == "form-data",
      let name = disposition.parameters["name"].map(FileName.unescaped)
    else { return nil }
    return Part(name: name, fileName: FileName.of(disposition.parameters), contentType: contentType)
  }

  /// Where the CRLF starts; nil for a CR, LF or NUL that stands alone.
  private static func lineEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    for index in bytes.indices where bytes[index].isControl && bytes[index] != ASCII.tab {
      guard bytes[index] == ASCII.carriageReturn, index + 1 < bytes.endIndex, bytes[index + 1] == ASCII.lineFeed else {
        return nil
      }
      return index
    }
    return nil
  }

  private static func split(_ line: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard let colon = line.firstIndex(of: ASCII.colon), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenCharacter)
    else { return nil }
    return (line[..<colon], line[(colon + 1)...].trimmed)
  }
}

/// File names as browsers and scripts send them.
enum FileName {
  /// From `filename*` (RFC 5987, UTF-8 only) or else `filename`; nil when neither is there. Folders before the name are cut
  /// off, control characters dropped, 255 bytes kept: the text is shown, never used as a path.
  static func of(_ parameters: Form) -> String? {
    let extended = parameters["filename*"].flatMap(decodeExtended)
    guard let given = extended ?? parameters["filename"].map(unescaped) else { return nil }
    let last = given.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    var name = String.UnicodeScalarView()
    var length = 0
    for scalar in last.unicodeScalars where scalar.value >= 32 && scalar.value != 127 {
      length += UTF8.width(scalar)
      if length > 255 { break }
      name.append(scalar)
    }
    return String(name)
  }

  /// Browsers write a quote as %22 and line ends as %0D %0A, and no other escape (WHATWG HTML, multipart/form-data).
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(ASCII.percent) else { return text }
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == ASCII.percent, rest.prefix(2).elementsEqual("22".utf8) {
        output.append(ASCII.quote)
        rest = rest.dropFirst(2)
      } else if byte == ASCII.percent, rest.prefix(2).equals("0d") || rest.prefix(2).equals("0a") {
        output.append(ASCII.space)
        rest = rest.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// `UTF-8'en'na%C3%AFve.zip`.
  static func decodeExtended(_ text: String) -> String? {
    let pieces = text.utf8.split(separator: ASCII.apostrophe, maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3, String(Substring(pieces[0])).lowercased() == "utf-8" else { return nil }
    return Percent.text(Array(pieces[2])[...], plusIsBlank: false)
  }
}
