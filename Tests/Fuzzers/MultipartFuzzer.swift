// rooms: Bytes HTTP
import HTTP

/// Uploaded forms. The same bytes mean the same whatever way they are split, and no content is lost or made up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let cut = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = readAll([bytes])
  let first = bytes.isEmpty ? 0 : Int(cut) % bytes.count
  checkSame(readAll([Array(bytes[..<first]), Array(bytes[first...])]), whole, "cut in two at \(first)")
  let step = Int(cut) % 5 + 1
  let pieces = stride(from: 0, to: bytes.count, by: step).map { Array(bytes[$0..<min(bytes.count, $0 + step)]) }
  checkSame(readAll(pieces), whole, "pieces of \(step)")
  return 0
}

private struct Reading: Equatable {
  var parts: [Part] = []
  var contents: [[UInt8]] = []
  var content: [UInt8] = []
  var end = "wait"
}

private func readAll(_ pieces: [[UInt8]]) -> Reading {
  guard var reader = MultipartReader(boundary: "b") else { fatalError("no reader") }
  var reading = Reading()
  for piece in pieces {
    reader.receive(piece)
    loop: while true {
      switch reader.next() {
      case .wait: break loop
      case .part(let part):
        if let name = part.fileName {
          check(name.utf8.count <= 255 && !name.contains("/") && !name.contains("\\") && !name.contains("\0"))
        }
        reading.parts.append(part)
      case .content(let bytes):
        check(!bytes.isEmpty)
        reading.content += bytes
      case .partEnd:
        reading.contents.append(reading.content)
        reading.content = []
      case .end:
        reading.end = "end"
        return reading
      case .refuse(let error):
        reading.end = "\(error)"
        return reading
      }
    }
  }
  return reading
}
