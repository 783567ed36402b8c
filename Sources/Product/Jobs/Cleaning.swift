import Activity
import EventLoop
import Files
import People
import Storage

extension JobRunner {
  /// Takes away one file of an import that is over. It may be gone already.
  func remove(_ path: String) async {
    _ = try? await poller.onWorker { try Disk.remove(path) }
  }

  /// Takes away files of imports that are over, and parts whose writers are gone: a server or a command that was killed could
  /// not. A whole file that is younger than an hour stays, as its import may not be noted yet; a part that is being written, by
  /// whichever process, holds a lock and stays as long as it takes.
  package func cleanUp() async {
    let folder = settings.importFolder
    guard let files = try? await poller.onWorker({ try Folder.entries(of: folder) }), !files.isEmpty else { return }
    let open: Set<ImportID>
    do throws(Problem) { open = try await store.openImports() } catch { return }
    let parts = files.map(\.name).filter { $0.hasSuffix(PartFile.ending) }
    let over = files.filter { file in
      ImportID(reading: file.name).map { file.age > 3600 && !open.contains($0) } ?? false
    }
    let removed = try? await poller.onWorker { try Self.remove(over.map(\.name), parts: parts, in: folder) }
    if let removed, removed > 0 { log("jobs: \(removed) files of imports that are over were removed") }
  }

  /// Blocks; answers how many went.
  private static func remove(_ files: [String], parts: [String], in folder: String) throws(FileFault) -> Int {
    var removed = 0
    for file in files {
      try Disk.remove(folder + "/" + file)
      removed += 1
    }
    // A part may be finished or discarded between the look and this.
    for part in parts where (try? PartFile.removeAbandoned(folder + "/" + part)) == true { removed += 1 }
    return removed
  }
}
