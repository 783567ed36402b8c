import CLinux
import Glibc

/// What the kernel said about a file; `code` is errno.
package struct FileError: Error {
  package let path: String
  package let code: Int32

  var reason: String { String(cString: strerror(code)) }
}

/// The few file functions that the embedded server needs.
enum SmallFiles {
  /// The whole file, or nil if it cannot be read.
  static func read(_ path: String, limit: Int = 1 << 20) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var all: [UInt8] = []
    while all.count < limit {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      all.append(contentsOf: bytes[0..<count])
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Bytes from the middle of a file; fewer if it is shorter or cannot be read.
  static func bytes(_ path: String, at offset: Int, count: Int) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor, &bytes, count, off_t(offset))
    return Array(bytes[..<max(0, got)])
  }

  /// The last `limit` bytes of a file.
  static func tail(_ path: String, limit: Int = 4096) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, Int32(SEEK_END))
    _ = lseek(descriptor, max(0, size - limit), Int32(SEEK_SET))
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(descriptor, &bytes, limit)
    return String(decoding: bytes[0..<max(0, count)], as: UTF8.self)
  }

  /// Replaces a file: whole or not at all.
  static func write(_ path: String, _ text: String, owner: Account) throws(FileError) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path: new, code: errno) }
    defer { close(descriptor) }
    let bytes = [UInt8](text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw FileError(path: new, code: errno == 0 ? ENOSPC : errno)
    }
    try give(new, to: owner)
    guard rename(new, path) == 0 else { throw FileError(path: path, code: errno) }
  }

  /// Makes a folder that need not exist yet; its parents must.
  static func makeFolder(_ path: String, mode: mode_t, owner: Account?) throws(FileError) {
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw FileError(path: path, code: errno) }
    guard isFolder(path) else { throw FileError(path: path, code: ENOTDIR) }
    if let owner {
      try give(path, to: owner)
      guard chmod(path, mode) == 0 else { throw FileError(path: path, code: errno) }
    }
  }

  /// Hands a file to another user where we may (root); to ourselves it is already.
  static func give(_ path: String, to owner: Account) throws(FileError) {
    guard geteuid() == 0 else { return }
    guard lchown(path, owner.user, owner.group) == 0 else { throw FileError(path: path, code: errno) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  static func owner(_ path: String) -> uid_t? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_uid : nil
  }

  /// Names in a folder, without `.` and `..`; empty if it cannot be read.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a folder and all in it, without following links.
  static func remove(_ path: String) {
    if isFolder(path) { for name in names(in: path) { remove("\(path)/\(name)") } }
    if unlink(path) != 0 { rmdir(path) }
  }

  /// The absolute path without links; the argument if it does not exist.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Bytes that an ordinary user may still write there.
  static func freeBytes(_ path: String) -> UInt64 {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return .max }
    return UInt64(facts.f_bavail) &* UInt64(facts.f_frsize)
  }
}

/// A user of the operating system.
struct Account: Equatable {
  let name: String
  let user: uid_t
  let group: gid_t

  static func named(_ name: String) -> Account? { getpwnam(name).map { Account($0.pointee) } }
  static var current: Account {
    getpwuid(geteuid()).map { Account($0.pointee) } ?? Account(name: "\(geteuid())", user: geteuid(), group: getegid())
  }

  init(name: String, user: uid_t, group: gid_t) {
    self.name = name
    self.user = user
    self.group = group
  }

  private init(_ entry: passwd) {
    self.init(name: entry.pw_name.map { String(cString: $0) } ?? "", user: entry.pw_uid, group: entry.pw_gid)
  }
}
