/// Cookies as a browser sends them (RFC 6265 5.4): `name=value; name=value`.
package enum Cookie {
  package static let countLimit = 100

  /// The first cookie of that name over all Cookie fields, without making the others. Names are case-sensitive.
  package static func value(of name: String, in fields: HeaderFields) -> String? {
    var found: Range<Int>?
    _ = fields.hasElement(of: "cookie", separator: ASCII.semicolon) { bytes, pair in
      found = match(bytes, pair, name)
      return found != nil
    }
    return found.map { String(decoding: fields.bytes[$0], as: UTF8.self) }
  }

  /// All of them in order; pieces without "=" are skipped, as are those beyond a hundred.
  package static func parse(_ text: String) -> Form {
    var pairs: [Form.Pair] = []
    for piece in Array(text.utf8).split(separator: ASCII.semicolon) where pairs.count < countLimit {
      guard let equals = piece.firstIndex(of: ASCII.equals) else { continue }
      let name = String(decoding: piece[..<equals].trimmed, as: UTF8.self)
      if !name.isEmpty { pairs.append(Form.Pair(name: name, value: plain(piece[equals...].dropFirst()))) }
    }
    return Form(pairs: pairs)
  }

  /// Where the value lies when `pair` has that name, without its quotes.
  private static func match(_ bytes: Span<UInt8>, _ pair: Range<Int>, _ name: String) -> Range<Int>? {
    var index = pair.lowerBound
    for byte in name.utf8 {
      guard index < pair.upperBound, bytes[index] == byte else { return nil }
      index &+= 1
    }
    while index < pair.upperBound, bytes[index].isBlank { index &+= 1 }
    guard index < pair.upperBound, bytes[index] == ASCII.equals else { return nil }
    let value = bytes.trimmed((index &+ 1)..<pair.upperBound)
    let isQuoted =
      value.count >= 2 && bytes[value.lowerBound] == ASCII.quote && bytes[value.upperBound &- 1] == ASCII.quote
    return isQuoted ? (value.lowerBound &+ 1)..<(value.upperBound &- 1) : value
  }

  private static func plain(_ value: ArraySlice<UInt8>) -> String {
    var value = value.trimmed
    if value.count >= 2, value.first == ASCII.quote, value.last == ASCII.quote { value = value.dropFirst().dropLast() }
    return String(decoding: value, as: UTF8.self)
  }
}

/// A cookie to be set. Always Secure, HttpOnly and `Path=/` without Domain: the rules of `__Host-` names, so the name
/// gets that prefix if it lacks it.
package struct SetCookie: Equatable, Sendable {
  /// When a browser sends the cookie along from other sites (RFC 6265bis 5.5).
  package enum SameSite: String, Sendable { case lax = "Lax", strict = "Strict" }

  package let name: String
  package let value: String
  /// Seconds; nil for a cookie that ends with the browser, 0 to remove it.
  package let maxAge: Int?
  package let sameSite: SameSite

  /// Characters that a cookie may not hold are dropped from the value.
  package init(_ name: String, _ value: String, maxAge: Int? = nil, sameSite: SameSite = .lax) {
    let safe = String(decoding: name.utf8.filter(\.isTokenCharacter), as: UTF8.self)
    self.name = safe.hasPrefix("__Host-") ? safe : "__Host-" + safe
    self.value = String(decoding: value.utf8.filter(SetCookie.isValueCharacter), as: UTF8.self)
    self.maxAge = maxAge
    self.sameSite = sameSite
  }

  /// Takes the cookie away from the browser.
  package static func removal(of name: String) -> SetCookie { SetCookie(name, "", maxAge: 0) }

  package var text: String {
    let age = maxAge.map { "; Max-Age=\(Swift.max(0, $0))" } ?? ""
    return "\(name)=\(value); Path=/\(age); Secure; HttpOnly; SameSite=\(sameSite.rawValue)"
  }

  /// RFC 6265 4.1.1 cookie-octet.
  private static func isValueCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
    default: false
    }
  }
}
