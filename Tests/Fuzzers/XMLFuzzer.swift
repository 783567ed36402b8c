// rooms: Bytes Archive
import Archive

/// The tolerant XML reader: the answer depends on the bytes alone, never on the pieces in which they arrive, and no
/// byte outside its buffer is touched.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let cut = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = readAll(.bytes(bytes))
  checkSame(readAll(.bytes(bytes, chunk: Int(cut) % 9 + 1)), whole, "other pieces")
  return 0
}

private let interest: XMLInterest = {
  var interest = XMLInterest(root: "HealthData")
  interest.add("Record", counted: true, only: .init(attribute: "type", value: "S"))
  interest.add("MetadataEntry")
  interest.add("ExportDate")
  return interest
}()

private func readAll(_ source: ByteSource) -> [String] {
  var reader = XMLReader(source, for: interest)
  var lines: [String] = []
  do {
    while true {
      let event = try reader.next()
      lines.append("\(reader.number) \(event)")
      switch event {
      case .start:
        for name: StaticString in ["type", "value", "startDate"] {
          let value = reader.attribute(name) { span in
            var copy: [UInt8] = []
            for index in span.indices { copy.append(span[index]) }
            return copy
          }
          var raw: [UInt8] = []
          _ = reader.appendRaw(name, to: &raw)
          if let value { lines.append("\(name) \(value) \(raw)") }
        }
      case .finished: return lines
      default: break
      }
    }
  } catch {
    return lines + ["\(error)"]
  }
}
