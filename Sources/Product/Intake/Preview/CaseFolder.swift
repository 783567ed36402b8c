package import Activity
import Archive

/// A folder with `config.json` and the files that it lists, as `stepwell preview DIR` reads it.
package enum CaseFolder {
  package enum Fault: Error, Equatable {
    /// The configuration cannot be used.
    case config(String)
    /// A file is of a format that previews do not read.
    case format(String)
    case unreadable(path: String, errno: Int32)
  }

  /// Formats of `config.json` that are read.
  package static let formats = ["apple-xml", "apple-zip"]

  /// Runs the folder's files through intake and merge; the JSON to print.
  package static func answer(_ folder: String, zoneTable: ZoneTable) throws(Fault) -> [UInt8] {
    let config = try config(folder, zoneTable)
    if let other = config.files.first(where: { !formats.contains($0.format) }) { throw .format(other.format) }
    var preview = Preview(account: config.account, zoneTable: zoneTable)
    for file in config.files {
      do throws(IntakeProblem) {
        try preview.addAppleExport(name: file.path, path: folder + "/" + file.path, receivedAt: file.receivedAt)
      } catch { throw fault(error, file.path) }
    }
    return preview.answer(config.wants)
  }

  private static func config(_ folder: String, _ zoneTable: ZoneTable) throws(Fault) -> CaseConfig {
    let bytes: [UInt8]
    do throws(ArchiveError) { bytes = try ByteSource.file(folder + "/config.json").read(upTo: 1 << 20) } catch {
      throw fault(AppleExport.problem(error), "config.json")
    }
    do throws(CaseConfig.Fault) { return try CaseConfig(bytes, zoneTable: zoneTable) } catch {
      throw .config(error.message)
    }
  }

  private static func fault(_ problem: IntakeProblem, _ path: String) -> Fault {
    switch problem {
    case .unreadable(let errno): .unreadable(path: path, errno: errno)
    case .refused(let error, _): .config("\(path): \(error.rawValue)")
    }
  }
}
