import Activity
import Files
import Glibc

/// What the program reads from the machine at start and again on SIGHUP.
enum Resources {
  /// The folder that holds `Views` and `Public`: the configured one, else beside the program (or above it, in a build
  /// folder), else /usr/share/stepwell.
  static func folder(_ configuration: Configuration) throws(Failure) -> String {
    if let named = configuration.resources {
      guard isWhole(named) else {
        throw Failure(
          "STEPWELL_RESOURCES names \(named), which lacks Views or Public. Name the folder that holds both.")
      }
      return named
    }
    for candidate in candidates() where isWhole(candidate) { return candidate }
    throw Failure(
      "The folders Views and Public were not found. Name the folder that holds both with STEPWELL_RESOURCES.")
  }

  /// Every zone of the machine.
  static func zones(_ folder: String) throws(Failure) -> ZoneTable {
    let table = ZoneTable { try? Disk.read(folder + "/" + $0) }
    guard table.offered.count > 1 else {
      throw Failure(
        "No time zones in \(folder). Install the package tzdata, or name its folder with STEPWELL_ZONEINFO.")
    }
    return table
  }

  private static func isWhole(_ folder: String) -> Bool {
    Disk.exists(folder + "/Views/frame.html") && Disk.exists(folder + "/Public/stepwell.css")
  }

  private static func candidates() -> [String] {
    var found: [String] = []
    var folder = programFolder()
    for _ in 0..<5 where folder.count > 1 {
      found.append(folder)
      folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
    }
    return found + ["/usr/share/stepwell"]
  }

  static func programPath() -> String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  private static func programFolder() -> String {
    let path = programPath()
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
