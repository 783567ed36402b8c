extension Row {
  @inlinable package func bool(_ column: Int) -> Bool { (fixed(column, .bool, as: UInt8.self) ?? 0) != 0 }
  @inlinable package func int16(_ column: Int) -> Int16 { fixed(column, .int16, as: Int16.self) ?? 0 }
  @inlinable package func int32(_ column: Int) -> Int32 { fixed(column, .int32, as: Int32.self) ?? 0 }
  @inlinable package func int64(_ column: Int) -> Int64 { fixed(column, .int64, as: Int64.self) ?? 0 }
  @inlinable package func double(_ column: Int) -> Double {
    Double(bitPattern: fixed(column, .double, as: UInt64.self) ?? 0)
  }

  /// Days since 1970-01-01; infinity is `Int32.max`, -infinity `Int32.min`.
  @inlinable package func date(_ column: Int) -> Int32 { ownDate(fixed(column, .date, as: Int32.self) ?? 0) }

  /// Microseconds since 1970; infinity is `Int64.max`, -infinity `Int64.min`.
  @inlinable package func instant(_ column: Int) -> Int64 { ownInstant(fixed(column, .instant, as: Int64.self) ?? 0) }

  @inlinable package func uuid(_ column: Int) -> (UInt64, UInt64) {
    guard let cell = bytes(column, .uuid, fits: { $0 == PGType.uuid.rawValue }), cell.count == 16 else { return (0, 0) }
    return (
      UInt64(bigEndian: cell.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: cell.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  /// text, varchar, name, json and jsonb.
  @inlinable package func text(_ column: Int) -> String {
    withText(column) { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The UTF-8 of a text where it lies, for copying into a page without a String; nil only with a fault.
  @inlinable package func withText<T>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T? {
    let fits: (UInt32) -> Bool = { $0 == 25 || $0 == 1043 || $0 == 19 || $0 == 3802 || $0 == 114 }
    guard let cell = bytes(column, .text, fits: fits) else { return nil }
    let version = rows.types[column] == PGType.json.rawValue ? 1 : 0
    return body(UnsafeRawBufferPointer(rebasing: cell.dropFirst(version)))
  }

  /// bytea.
  @inlinable package func bytes(_ column: Int) -> [UInt8] {
    bytes(column, .bytes, fits: { $0 == PGType.bytes.rawValue }).map { [UInt8]($0) } ?? []
  }

  @inlinable package func optionalBool(_ column: Int) -> Bool? { isNull(column) ? nil : bool(column) }
  @inlinable package func optionalInt16(_ column: Int) -> Int16? { isNull(column) ? nil : int16(column) }
  @inlinable package func optionalInt32(_ column: Int) -> Int32? { isNull(column) ? nil : int32(column) }
  @inlinable package func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }
  @inlinable package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
  @inlinable package func optionalDate(_ column: Int) -> Int32? { isNull(column) ? nil : date(column) }
  @inlinable package func optionalInstant(_ column: Int) -> Int64? { isNull(column) ? nil : instant(column) }
  @inlinable package func optionalUUID(_ column: Int) -> (UInt64, UInt64)? { isNull(column) ? nil : uuid(column) }
  @inlinable package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
  @inlinable package func optionalBytes(_ column: Int) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}

// The server's epoch to ours. A value that does not fit (the server's dates reach further) becomes the infinity beside it.

@inlinable func ownDate(_ days: Int32) -> Int32 {
  if days == .max || days == .min { return days }
  let (value, overflow) = days.addingReportingOverflow(daysToServerEpoch)
  return overflow ? .max : value
}

@inlinable func ownInstant(_ microseconds: Int64) -> Int64 {
  if microseconds == .max || microseconds == .min { return microseconds }
  let (value, overflow) = microseconds.addingReportingOverflow(microsecondsToServerEpoch)
  return overflow ? .max : value
}
