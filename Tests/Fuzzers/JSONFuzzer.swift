// rooms: Bytes Archive
import Archive

/// Upload JSON: the same tokens whatever way the text is split, and an error at the same token; which error it is may
/// depend on the pieces where a text is wrong in two ways.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let cut = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = readAll([bytes])
  let step = Int(cut) % 7 + 1
  let pieces = stride(from: 0, to: bytes.count, by: step).map { Array(bytes[$0..<min(bytes.count, $0 + step)]) }
  checkSame(readAll(pieces), whole, "pieces of \(step)")
  return 0
}

private func readAll(_ pieces: [[UInt8]]) -> [String] {
  var reader = JSONReader(longestString: 64)
  var lines: [String] = []
  do {
    for piece in pieces + [[]] {
      if piece.isEmpty { reader.finish() } else { reader.feed(piece) }
      loop: while true {
        let token = try reader.next()
        switch token {
        case .needsMore: break loop
        case .end: return lines + ["end"]
        case .key, .string, .number: lines.append("\(token) \(reader.string())")
        default: lines.append("\(token)")
        }
        check(reader.level <= JSONReader.deepest)
      }
    }
  } catch {
    return lines + ["error"]
  }
  return lines
}
