import Glibc

/// Whole files by path. Every function blocks.
package enum Disk {
  /// The whole file, for small ones: above `limit` bytes it throws `EFBIG` instead of filling the memory.
  package static func read(_ path: String, limit: Int = 64 << 20) throws(FileFault) -> [UInt8] {
    let file = try Descriptor(reading: path)
    var bytes: [UInt8] = []
    while case let piece = try file.read(upTo: 1 << 16), !piece.isEmpty {
      bytes.append(contentsOf: piece)
      if bytes.count > limit { throw FileFault(path: path, number: EFBIG) }
    }
    return bytes
  }

  /// Writes beside, flushes, renames: under its name the file is the old one or the new one, never a part.
  /// `mode` holds at the moment when it is made, less the process's mask.
  package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(FileFault) {
    let file = try Descriptor(writing: path + ".new", mode: mode, emptied: true)
    try file.write(bytes)
    try file.flush()
    try rename(path + ".new", to: path)
    // The new name outlives a power cut only with its folder.
    try Folder.flush(of: path)
  }

  /// Copies `path` into a file that is being written; answers the number of bytes.
  package static func copy(_ path: String, into part: PartFile) throws(FileFault) -> Int64 {
    let file = try Descriptor(reading: path)
    var total: Int64 = 0
    while case let piece = try file.read(upTo: 1 << 20), !piece.isEmpty {
      try part.write(piece)
      total += Int64(piece.count)
    }
    return total
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Throws the reason why this process may not read `path`.
  package static func checkReadable(_ path: String) throws(FileFault) {
    guard access(path, R_OK) == 0 else { throw .last(path) }
  }

  /// Removes a file or a link. It need not be there.
  package static func remove(_ path: String) throws(FileFault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last(path) }
  }

  static func rename(_ path: String, to other: String) throws(FileFault) {
    guard Glibc.rename(path, other) == 0 else { throw .last(other) }
  }

  /// Writes to the terminal or wherever a standard stream leads; false when nobody reads it any more.
  @discardableResult
  package static func print(_ bytes: [UInt8], toErrors: Bool = false) -> Bool {
    do throws(FileFault) {
      try Descriptor(standard: toErrors ? STDERR_FILENO : STDOUT_FILENO).write(bytes)
      return true
    } catch { return false }
  }
}
