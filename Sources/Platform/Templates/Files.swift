import Glibc

/// The whole of a file. Only used at start, so that it may block.
func readFile(_ path: String) throws(TemplateError) -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw unreadable(path) }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    bytes.append(contentsOf: chunk[0..<count])
    if count < chunk.count { break }
  }
  guard ferror(file) == 0 else { throw unreadable(path) }
  return bytes
}

/// Paths below a folder of all files with an ending, relative to it and without the ending: `history/month`.
func filesBelow(_ folder: String, ending: String) throws(TemplateError) -> [String] {
  var found: [String] = []
  var waiting = [""]
  while let inner = waiting.popLast() {
    guard let listing = opendir(folder + "/" + inner) else { throw unreadable(folder + "/" + inner) }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = inner.isEmpty ? name : inner + "/" + name
      if isFolder(folder + "/" + path) {
        waiting.append(path)
      } else if name.hasSuffix(ending) {
        found.append(String(path.dropLast(ending.count)))
      }
    }
  }
  return found.sorted()
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

private func unreadable(_ path: String) -> TemplateError {
  TemplateError(file: path, line: 0, message: String(cString: strerror(errno)))
}
