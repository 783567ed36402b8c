import Glibc

/// The folder in which Stepwell keeps what is its own. `EmbeddedPostgres` or `FolderLock` holds the lock on it.
struct DataFolder: Sendable {
  let path: String

  var imports: String { path + "/imports" }
  var certificate: String { path + "/certificate.pem" }
  var certificateKey: String { path + "/certificate-key.pem" }
  var seeds: String { path + "/seeds" }

  /// Makes the folder and those inside it.
  init(_ path: String) throws(Failure) {
    let absolute = path.hasPrefix("/") ? path : Self.workingFolder() + "/" + path
    self.path = absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
    for folder in [self.path, imports] where !File.makeFolder(folder) {
      throw Failure(
        "The data folder \(folder) cannot be made: \(reason(errno)). Name another one with STEPWELL_DATA.")
    }
  }

  /// Bytes that an ordinary user may still write here; nil if unknown.
  var freeBytes: Int64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    return Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
  }

  /// Uploads that a killed server left half written.
  func removeHalfUploads() {
    guard let handle = opendir(imports) else { return }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasSuffix(".part") { unlink(imports + "/" + name) }
    }
  }

  private static func workingFolder() -> String {
    guard let folder = getcwd(nil, 0) else { return "." }
    defer { free(folder) }
    return String(cString: folder)
  }
}

/// Why the program cannot go on, in words for the person at the terminal.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The system's words for an error number.
func reason(_ number: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
