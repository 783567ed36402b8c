/// One instruction. `level` counts opened models from the outside, `offset` is bytes into that model; `end` is the index
/// of the instruction after the body.
enum Instruction {
  case bytes(start: Int32, count: Int32)
  case text(level: Int32, offset: Int32)
  case optionalText(level: Int32, offset: Int32)
  case html(level: Int32, offset: Int32)
  case drawing(level: Int32, offset: Int32, Int32)
  case ifFlag(level: Int32, offset: Int32, end: Int32)
  case unlessFlag(level: Int32, offset: Int32, end: Int32)
  case ifText(level: Int32, offset: Int32, end: Int32)
  case unlessText(level: Int32, offset: Int32, end: Int32)
  case ifOptionalText(level: Int32, offset: Int32, end: Int32)
  case unlessOptionalText(level: Int32, offset: Int32, end: Int32)
  case ifHTML(level: Int32, offset: Int32, end: Int32)
  case unlessHTML(level: Int32, offset: Int32, end: Int32)
  case part(level: Int32, offset: Int32, end: Int32)
  case each(level: Int32, offset: Int32, Int32, end: Int32)
  case unlessAny(level: Int32, offset: Int32, Int32, end: Int32)
  case openText(Int32, isEscaped: Bool)
  case openEach(Int32, end: Int32)
  case openUnless(Int32, end: Int32)
  /// Runs a part of the program once more: a partial that holds itself.
  case call(start: Int32, end: Int32)
}

/// A compiled view: instructions, the static bytes they copy and the closures that they index. Immutable, shared by all
/// threads.
struct Program: Sendable {
  struct List: Sendable {
    let each: @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void
    let isEmpty: @Sendable (UnsafeRawPointer) -> Bool
  }
  struct OpenName: Sendable {
    let path: [String]
    let shape: OpenShape
  }

  var instructions: [Instruction] = []
  var bytes: [UInt8] = []
  var drawings: [@Sendable (UnsafeRawPointer, inout [UInt8]) -> Void] = []
  var lists: [List] = []
  var openNames: [OpenName] = []

  /// Writes the page of the model at an address, which must have the shape that the program was compiled for.
  func run(model: UnsafeRawPointer, into out: inout [UInt8]) {
    instructions.withUnsafeBufferPointer { instructions in
      bytes.withUnsafeBufferPointer { bytes in
        withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: Machine.maximumDepth) { stack in
          guard let stackStart = stack.baseAddress, let first = instructions.baseAddress else { return }
          stackStart.initialize(to: model)
          var machine = Machine(program: self, instructions: first, bytes: bytes, stack: stackStart, depth: 1)
          machine.run(from: 0, to: instructions.count, into: &out)
        }
      }
    }
  }
}
