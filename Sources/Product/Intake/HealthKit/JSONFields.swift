import Activity
import Archive
import Bytes

/// Reading the fields of one object of a list, where the text is there as a whole.
extension JSONReader {
  /// Calls `field` at each key of the value whose first token was just read; `field` must take the key's value. What is no object
  /// has no fields.
  mutating func readFields(
    after token: Token, _ field: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard token == .beginObject else { return try finishValue(after: token) }
    while try next() == .key { try field(&self) }
  }

  /// Passes over what belongs to a value whose first token was just read.
  mutating func finishValue(after token: Token) throws(JSONError) {
    guard token == .beginObject || token == .beginArray else { return }
    let outside = level - 1
    while level > outside { _ = try next() }
  }

  /// A string, or a number as written; nil for anything else.
  mutating func textValue() throws(JSONError) -> String? {
    let token = try next()
    if token == .string || token == .number { return string() }
    try finishValue(after: token)
    return nil
  }

  mutating func instantValue() throws(JSONError) -> Instant? {
    let token = try next()
    if token == .string { return withText { Timestamp.read($0) } }
    try finishValue(after: token)
    return nil
  }

  /// A number, also one written as text; `isAbsent` for null.
  mutating func numberValue() throws(JSONError) -> (value: Double?, isAbsent: Bool) {
    let token = try next()
    if token == .number || token == .string { return (withText { Decimal.read($0) }, false) }
    try finishValue(after: token)
    return (nil, token == .null)
  }

  /// true, 1, "1", "YES", "true".
  mutating func flagValue() throws(JSONError) -> Bool {
    let token = try next()
    switch token {
    case .yes: return true
    case .string, .number: return ["1", "yes", "true"].contains(string().lowercased())
    default:
      try finishValue(after: token)
      return false
    }
  }

  /// The last string or number for people to read, cut.
  var detail: String { string().cut(toBytes: Objection.longestDetail) }
}
