import Activity
import Glibc
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

/// The folder of uploaded files.
enum ImportFiles {
  /// Bytes that may still be written below `folder`; nil if the system does not say.
  static func freeBytes(in folder: String) -> Int64? {
    var facts = statvfs()
    guard statvfs(folder, &facts) == 0 else { return nil }
    return Int64(clamping: facts.f_bavail) &* Int64(clamping: facts.f_frsize)
  }

  static func remove(_ path: String) { unlink(path) }

  /// Names in the folder and how many seconds ago each was written.
  static func ages(in folder: String) -> [(name: String, age: Int)] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    let now = Glibc.time(nil)
    var found: [(String, Int)] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var facts = stat()
      guard name != ".", name != "..", stat(folder + "/" + name, &facts) == 0 else { continue }
      found.append((name, now - facts.st_mtim.tv_sec))
    }
    return found
  }
}
