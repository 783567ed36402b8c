import CLinux
import Glibc

/// Folders by path. Every function blocks.
package enum Folder {
  /// A file of a folder, as it was when it was listed.
  package struct Entry: Sendable {
    package let name: String
    /// Seconds since it was written last.
    package let age: Int
  }

  /// What is in a folder, in no order, without `.` and `..`.
  package static func entries(of path: String) throws(FileFault) -> [Entry] {
    guard let listing = opendir(path) else { throw .last(path) }
    defer { closedir(listing) }
    let now = Glibc.time(nil)
    var found: [Entry] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var facts = stat()
      // One that went meanwhile is not there.
      guard name != ".", name != "..", lstat(path + "/" + name, &facts) == 0 else { continue }
      found.append(Entry(name: name, age: now - facts.st_mtim.tv_sec))
    }
    return found
  }

  /// Makes the folder and those above it, as far as they are missing.
  package static func make(_ path: String, mode: UInt32 = 0o700) throws(FileFault) {
    var at = ""
    for part in path.split(separator: "/") {
      at += (at.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      guard mkdir(at, mode) == 0 || errno == EEXIST else { throw .last(at) }
    }
    _ = try Descriptor(folder: path)
  }

  /// A fresh folder of this process's own below /tmp, its name beginning with `prefix`.
  package static func makeTemporary(_ prefix: String) throws(FileFault) -> String {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .last("/tmp") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a folder that holds nothing but files.
  package static func remove(_ path: String) throws(FileFault) {
    for entry in try entries(of: path) { try Disk.remove(path + "/" + entry.name) }
    guard rmdir(path) == 0 else { throw .last(path) }
  }

  /// Bytes that an ordinary user may still write there.
  package static func freeBytes(_ path: String) throws(FileFault) -> Int64 {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { throw .last(path) }
    let (bytes, isMore) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return isMore ? .max : Int64(clamping: bytes)
  }

  /// The folder that relative paths begin at; `.` if it has no name.
  package static func working() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  /// The path of a file's folder.
  package static func of(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns when the names in the file's folder lie on the disk.
  static func flush(of path: String) throws(FileFault) { try Descriptor(folder: of(path)).flush() }
}
