import Activity
import Intake
import Synchronization

/// An export that worker threads read slice by slice, one after the other.
final class ImportFile: Sendable {
  struct Slice: Sendable {
    let batch: Batch
    /// Bytes of the file that were read so far.
    let position: Int64
    /// Records of any kind that were read so far.
    let records: Int64
  }

  private let reader: Mutex<AppleExportReader>

  /// Blocks: looks into the file for its health data.
  init(_ path: String, receivedAt: Instant, sliceSize: Int) throws(IntakeProblem) {
    let reader = try AppleExportReader(path: path, receivedAt: receivedAt, sliceSize: sliceSize)
    self.reader = Mutex(reader)
  }

  /// Blocks; nil after the last slice.
  func next() throws(IntakeProblem) -> Slice? {
    try reader.withLock { reader throws(IntakeProblem) in
      guard let batch = try reader.next() else { return nil }
      return Slice(batch: batch, position: reader.progress.read, records: Int64(reader.counts.records))
    }
  }

  /// Known after the last slice.
  var isTruncated: Bool { reader.withLock { $0.isTruncated } }
}
