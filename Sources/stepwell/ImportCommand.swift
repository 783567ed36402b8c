import Activity
import Consent
import EventLoop
import Files
import Glibc
import Jobs
import People
import Storage

/// `stepwell import --person NAME FILE…`: what the import page does, from the command line. The files go the same way: a
/// copy in the data folder, a job in the queue, done by this command or by the server that runs beside it.
enum ImportCommand {
  private static let usage = "usage: stepwell import --person NAME FILE…"

  static func run(_ arguments: [String], _ configuration: Configuration) throws -> Int32 {
    var files = arguments
    guard let option = files.firstIndex(of: "--person"), option + 1 < files.count else {
      Program.complain(usage)
      return 2
    }
    let login = files[option + 1]
    files.removeSubrange(option...option + 1)
    guard !files.isEmpty, !files.contains(where: { $0.hasPrefix("--") }) else {
      Program.complain(usage)
      return 2
    }
    for file in files { try File.checkReadable(file) }
    let workshop = try Workshop(configuration)
    defer { workshop.close() }
    var isWhole = true
    do {
      for file in files { isWhole = try bring(file, to: login, workshop) && isWhole }
    } catch let problem as Problem {
      throw Failure(problem.cause.map { "\(problem.message) (\($0))" } ?? problem.message)
    }
    return isWhole ? 0 : 1
  }

  /// True if the file was taken.
  private static func bring(_ file: String, to login: String, _ workshop: Workshop) throws -> Bool {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let folder = workshop.folder.imports
    let report = try workshop.run { loop, store in
      guard let account = try await store.account(login: login) else {
        throw Failure("Nobody signs in as \(login) here.")
      }
      let id = store.freshImport()
      let bytes = try await loop.poller.onWorker { try copy(file, to: folder + "/" + id.description) }
      let permit = WritePermit.onServer(for: account.account.person, client: nil)
      try await store.received(permit, import: id, name: name, bytes: bytes)
      return try await finish(id, of: account.account.person, store, loop.poller, folder)
    }
    return say(name, report)
  }

  /// Works on the queue until this import is over; a server beside may be quicker.
  private static func finish(
    _ id: ImportID, of person: PersonID, _ store: Store, _ poller: Poller, _ folder: String
  ) async throws -> ImportRow {
    let settings = JobSettings(importFolder: folder, instance: "import \(getpid())")
    let runner = JobRunner(store: store, poller: poller, settings: settings, log: { Program.complain($0) })
    while true {
      try await runner.runDue()
      guard let row = try await store.importRow(.onServer(for: person), id) else {
        throw Failure("The import is gone.")
      }
      if row.state.isOver { return row }
      try await poller.sleep(for: 300)
    }
  }

  private static func say(_ name: String, _ row: ImportRow) -> Bool {
    let counts = row.counts
    guard row.state == .done else {
      let kept = counts.stored + counts.summaries > 0 ? "; what was read up to there is kept" : ""
      Program.complain("\(name): not imported (\(row.problem ?? "cancelled")\(kept))")
      return false
    }
    Program.say(
      "\(name): \(counts.stored) new samples, \(counts.duplicate) known, \(counts.summaries) days of rings, "
        + "\(counts.refused) records refused, \(counts.removed) samples gone, \(counts.days) days counted"
        + (row.problem.map { " (\($0))" } ?? ""))
    return true
  }

  /// Copies under a lock, flushes, renames: under its own name the file is whole. Answers its size.
  private static func copy(_ file: String, to path: String) throws -> Int64 {
    do throws(FileFault) {
      let part = try PartFile(for: path)
      let bytes = try Disk.copy(file, into: part)
      try part.finish()
      return bytes
    } catch { throw Failure("\(file) cannot be copied to \(path). \(error.path): \(error.reason).") }
  }
}
