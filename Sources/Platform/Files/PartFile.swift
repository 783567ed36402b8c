import Synchronization

/// A file while it is written: `<path>.part` beside its place, and under its own name only when it is whole and on the disk.
///
/// ```
/// open ─ write ─ write ─► finish: flushed and renamed
///          └────────────► discard, or the object goes: removed
/// ```
///
/// The writer holds the kernel's lock on it, which ends with the process, however that ends. Who cleans up can thus tell a
/// part that somebody still writes, in this process or another, from one that a crash left. One thread at a time.
package final class PartFile: Sendable {
  package static let ending = ".part"

  package let path: String
  private let file: Descriptor
  private let isOver = Atomic<Bool>(false)

  /// Begins an empty file for `path`. One writer for each path: a second one waits for the first.
  package init(for path: String, mode: UInt32 = 0o600) throws(FileFault) {
    self.path = path
    while true {
      let file = try Descriptor(writing: path + PartFile.ending, mode: mode, emptied: false)
      _ = try file.lock(waiting: true)
      // Whoever cleans up may have taken it away between the two calls: then it is nobody's file.
      guard file.isInPlace else { continue }
      try file.empty()
      self.file = file
      return
    }
  }

  deinit { discard() }

  package func write(_ bytes: [UInt8]) throws(FileFault) { try file.write(bytes) }

  /// Flushes, renames, and flushes the folder: the file outlives a power cut under its own name.
  package func finish() throws(FileFault) {
    try file.flush()
    try Disk.rename(file.path, to: path)
    isOver.store(true, ordering: .relaxed)
    try Folder.flush(of: path)
  }

  /// Takes it away; harmless afterwards and when it is finished.
  package func discard() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    try? Disk.remove(file.path)
  }

  /// Removes a part (`….part`) whose writer is gone. False when somebody still writes it.
  package static func removeAbandoned(_ part: String) throws(FileFault) -> Bool {
    let file = try Descriptor(reading: part)
    guard try file.lock(waiting: false) else { return false }
    try Disk.remove(part)
    return true
  }
}
