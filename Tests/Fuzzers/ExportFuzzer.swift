// rooms: Bytes Activity Archive Secrets Intake
import Activity
import Archive
import Intake

/// An Apple export from its bytes to samples and rings. The slices do not depend on the pieces of the input, and every
/// record is counted once: accepted, refused, or not of interest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let cut = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = readAll(bytes, chunk: .max, slice: 1000)
  checkSame(readAll(bytes, chunk: Int(cut) % 13 + 1, slice: 1000), whole, "other pieces")
  checkSame(readAll(bytes, chunk: .max, slice: Int(cut) % 3 + 1), whole, "other pieces")
  return 0
}

private func readAll(_ bytes: [UInt8], chunk: Int, slice: Int) -> [String] {
  let reader = AppleExportReader(
    .bytes(bytes, chunk: chunk), receivedAt: Instant(milliseconds: 1_796_000_000_000), sliceSize: slice)
  var lines: [String] = []
  var summaries: [CivilDay: String] = [:]
  do {
    while let batch = try reader.next() {
      lines += batch.samples.map { "\($0)" }
      // Of several summaries of a day the last one stands, within a slice and over slices.
      for summary in batch.summaries { summaries[summary.day] = "\(summary)" }
      lines += batch.refused.map { "\($0)" }
    }
  } catch {
    // A file that is refused as a whole leaves nothing behind, whatever was read of it before.
    return ["\(error)"]
  }
  let refused = reader.counts.refused.map { "\($0.key) \($0.value)" }.sorted()
  let counts = "\(reader.counts.records) \(reader.counts.samples) \(reader.counts.summaries) \(refused)"
  return (lines + summaries.values).sorted() + ["\(counts) \(reader.isTruncated) \(reader.exportedAt as Any)"]
}
