import Glibc

/// The few file calls of the program, by path.
enum File {
  /// The whole file; nil if it cannot be read. For small files only.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Writes beside, syncs and renames: the file is whole or absent. False with `errno` set if that failed.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t) -> Bool {
    let beside = path + ".new"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return false }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 {
        close(descriptor)
        return false
      }
      sent += count
    }
    guard fsync(descriptor) == 0, close(descriptor) == 0 else { return false }
    return rename(beside, path) == 0
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes the folder and those above it; true if it is there afterwards.
  static func makeFolder(_ path: String, mode: mode_t = 0o700) -> Bool {
    var at = ""
    for part in path.split(separator: "/") {
      at += (at.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      if mkdir(at, mode) != 0 && errno != EEXIST { return false }
    }
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
