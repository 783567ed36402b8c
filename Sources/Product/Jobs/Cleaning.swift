import Activity
import EventLoop
import People
import Storage

extension JobRunner {
  /// Takes away one file of an import that is over.
  func remove(_ path: String) async {
    _ = try? await poller.onWorker { ImportFiles.remove(path) }
  }

  /// Takes away files of imports that are over, and what uploads left that broke off: a server that was killed could not.
  /// A file that is younger than an hour (an upload: a day) stays, as its import may not be noted yet.
  func cleanUp() async {
    let folder = settings.importFolder
    guard let files = try? await poller.onWorker({ ImportFiles.ages(in: folder) }), !files.isEmpty else { return }
    let open: Set<ImportID>
    do throws(Problem) { open = try await store.openImports() } catch { return }
    let old = files.filter { name, age in
      if let id = ImportID(reading: name) { return age > 3600 && !open.contains(id) }
      return name.hasSuffix(".part") && age > 86_400
    }
    for file in old { await remove(folder + "/" + file.name) }
    if !old.isEmpty { log("jobs: \(old.count) files of imports that are over were removed") }
  }
}
