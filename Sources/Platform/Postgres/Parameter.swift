/// One value for a statement. The case must be the type that the statement declares for the place; NULL fits all.
/// Arrays "OrNil" may hold NULL elements and fit the same array type.
package enum Parameter: Sendable {
  case null
  case bool(Bool)
  case int16(Int16)
  case int32(Int32)
  case int64(Int64)
  case double(Double)
  case text(String)
  case bytes([UInt8])
  /// Days since 1970-01-01; `Int32.max` and `.min` are infinity and -infinity.
  case date(Int32)
  /// Microseconds since 1970; `Int64.max` and `.min` are infinity and -infinity.
  case instant(Int64)
  case uuid(UInt64, UInt64)
  /// jsonb, as its text.
  case json(String)
  case bools([Bool])
  case int16s([Int16])
  case int32s([Int32])
  case int64s([Int64])
  case doubles([Double])
  case texts([String])
  case bytesList([[UInt8]])
  case dates([Int32])
  case instants([Int64])
  case uuids([(UInt64, UInt64)])
  case int16sOrNil([Int16?])
  case int32sOrNil([Int32?])
  case int64sOrNil([Int64?])
  case doublesOrNil([Double?])
  case textsOrNil([String?])
  case instantsOrNil([Int64?])

  /// The type on the wire; nil for NULL.
  var type: PGType? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .double: .double
    case .text: .text
    case .bytes: .bytes
    case .date: .date
    case .instant: .instant
    case .uuid: .uuid
    case .json: .json
    case .bools: .bools
    case .int16s, .int16sOrNil: .int16s
    case .int32s, .int32sOrNil: .int32s
    case .int64s, .int64sOrNil: .int64s
    case .doubles, .doublesOrNil: .doubles
    case .texts, .textsOrNil: .texts
    case .bytesList: .bytesList
    case .dates: .dates
    case .instants, .instantsOrNil: .instants
    case .uuids: .uuids
    }
  }
}

extension Parameter {
  /// NULL when there is no value.
  package static func optional(_ value: String?) -> Parameter { value.map { .text($0) } ?? .null }
  package static func optional(_ value: Int16?) -> Parameter { value.map { .int16($0) } ?? .null }
  package static func optional(_ value: Int32?) -> Parameter { value.map { .int32($0) } ?? .null }
  package static func optional(_ value: Int64?) -> Parameter { value.map { .int64($0) } ?? .null }
  package static func optional(_ value: Double?) -> Parameter { value.map { .double($0) } ?? .null }
  package static func optional(_ value: [UInt8]?) -> Parameter { value.map { .bytes($0) } ?? .null }
  /// A date or NULL.
  package static func optional(date: Int32?) -> Parameter { date.map { .date($0) } ?? .null }
  /// An instant or NULL.
  package static func optional(instant: Int64?) -> Parameter { instant.map { .instant($0) } ?? .null }
}
