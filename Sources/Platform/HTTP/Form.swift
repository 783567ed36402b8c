/// Why a form was not read.
package enum FormError: Error, Equatable, Sendable {
  /// More bytes or more fields than allowed: 413.
  case tooLarge(limit: Int)
  case tooManyFields(limit: Int)
  /// A bad escape, NUL, or text that is not UTF-8: 400.
  case malformed
  /// Not `application/x-www-form-urlencoded`: 415.
  case wrongType
  /// The body broke off.
  case body(BodyError)
}

/// A query string is the same form written in the address.
package typealias Query = Form

/// The fields of an `application/x-www-form-urlencoded` form, in order, decoded.
package struct Form: Equatable, Sendable {
  package static let byteLimit = 1 << 20
  package static let fieldLimit = 1_000

  /// A field as it was typed, decoded.
  package struct Pair: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package let pairs: [Pair]

  package init(_ pairs: [(String, String)] = []) { self.pairs = pairs.map { Pair(name: $0.0, value: $0.1) } }
  init(pairs: [Pair]) { self.pairs = pairs }

  package var isEmpty: Bool { pairs.isEmpty }

  /// The first value of that name, "" for a field without "=".
  package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Every value of that name: ticked boxes.
  package func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  package static func parse(_ bytes: [UInt8]) throws(FormError) -> Form {
    if bytes.count > byteLimit { throw .tooLarge(limit: byteLimit) }
    return try parse(bytes[...])
  }

  /// Empty fields between ampersands are skipped.
  package static func parse(_ bytes: ArraySlice<UInt8>) throws(FormError) -> Form {
    var pairs: [Pair] = []
    for field in bytes.split(separator: ASCII.ampersand) {
      if pairs.count == fieldLimit { throw .tooManyFields(limit: fieldLimit) }
      let equals = field.firstIndex(of: ASCII.equals) ?? field.endIndex
      guard let name = Percent.text(field[..<equals], plusIsBlank: true),
        let value = Percent.text(field[equals...].dropFirst(), plusIsBlank: true)
      else { throw .malformed }
      pairs.append(Pair(name: name, value: value))
    }
    return Form(pairs: pairs)
  }

  /// Reads the body of a POST from an HTML form.
  package static func read(_ request: Request, limit: Int = byteLimit) async throws(FormError) -> Form {
    if let type = ContentType.parse(request.fields), type.essence != "application/x-www-form-urlencoded" {
      throw .wrongType
    }
    let bytes: [UInt8]
    do { bytes = try await request.body.collect(limit: limit) } catch {
      if case .tooLarge(let limit) = error { throw .tooLarge(limit: limit) }
      throw .body(error)
    }
    return try parse(bytes)
  }

  /// Written for an address or a body; `parse` gives the same pairs back.
  package var encoded: String {
    var output: [UInt8] = []
    for pair in pairs {
      if !output.isEmpty { output.append(ASCII.ampersand) }
      Percent.append(pair.name, to: &output)
      output.append(ASCII.equals)
      Percent.append(pair.value, to: &output)
    }
    return String(decoding: output, as: UTF8.self)
  }
}
