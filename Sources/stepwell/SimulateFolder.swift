import Activity
import Files

/// Where a simulated phone keeps its queue. A folder that is kept remembers its story, so that the same command goes on with it.
struct SimulateFolder {
  let until: Instant
  private let path: String
  private let isKept: Bool

  var queue: String { path + "/queue" }

  /// `path` nil: a folder that is gone at the end. `until` nil: that of the kept story, else now.
  init(_ path: String?, story: String, until: Instant?) throws(Failure) {
    guard let path else {
      self.path = try Self.temporary()
      self.until = until ?? Clock.system.now()
      isKept = false
      return
    }
    self.path = path
    isKept = true
    try File.makeFolder(path)
    let file = path + "/story"
    guard let kept = (try? Disk.read(file)).map({ String(decoding: $0, as: UTF8.self).split(separator: " ") }) else {
      self.until = Instant(seconds: (until ?? Clock.system.now()).seconds)
      try File.write(Array("\(story) \(self.until.utc)".utf8), to: file, mode: 0o600)
      return
    }
    guard kept.count == 3, let end = Instant(utc: kept[2]), kept[..<2].joined(separator: " ") == story,
      until.map({ $0.seconds == end.seconds }) ?? true
    else { throw Failure("\(path) belongs to another story: \(kept.joined(separator: " ")). Use another folder.") }
    self.until = end
  }

  private static func temporary() throws(Failure) -> String {
    do throws(FileFault) { return try Folder.makeTemporary("stepwell-phone") } catch {
      throw Failure("No temporary folder could be made: \(error.reason).")
    }
  }

  /// Removes a folder that need not be kept; what the server did not take is lost with it.
  func close() {
    guard !isKept else { return }
    for folder in [queue, path] { try? Folder.remove(folder) }
  }
}
