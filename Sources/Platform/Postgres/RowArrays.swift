// Arrays of one dimension in the server's binary form: dimensions, "has NULLs", element type, length, lower bound, then
// each element with its length in front. Sizes are checked against the cell before anything is read.

extension Row {
  @inlinable package func int16s(_ column: Int) -> [Int16] { elements(column, .int16s, Int16.self) { $0 } }
  @inlinable package func int32s(_ column: Int) -> [Int32] { elements(column, .int32s, Int32.self) { $0 } }
  @inlinable package func int64s(_ column: Int) -> [Int64] { elements(column, .int64s, Int64.self) { $0 } }
  @inlinable package func bools(_ column: Int) -> [Bool] { elements(column, .bools, UInt8.self) { $0 != 0 } }
  /// Days since 1970.
  @inlinable package func dates(_ column: Int) -> [Int32] { elements(column, .dates, Int32.self, ownDate) }
  /// Microseconds since 1970.
  @inlinable package func instants(_ column: Int) -> [Int64] { elements(column, .instants, Int64.self, ownInstant) }
  @inlinable package func doubles(_ column: Int) -> [Double] {
    elements(column, .doubles, UInt64.self) { Double(bitPattern: $0) }
  }

  /// Elements that may be NULL.
  package func optionalInt16s(_ column: Int) -> [Int16?] { gaps(column, .int16s, Int16.self) { $0 } }
  package func optionalInt32s(_ column: Int) -> [Int32?] { gaps(column, .int32s, Int32.self) { $0 } }
  package func optionalInt64s(_ column: Int) -> [Int64?] { gaps(column, .int64s, Int64.self) { $0 } }
  package func optionalInstants(_ column: Int) -> [Int64?] { gaps(column, .instants, Int64.self, ownInstant) }
  package func optionalDoubles(_ column: Int) -> [Double?] {
    gaps(column, .doubles, UInt64.self) { Double(bitPattern: $0) }
  }

  package func texts(_ column: Int) -> [String] {
    variable(column, .texts) { $0.map { String(decoding: $0, as: UTF8.self) } }
  }
  package func optionalTexts(_ column: Int) -> [String?] {
    variable(column, .texts) { .some($0.map { String(decoding: $0, as: UTF8.self) }) }
  }
  package func bytesList(_ column: Int) -> [[UInt8]] { variable(column, .bytesList) { $0.map { [UInt8]($0) } } }
  package func uuids(_ column: Int) -> [(UInt64, UInt64)] {
    variable(column, .uuids) { cell in
      guard let cell, cell.count == 16 else { return nil }
      return (
        UInt64(bigEndian: cell.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: cell.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The body of an array after its head, and how many elements it has; nil for an empty array or after a fault.
  @inlinable func body(_ column: Int, _ type: PGType) -> (cell: UnsafeRawBufferPointer, count: Int)? {
    guard let cell = bytes(column, type, fits: { $0 == type.rawValue }) else { return nil }
    let dimensions = cell.count >= 12 ? Int32(bigEndian: cell.loadUnaligned(as: Int32.self)) : -1
    if dimensions == 0 { return nil }
    guard dimensions == 1, cell.count >= 20 else {
      rows.fail(index, column, type, " of one dimension")
      return nil
    }
    let count = Int(Int32(bigEndian: cell.loadUnaligned(fromByteOffset: 12, as: Int32.self)))
    guard count >= 0, count <= (cell.count - 20) / 4 else {
      rows.fail(index, column, type)
      return nil
    }
    return (UnsafeRawBufferPointer(rebasing: cell[20...]), count)
  }

  /// Elements of one size without NULLs: the cell's length proves the stride, so the loop only loads.
  @inlinable func elements<W: FixedWidthInteger, T>(
    _ column: Int, _ type: PGType, _ wire: W.Type, _ value: (W) -> T
  ) -> [T] {
    guard let (cell, count) = body(column, type) else { return [] }
    let stride = 4 + MemoryLayout<W>.size
    guard cell.count == count * stride else {
      rows.fail(index, column, type, " without NULL")
      return []
    }
    return [T](unsafeUninitializedCapacity: count) { room, written in
      for item in 0..<count {
        let wire = W(bigEndian: cell.loadUnaligned(fromByteOffset: item * stride + 4, as: W.self))
        room.initializeElement(at: item, to: value(wire))
      }
      written = count
    }
  }

  private func gaps<W: FixedWidthInteger, T>(
    _ column: Int, _ type: PGType, _ wire: W.Type, _ value: (W) -> T
  ) -> [T?] {
    variable(column, type) { cell in
      guard let cell else { return .some(nil) }
      guard cell.count == MemoryLayout<W>.size else { return nil }
      return value(W(bigEndian: cell.loadUnaligned(as: W.self)))
    }
  }

  /// Each element through `value`, nil for NULL; `value` answers nil for what it cannot take.
  private func variable<T>(_ column: Int, _ type: PGType, _ value: (UnsafeRawBufferPointer?) -> T?) -> [T] {
    guard let (cell, count) = body(column, type) else { return [] }
    var values: [T] = []
    values.reserveCapacity(count)
    var at = 0
    for _ in 0..<count {
      guard at + 4 <= cell.count else { break }
      let length = Int(Int32(bigEndian: cell.loadUnaligned(fromByteOffset: at, as: Int32.self)))
      at += 4
      guard length <= cell.count - at else { break }
      let part = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: cell[at..<(at + length)])
      guard let element = value(part) else { break }
      values.append(element)
      at += max(0, length)
    }
    if values.count != count { rows.fail(index, column, type, " of fitting elements") }
    return values
  }
}
