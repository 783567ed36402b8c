import Glibc

/// PostgreSQL's programs as Debian installs them, one folder per major version.
struct Binaries: Equatable {
  let version: Int
  let folder: String

  static func all() throws(EmbeddedError) -> [Binaries] {
    let root = "/usr/lib/postgresql"
    let found = SmallFiles.names(in: root).compactMap { name -> Binaries? in
      guard let version = Int(name), version >= 15 else { return nil }
      let folder = "\(root)/\(name)/bin"
      guard access("\(folder)/initdb", X_OK) == 0, access("\(folder)/postgres", X_OK) == 0 else { return nil }
      return Binaries(version: version, folder: folder)
    }
    guard !found.isEmpty else { throw .noBinaries }
    return found.sorted { $0.version < $1.version }
  }

  /// The version of existing data, which no other can read; the newest for a new folder.
  static func fitting(_ cluster: Cluster, of all: [Binaries]) throws(EmbeddedError) -> Binaries {
    guard cluster.exists, let version = cluster.version else {
      guard let newest = all.last else { throw .noBinaries }
      return newest
    }
    guard let exact = all.first(where: { $0.version == version }) else {
      throw .version(data: version, installed: all.map(\.version))
    }
    return exact
  }
}
