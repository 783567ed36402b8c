import Glibc

/// The repository that these tests belong to, found by this file's own place: tests read nothing outside of it.
package enum Repository {
  /// Absolute path of the root, without a slash at the end.
  package static let root: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  package struct Unreadable: Error { let path: String }

  package static func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = open(path.hasPrefix("/") ? path : root + "/" + path, O_RDONLY)
    guard descriptor >= 0 else { throw Unreadable(path: path) }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 { throw Unreadable(path: path) }
      if count == 0 { return all }
      all.append(contentsOf: chunk[..<count])
    }
  }

  package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  /// Paths of all files below a folder, relative to the root, sorted.
  package static func files(under folder: String) throws -> [String] {
    var found: [String] = []
    for (name, isFolder) in try entries(folder) {
      let path = folder + "/" + name
      if isFolder { found += try files(under: path) } else { found.append(path) }
    }
    return found
  }

  /// Names in a folder and whether each is a folder, sorted.
  package static func entries(_ folder: String) throws -> [(name: String, isFolder: Bool)] {
    guard let handle = opendir(root + "/" + folder) else { throw Unreadable(path: folder) }
    defer { closedir(handle) }
    var names: [(String, Bool)] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append((name, entry.pointee.d_type == UInt8(DT_DIR))) }
    }
    return names.sorted { $0.0 < $1.0 }
  }
}
