import CPostgres

/// The answer to one statement; owns libpq's result and reads values where they lie. Not Sendable: copy values out.
///
/// Readers never trap and never throw: a reader that does not fit the column, or meets a NULL that it does not
/// expect, gives an empty value and leaves a `fault`. `map` and `first` throw that fault; whoever reads rows directly
/// calls `verify()` once at the end.
package final class Rows {
  @usableFromInline let result: OpaquePointer
  /// Types of the columns as the server described them.
  @usableFromInline let types: [UInt32]
  let record: StatementRecord
  package let count: Int
  package private(set) var fault: PostgresError?

  init(owning result: OpaquePointer, types: [UInt32], record: StatementRecord) {
    self.result = result
    self.types = types
    self.record = record
    count = Int(PQntuples(result))
  }

  deinit { PQclear(result) }

  package var isEmpty: Bool { count == 0 }

  /// Rows that an INSERT, UPDATE or DELETE changed, or a SELECT found.
  package var affected: Int {
    guard let text = PQcmdTuples(result) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// What the server says that it did: `COMMIT`, `INSERT 0 3`.
  package var tag: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

  /// The row at an index below `count`; reading beyond the end leaves a fault.
  @inlinable package subscript(index: Int) -> Row { Row(rows: self, index: index) }

  /// Every row through `body`, in order.
  @inlinable package func map<T>(_ body: (Row) -> T) throws(PostgresError) -> [T] {
    var values: [T] = []
    values.reserveCapacity(count)
    for index in 0..<count { values.append(body(self[index])) }
    try verify()
    return values
  }

  /// The first row through `body`; nil when there is none.
  @inlinable package func first<T>(_ body: (Row) -> T) throws(PostgresError) -> T? {
    guard count > 0 else { return nil }
    let value = body(self[0])
    try verify()
    return value
  }

  /// Throws what a reader found wrong since the rows came.
  package func verify() throws(PostgresError) {
    if let fault { throw fault }
  }

  /// Appends what the rows say, so that two answers give the same bytes only when they are the same: the number of rows,
  /// then each cell as its length (-1: NULL) and its bytes as they came. `columns` nil: all of them.
  package func appendValues(of columns: Range<Int>? = nil, to out: inout [UInt8]) {
    let width = columns?.clamped(to: types.indices) ?? types.indices
    out.append(wire: Int32(truncatingIfNeeded: count))
    for row in 0..<Int32(truncatingIfNeeded: count) {
      for column in width {
        let cell = Int32(truncatingIfNeeded: column)
        let length = PQgetlength(result, row, cell)
        // The length of NULL is 0.
        guard length > 0 || PQgetisnull(result, row, cell) == 0, let bytes = PQgetvalue(result, row, cell) else {
          out.append(wire: Int32(-1))
          continue
        }
        out.append(wire: length)
        out.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(length)))
      }
    }
  }

  @usableFromInline @inline(never) func fail(_ row: Int, _ column: Int, _ wanted: PGType, _ more: StaticString = "") {
    guard fault == nil else { return }
    let type = types.indices.contains(column) ? PGType(rawValue: types[column]).map { "\($0)" } ?? "unknown" : "absent"
    let isNull = types.indices.contains(column) && PQgetisnull(result, Int32(row), Int32(column)) != 0
    let found = isNull && row < count ? "NULL" : row < count ? type : "no row"
    fault = .shape(statement: record.name, "row \(row), column \(column): wanted \(wanted)\(more), found \(found)")
  }
}

extension Rows: Sequence {
  /// Goes through the rows in the order of the answer.
  package struct Iterator: IteratorProtocol {
    @usableFromInline let rows: Rows
    @usableFromInline var index = 0

    @usableFromInline init(_ rows: Rows) { self.rows = rows }

    @inlinable package mutating func next() -> Row? {
      guard index < rows.count else { return nil }
      defer { index += 1 }
      return rows[index]
    }
  }

  @inlinable package func makeIterator() -> Iterator { Iterator(self) }
}

/// One row. Columns count from 0. Plain readers are for columns that cannot be NULL, `optional…` for those that can.
package struct Row {
  @usableFromInline let rows: Rows
  @usableFromInline let index: Int

  @usableFromInline init(rows: Rows, index: Int) {
    self.rows = rows
    self.index = index
  }

  @inlinable package func isNull(_ column: Int) -> Bool {
    PQgetisnull(rows.result, Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: column)) != 0
  }

  /// The bytes of a cell whose type and size must be these; NULL has size 0 and so never fits.
  @inlinable @inline(__always) func fixed<T: FixedWidthInteger>(_ column: Int, _ type: PGType, as: T.Type) -> T? {
    let (row, cell) = (Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: column))
    guard UInt(bitPattern: index) < UInt(bitPattern: rows.count),
      UInt(bitPattern: column) < UInt(bitPattern: rows.types.count),
      rows.types[column] == type.rawValue, Int(PQgetlength(rows.result, row, cell)) == MemoryLayout<T>.size,
      let bytes = PQgetvalue(rows.result, row, cell)
    else {
      rows.fail(index, column, type)
      return nil
    }
    return T(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: T.self))
  }

  /// The bytes of a cell of any length; nil (and a fault) for NULL or a type outside the list.
  @inlinable func bytes(_ column: Int, _ wanted: PGType, fits: (UInt32) -> Bool) -> UnsafeRawBufferPointer? {
    let (row, cell) = (Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: column))
    guard UInt(bitPattern: index) < UInt(bitPattern: rows.count),
      UInt(bitPattern: column) < UInt(bitPattern: rows.types.count),
      fits(rows.types[column]), PQgetisnull(rows.result, row, cell) == 0,
      let bytes = PQgetvalue(rows.result, row, cell)
    else {
      rows.fail(index, column, wanted)
      return nil
    }
    return UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(rows.result, row, cell)))
  }
}
