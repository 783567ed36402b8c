import Bytes
import Files
import Secrets

/// The folder in which Stepwell keeps what is its own. `EmbeddedPostgres` or `FolderLock` holds the lock on it.
struct DataFolder: Sendable {
  let path: String

  var imports: String { path + "/imports" }
  var certificate: String { path + "/certificate.pem" }
  var certificateKey: String { path + "/certificate-key.pem" }
  var seeds: String { path + "/seeds" }

  /// Makes the folder and those inside it.
  init(_ path: String) throws(Failure) {
    let absolute = path.hasPrefix("/") ? path : Folder.working() + "/" + path
    self.path = absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
    for folder in [self.path, imports] {
      do throws(FileFault) { try Folder.make(folder) } catch {
        throw Failure(
          "The data folder \(folder) cannot be made: \(error.reason). Name another one with STEPWELL_DATA.")
      }
    }
  }

  /// Bytes that an ordinary user may still write here; nil if unknown.
  var freeBytes: Int64? { try? Folder.freeBytes(path) }

  /// The name under which the server of this folder takes jobs: drawn once and kept, so that after a restart it knows its
  /// own again, and no other server on the same database has it, whatever its machine is called.
  func instance() throws(Failure) -> String {
    let file = path + "/instance"
    if let kept = try? Disk.read(file, limit: 64), kept.count == 32 { return String(decoding: kept, as: UTF8.self) }
    var name: [UInt8] = []
    name.append(hex: RandomSource.system.bytes(16))
    try File.write(name, to: file, mode: 0o600)
    return String(decoding: name, as: UTF8.self)
  }
}
