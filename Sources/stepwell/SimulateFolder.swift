import Activity
import Glibc

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
    guard File.makeFolder(path) else { throw Failure("\(path) cannot be made: \(reason(errno)).") }
    let file = path + "/story"
    guard let kept = File.read(file).map({ String(decoding: $0, as: UTF8.self).split(separator: " ") }) else {
      self.until = Instant(seconds: (until ?? Clock.system.now()).seconds)
      guard File.write(Array("\(story) \(self.until.utc)".utf8), to: file, mode: 0o600) else {
        throw Failure("\(file) cannot be written: \(reason(errno)).")
      }
      return
    }
    guard kept.count == 3, let end = Instant(utc: kept[2]), kept[..<2].joined(separator: " ") == story,
      until.map({ $0.seconds == end.seconds }) ?? true
    else { throw Failure("\(path) belongs to another story: \(kept.joined(separator: " ")). Use another folder.") }
    self.until = end
  }

  private static func temporary() throws(Failure) -> String {
    var template = Array("/tmp/stepwell-phone-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("No temporary folder could be made: \(reason(errno)).") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a folder that need not be kept; what the server did not take is lost with it.
  func close() {
    guard !isKept else { return }
    for folder in [queue, path] {
      guard let handle = opendir(folder) else { continue }
      while let entry = readdir(handle) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        unlink(folder + "/" + name)
      }
      closedir(handle)
      rmdir(folder)
    }
  }
}
