/// Rows for `COPY … FROM STDIN (FORMAT binary)`, written straight into the bytes that are sent. Keep it and `reset`
/// it between slices: it then allocates only while it grows.
package struct CopyRows {
  let columns: [PGType]
  private(set) var bytes: [UInt8] = []
  private(set) var fault: PostgresError?
  package private(set) var count = 0
  private var column = 0

  /// - Parameter columns: the types in the order of the COPY's column list; the server does not convert.
  package init(columns: [PGType]) {
    self.columns = columns
    reset()
  }

  package mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    // Signature, flags, length of the header's extension (PostgreSQL documentation, COPY, binary format).
    bytes.append(contentsOf: [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00])
    bytes.append(contentsOf: repeatElement(0, count: 8))
    fault = nil
    count = 0
    column = 0
  }

  /// Appends the next value; the row ends by itself with its last column.
  package mutating func add(_ value: Parameter) {
    if column == 0 { bytes.append(wire: Int16(truncatingIfNeeded: columns.count)) }
    if let type = value.type {
      if type != columns[column] {
        fault = fault ?? .shape(statement: "copy", "column \(column) is \(type), declared \(columns[column])")
      }
      let start = bytes.count
      bytes.append(wire: Int32(0))
      bytes.append(parameter: value)
      let length = Int32(truncatingIfNeeded: bytes.count - start - 4)
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: length.bigEndian, toByteOffset: start, as: Int32.self) }
    } else {
      bytes.append(wire: Int32(-1))
    }
    column += 1
    if column == columns.count {
      column = 0
      count += 1
    }
  }

  /// The bytes with the end mark; throws a mistake of `add` and refuses a row that was not finished.
  func finished() throws(PostgresError) -> [UInt8] {
    if let fault { throw fault }
    guard column == 0 else { throw .shape(statement: "copy", "the last row has only \(column) columns") }
    var all = bytes
    all.append(wire: Int16(-1))
    return all
  }
}
