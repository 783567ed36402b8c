/// The types that we speak, with the server's object identifiers (src/include/catalog/pg_type.dat); all travel in binary.
package enum PGType: UInt32, Sendable {
  case bool = 16
  case bytes = 17
  case int64 = 20
  case int16 = 21
  case int32 = 23
  case text = 25
  case double = 701
  /// Days; ours count from 1970, the server's from 2000.
  case date = 1082
  /// timestamptz: microseconds.
  case instant = 1184
  case uuid = 2950
  /// jsonb.
  case json = 3802
  case bools = 1000
  case bytesList = 1001
  case int16s = 1005
  case int32s = 1007
  case texts = 1009
  case int64s = 1016
  case doubles = 1022
  case dates = 1182
  case instants = 1185
  case uuids = 2951
  /// What a function without a value answers; only for columns.
  case void = 2278

  /// The element type of an array type.
  var element: PGType? {
    switch self {
    case .bools: .bool
    case .bytesList: .bytes
    case .int16s: .int16
    case .int32s: .int32
    case .texts: .text
    case .int64s: .int64
    case .doubles: .double
    case .dates: .date
    case .instants: .instant
    case .uuids: .uuid
    default: nil
    }
  }
}

/// Days between 1970-01-01 and the server's day zero, 2000-01-01.
@usableFromInline let daysToServerEpoch: Int32 = 10_957
/// Microseconds between the two epochs.
@usableFromInline let microsecondsToServerEpoch: Int64 = 946_684_800_000_000
