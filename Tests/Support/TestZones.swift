package import Activity

/// The zones of Tests/Fixtures/zoneinfo, so that no test depends on the machine's own data.
package enum TestZones {
  package static let table: ZoneTable = {
    let folder = "Tests/Fixtures/zoneinfo"
    var files: [String: [UInt8]] = [:]
    for path in (try? Repository.files(under: folder)) ?? [] {
      files[String(path.dropFirst(folder.count + 1))] = try? Repository.bytes(path)
    }
    return ZoneTable(files: files)
  }()
}
