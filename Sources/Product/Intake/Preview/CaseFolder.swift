package import Activity
import Archive

/// A folder with `config.json` and the files that it lists, as `stepwell preview DIR` reads it.
package enum CaseFolder {
  /// Why a folder is no case.
  package enum Fault: Error, Equatable {
    /// The configuration cannot be used.
    case config(String)
    /// A file is of a format that previews do not read.
    case format(String)
    case unreadable(path: String, errno: Int32)
  }

  /// Formats of `config.json` that are read.
  package static let formats = ["apple-xml", "apple-zip", "hk", "hae"]

  /// Runs the folder's files through intake and merge; the JSON to print.
  package static func answer(_ folder: String, zoneTable: ZoneTable) throws(Fault) -> [UInt8] {
    let config = try config(folder, zoneTable)
    if let other = config.files.first(where: { !formats.contains($0.format) }) { throw .format(other.format) }
    var preview = Preview(account: config.account, zoneTable: zoneTable)
    for file in config.files {
      if file.format.hasPrefix("apple") {
        do throws(IntakeProblem) {
          try preview.addAppleExport(name: file.path, path: folder + "/" + file.path, receivedAt: file.receivedAt)
        } catch { throw fault(error, file.path) }
      } else {
        let body = try bytes(folder, file.path)
        do throws(UploadFault) {
          preview.add(try upload(body, file, zones: config.account.zones), name: file.path, receivedAt: file.receivedAt)
        } catch { preview.refuse(name: file.path, .badJSON) }
      }
    }
    return preview.answer(config.wants)
  }

  private static func config(_ folder: String, _ zoneTable: ZoneTable) throws(Fault) -> CaseConfig {
    let bytes = try bytes(folder, "config.json")
    do throws(CaseConfig.Fault) { return try CaseConfig(bytes, zoneTable: zoneTable) } catch {
      throw .config(error.message)
    }
  }

  private static func bytes(_ folder: String, _ path: String) throws(Fault) -> [UInt8] {
    do throws(ArchiveError) { return try ByteSource.file(folder + "/" + path).read(upTo: 64 << 20) } catch {
      throw fault(AppleExport.problem(error), path)
    }
  }

  private static func upload(
    _ body: [UInt8], _ file: CaseConfig.File, zones: ZoneHistory
  ) throws(UploadFault) -> Upload {
    guard file.format == "hae" else { return try HealthKitReader.read(body, receivedAt: file.receivedAt) }
    return try HealthAutoExportReader.read(
      body, aggregation: file.headers["automation-aggregation"], zones: zones, receivedAt: file.receivedAt)
  }

  private static func fault(_ problem: IntakeProblem, _ path: String) -> Fault {
    switch problem {
    case .unreadable(let errno): .unreadable(path: path, errno: errno)
    case .refused(let error, _): .config("\(path): \(error.rawValue)")
    }
  }
}
