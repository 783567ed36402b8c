/// Statements with their parameters, already in wire form, waiting to be sent together. Made by `Pool.pipeline` and
/// `Transaction.pipeline`; a mistake in a parameter is kept and thrown when the pipeline runs.
package struct Pipeline {
  /// One statement: its parameters are `cells[first ..< first + record.parameters.count]`.
  struct Entry {
    let record: StatementRecord
    let first: Int
  }
  /// One parameter's place in `bytes`; a negative length is NULL.
  struct Cell {
    let offset: Int
    let length: Int32
  }

  private(set) var entries: [Entry] = []
  private(set) var cells: [Cell] = []
  private(set) var bytes: [UInt8] = []
  private(set) var fault: PostgresError?
  /// Statements in front whose answers the builder does not see.
  private var hidden = 0

  package var isEmpty: Bool { entries.isEmpty }

  /// Appends a statement and gives the index of its rows in the answer.
  @discardableResult
  package mutating func add(_ statement: Statement, _ parameters: [Parameter] = []) -> Int {
    let record = statement.record
    let first = cells.count
    if record.clashes { fail(record, "another statement has the same name") }
    if parameters.count != record.parameters.count {
      fail(record, "\(parameters.count) parameters given, \(record.parameters.count) declared")
    } else {
      for (index, parameter) in parameters.enumerated() { add(parameter, record, index) }
    }
    entries.append(Entry(record: record, first: first))
    return entries.count - 1 - hidden
  }

  /// The statements of another pipeline, as they are.
  mutating func add(all other: Pipeline) {
    let (cellOffset, byteOffset) = (cells.count, bytes.count)
    entries += other.entries.map { Entry(record: $0.record, first: $0.first + cellOffset) }
    cells += other.cells.map { Cell(offset: $0.offset + byteOffset, length: $0.length) }
    bytes += other.bytes
    fault = fault ?? other.fault
  }

  /// From here on `add` counts from 0 again; answers how many statements stand in front.
  mutating func countFromHere() -> Int {
    hidden = entries.count
    return hidden
  }

  private mutating func add(_ parameter: Parameter, _ record: StatementRecord, _ index: Int) {
    guard let type = parameter.type else {
      cells.append(Cell(offset: bytes.count, length: -1))
      return
    }
    if type != record.parameters[index] {
      fail(record, "$\(index + 1) is \(type), declared \(record.parameters[index])")
    }
    let offset = bytes.count
    bytes.append(parameter: parameter)
    guard let length = Int32(exactly: bytes.count - offset), length < 1 << 30 else {
      fail(record, "$\(index + 1) is larger than 1 GiB")
      return
    }
    cells.append(Cell(offset: offset, length: length))
  }

  private mutating func fail(_ record: StatementRecord, _ what: String) {
    fault = fault ?? .shape(statement: record.name, what)
  }

  /// Empties it for the next use and keeps the memory unless one large upload had made it grow.
  mutating func reset() {
    fault = nil
    hidden = 0
    entries.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 256 << 10)
  }
}
