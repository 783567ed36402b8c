/// Why a request target is refused. All are answered 400.
package enum TargetError: Error, Equatable, Sendable {
  /// Neither `/path`, `http(s)://host/path` nor `*`.
  case unsupportedForm
  /// A blank, control, fragment, backslash or byte above ASCII that should have been escaped.
  case badCharacter
  case badEscape
  /// An escape that stands for a control character, "/" or "\".
  case forbiddenEscape
  /// "." or "..", escaped or not.
  case dotSegment
  /// "//".
  case emptySegment
  /// Escapes that do not spell UTF-8.
  case notUTF8
}

/// What is asked for: the checked path and query inside the head's bytes. Everything is checked once when the target
/// is made; the properties then decode without failing.
package struct Target: Sendable {
  private let bytes: [UInt8]
  private let layout: Layout

  /// Where the parts of a checked target lie.
  package struct Layout: Sendable {
    package var authority: Range<Int>?
    package var path: Range<Int>
    package var query: Range<Int>
    package var isAsterisk = false

    /// No target yet.
    package static let none = Layout(path: 0..<0, query: 0..<0)
  }

  package init(_ text: String) throws(TargetError) {
    let utf8 = Array(text.utf8)
    layout = try Target.check(utf8.span, 0..<utf8.count)
    bytes = utf8
  }

  /// For the wire's parser: `layout` comes from `check` over the same bytes.
  package init(head: [UInt8], layout: Layout) {
    let end = Swift.max(layout.path.upperBound, layout.query.upperBound, layout.authority?.upperBound ?? 0)
    if end <= head.count {
      bytes = head
      self.layout = layout
    } else {
      bytes = [ASCII.slash]
      self.layout = Layout(path: 0..<1, query: 1..<1)
    }
  }

  /// `OPTIONS *`: about the server, not about a resource.
  package var isAsterisk: Bool { layout.isAsterisk }

  /// The authority of an absolute-form target; nil for `/path`.
  package var authority: String? { layout.authority.map { String(decoding: bytes[$0], as: UTF8.self) } }

  /// Percent-decoded; "*" for the asterisk form.
  package var path: String { Percent.text(bytes[layout.path], plusIsBlank: false) ?? "/" }

  /// Whether the path as it was sent begins with `prefix`: says no without making a String.
  package func pathBegins(with prefix: String) -> Bool {
    bytes[layout.path].starts(with: prefix.utf8)
  }

  /// Percent-decoded, none empty.
  package var segments: [String] {
    if isAsterisk { return [] }
    var segments: [String] = []
    for segment in bytes[layout.path].split(separator: ASCII.slash) {
      segments.append(Percent.text(segment, plusIsBlank: false) ?? "")
    }
    return segments
  }

  package var query: Query {
    if layout.query.isEmpty { return Query() }
    return (try? Query.parse(bytes[layout.query])) ?? Query()
  }

  /// Path and query as they were sent, for redirects to oneself.
  package var text: String {
    let end = layout.query.isEmpty ? layout.path.upperBound : layout.query.upperBound
    return String(decoding: bytes[layout.path.lowerBound..<end], as: UTF8.self)
  }

  /// Checks the target in `range` of `bytes` without allocating (but for escapes above ASCII).
  package static func check(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(TargetError) -> Layout {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count, let first = range.first else {
      throw .unsupportedForm
    }
    if bytes[first] == ASCII.slash { return try checkParts(bytes, range, authority: nil) }
    if range.count == 1, bytes[first] == ASCII.asterisk {
      return Layout(path: range, query: range.upperBound..<range.upperBound, isAsterisk: true)
    }
    return try checkAbsolute(bytes, range)
  }

  private static func checkAbsolute(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(TargetError) -> Layout {
    guard let afterScheme = skip("http://", bytes, range) ?? skip("https://", bytes, range) else {
      throw .unsupportedForm
    }
    var end = afterScheme
    while end < range.upperBound, bytes[end] != ASCII.slash, bytes[end] != ASCII.question {
      guard isAuthorityCharacter(bytes[end]) else { throw .badCharacter }
      end &+= 1
    }
    // A client must send "/" at least; `http://host` alone is not worth a special case.
    guard end > afterScheme, end < range.upperBound, bytes[end] == ASCII.slash else { throw .unsupportedForm }
    return try checkParts(bytes, end..<range.upperBound, authority: afterScheme..<end)
  }

  private static func skip(_ scheme: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    let length = scheme.utf8CodeUnitCount
    guard range.count > length else { return nil }
    return scheme.withUTF8Buffer { scheme in
      for index in 0..<length where bytes[range.lowerBound &+ index].lowercasedASCII != scheme[index] { return nil }
      return range.lowerBound + length
    }
  }

  private static func isAuthorityCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 45, 46, 58, 91, 93, 95: true
    default: false
    }
  }

  private static func checkParts(
    _ bytes: Span<UInt8>, _ range: Range<Int>, authority: Range<Int>?
  ) throws(TargetError) -> Layout {
    var index = range.lowerBound
    var segmentStart = index
    var hasEscape = false
    while index < range.upperBound, bytes[index] != ASCII.question {
      let byte = bytes[index]
      if byte == ASCII.slash {
        try checkSegment(bytes, segmentStart..<index, isFirst: segmentStart == range.lowerBound)
        segmentStart = index &+ 1
      } else if byte == ASCII.percent {
        hasEscape = true
      } else if byte <= ASCII.space || byte >= ASCII.delete || byte == ASCII.hash || byte == ASCII.backslash {
        throw .badCharacter
      }
      index &+= 1
    }
    try checkDots(bytes, segmentStart..<index)
    let path = range.lowerBound..<index
    if hasEscape { try checkEscapes(bytes, path, isPath: true) }
    if index < range.upperBound { index &+= 1 }
    let query = index..<range.upperBound
    try checkQuery(bytes, query)
    return Layout(authority: authority, path: path, query: query)
  }

  /// The piece before the first "/" is empty by nature, the last one may be.
  private static func checkSegment(
    _ bytes: Span<UInt8>, _ segment: Range<Int>, isFirst: Bool
  ) throws(TargetError) {
    if isFirst { return }
    if segment.isEmpty { throw .emptySegment }
    try checkDots(bytes, segment)
  }

  private static func checkDots(_ bytes: Span<UInt8>, _ segment: Range<Int>) throws(TargetError) {
    // The longest spelling of ".." is "%2e%2e".
    guard segment.count <= 6, let first = segment.first, bytes[first] == ASCII.dot || bytes[first] == ASCII.percent
    else { return }
    var index = first
    var dots = 0
    while index < segment.upperBound {
      if bytes[index] == ASCII.dot {
        index &+= 1
      } else if segment.upperBound &- index > 2, bytes[index] == ASCII.percent, bytes[index &+ 1] == 0x32,
        bytes[index &+ 2].lowercasedASCII == 0x65
      {
        index &+= 3
      } else {
        return
      }
      dots &+= 1
    }
    if dots == 1 || dots == 2 { throw .dotSegment }
  }

  private static func checkQuery(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(TargetError) {
    var hasEscape = false
    for index in range {
      let byte = bytes[index]
      if byte <= ASCII.space || byte >= ASCII.delete || byte == ASCII.hash { throw .badCharacter }
      if byte == ASCII.percent { hasEscape = true }
    }
    if hasEscape { try checkEscapes(bytes, range, isPath: false) }
  }

  private static func checkEscapes(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isPath: Bool
  ) throws(TargetError) {
    var index = range.lowerBound
    var isASCII = true
    while index < range.upperBound {
      if bytes[index] != ASCII.percent {
        index &+= 1
        continue
      }
      guard range.upperBound &- index > 2, let high = bytes[index &+ 1].hexDigitValue,
        let low = bytes[index &+ 2].hexDigitValue
      else { throw .badEscape }
      let byte = high << 4 | low
      if byte == 0 { throw .forbiddenEscape }
      if isPath, byte.isControl || byte == ASCII.slash || byte == ASCII.backslash { throw .forbiddenEscape }
      if byte >= 0x80 { isASCII = false }
      index &+= 3
    }
    if isASCII { return }
    var copy: [UInt8] = []
    for index in range { copy.append(bytes[index]) }
    guard Percent.text(copy[...], plusIsBlank: !isPath) != nil else { throw .notUTF8 }
  }
}

extension Target: Equatable {
  package static func == (left: Target, right: Target) -> Bool { left.text == right.text }
}
