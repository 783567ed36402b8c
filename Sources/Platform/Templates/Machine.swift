/// Runs a program over one model. The stack holds the addresses of the opened models, outermost first.
struct Machine {
  static let maximumDepth = 128

  let program: Program
  let instructions: UnsafePointer<Instruction>
  let bytes: UnsafeBufferPointer<UInt8>
  let stack: UnsafeMutablePointer<UnsafeRawPointer>
  var depth: Int

  mutating func run(from start: Int, to end: Int, into out: inout [UInt8]) {
    var index = start
    while index < end {
      let instruction = instructions[index]
      index += 1
      switch instruction {
      case .bytes(let start, let count):
        out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)]))
      case .text(let level, let offset): out.append(escaped: self[level, offset, String.self].pointee)
      case .optionalText(let level, let offset):
        if let text = self[level, offset, String?.self].pointee { out.append(escaped: text) }
      case .html(let level, let offset):
        out.append(contentsOf: self[level, offset, TrustedHTML.self].pointee.bytes)
      case .drawing(let level, let offset, let number):
        program.drawings[Int(number)](stack[Int(level)] + Int(offset), &out)
      case .ifFlag(let level, let offset, let end):
        if !self[level, offset, Bool.self].pointee { index = Int(end) }
      case .unlessFlag(let level, let offset, let end):
        if self[level, offset, Bool.self].pointee { index = Int(end) }
      case .ifHTML(let level, let offset, let end):
        if self[level, offset, TrustedHTML.self].pointee.bytes.isEmpty { index = Int(end) }
      case .unlessHTML(let level, let offset, let end):
        if !self[level, offset, TrustedHTML.self].pointee.bytes.isEmpty { index = Int(end) }
      case .unlessText(let level, let offset, let end):
        if !self[level, offset, String.self].pointee.isEmpty { index = Int(end) }
      case .unlessOptionalText(let level, let offset, let end):
        if self[level, offset, String?.self].pointee != nil { index = Int(end) }
      case .unlessAny(let level, let offset, let number, let end):
        if !program.lists[Int(number)].isEmpty(stack[Int(level)] + Int(offset)) { index = Int(end) }
      case .openText(let number, let isEscaped):
        let name = program.openNames[Int(number)]
        name.shape.write(name.path, UnsafeBufferPointer(start: stack, count: depth), isEscaped, &out)
      case .openUnless(let number, let end):
        let name = program.openNames[Int(number)]
        if !name.shape.isEmpty(name.path, UnsafeBufferPointer(start: stack, count: depth)) { index = Int(end) }
      case .call(let start, let end): run(from: Int(start), to: Int(end), into: &out)
      case .ifText, .ifOptionalText, .part, .each, .openEach: index = open(instruction, at: index, into: &out)
      }
    }
  }

  /// Sections that open a model: the body runs with its address on the stack. Returns where to go on.
  private mutating func open(_ instruction: Instruction, at body: Int, into out: inout [UInt8]) -> Int {
    switch instruction {
    case .ifText(let level, let offset, let end):
      let place = self[level, offset, String.self]
      if !place.pointee.isEmpty { run(body, Int(end), with: UnsafeRawPointer(place), into: &out) }
      return Int(end)
    case .ifOptionalText(let level, let offset, let end):
      if let text = self[level, offset, String?.self].pointee {
        withUnsafePointer(to: text) { run(body, Int(end), with: UnsafeRawPointer($0), into: &out) }
      }
      return Int(end)
    case .part(let level, let offset, let end):
      run(body, Int(end), with: stack[Int(level)] + Int(offset), into: &out)
      return Int(end)
    case .each(let level, let offset, let number, let end):
      program.lists[Int(number)].each(stack[Int(level)] + Int(offset)) { row in
        run(body, Int(end), with: row, into: &out)
      }
      return Int(end)
    case .openEach(let number, let end):
      let name = program.openNames[Int(number)]
      name.shape.each(name.path, UnsafeBufferPointer(start: stack, count: depth)) { row in
        run(body, Int(end), with: row, into: &out)
      }
      return Int(end)
    default: return body
    }
  }

  /// Deeper nesting than the stack holds can only come from data that holds itself; it ends there.
  private mutating func run(_ start: Int, _ end: Int, with model: UnsafeRawPointer, into out: inout [UInt8]) {
    guard depth < Machine.maximumDepth else { return }
    stack[depth] = model
    depth += 1
    run(from: start, to: end, into: &out)
    depth -= 1
  }

  private subscript<Value>(level: Int32, offset: Int32, type: Value.Type) -> UnsafePointer<Value> {
    @inline(__always) get {
      (stack[Int(level)] + Int(offset)).assumingMemoryBound(to: Value.self)
    }
  }
}
