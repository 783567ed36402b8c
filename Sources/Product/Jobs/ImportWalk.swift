import Activity
import EventLoop
import Files
import Intake
import People
import Storage

/// One claimed import from file to days:
///
/// ```
/// begin ─► slices ─► sweep (only a whole file) ─► count, some days at a time ─► end ─► the file goes
///            └── refused or unreadable ─────────────────────────────────────► failed
/// ```
///
/// Each arrow is made of transactions of its own. Whoever is cut off begins again with the slices: their keys make that
/// harmless. Only counting, once begun, is taken up where it was.
///
/// A file that is refused or breaks late, in its middle, fails without the sweep: what was read up to there stays (a whole
/// file of the same phone adds the rest and counts nothing twice), nothing that was known before goes, and the page of the
/// import says both.
struct ImportWalk {
  /// After so many attempts an import that breaks for no known cause, or that nobody lives to end, is given up.
  private static let mostTries = 3

  private let runner: JobRunner
  private let job: Job
  private let id: ImportID
  private let lease: Lease

  init(_ runner: JobRunner, _ job: Job, _ id: ImportID) {
    self.runner = runner
    self.job = job
    self.id = id
    lease = Lease(job, runner)
  }

  private var path: String { runner.settings.importFolder + "/" + id.description }

  func run() async throws(JobEnd) {
    try await waitForSpace()
    guard let writer = try await begin() else { return }
    do throws(ImportFault) {
      // Once read, a file cannot kill anybody any more.
      if job.tries > ImportWalk.mostTries, !writer.isRead { throw .deadly }
      try await walk(writer)
    } catch {
      try await giveUp(writer, error)
    }
    await runner.remove(path)
  }

  private func waitForSpace() async throws(JobEnd) {
    let folder = runner.settings.importFolder
    // A disk that cannot be asked does not stop anybody: writing will tell.
    let free = (try? await runner.poller.onWorker { try Folder.freeBytes(folder) }) ?? .max
    guard free < runner.settings.freeBytes else { return }
    do throws(Problem) { try await runner.store.noteWaiting(job, problem: ImportRow.noSpace) } catch {
      throw .again(error)
    }
    throw .wait(60_000, "the disk is nearly full: \(free >> 20) MB are free")
  }

  /// Nil if the import is over.
  private func begin() async throws(JobEnd) -> ImportWriter? {
    do throws(Problem) { return try await runner.store.beginImport(job) } catch {
      switch error.code {
      // With a cause it is the database's own word about something broken.
      case .conflict where error.cause == nil: throw .wait(3000, "another import of this person is under way")
      case .notFound:
        await runner.remove(path)
        do throws(Problem) { try await runner.store.finish(job) } catch { throw .again(error) }
        return nil
      case _ where error.code == .unavailable || job.tries < ImportWalk.mostTries: throw .again(error)
      default:
        runner.log("jobs: import \(id) cannot be begun: \(error.cause ?? error.message)")
        let words = "internal: " + (error.cause ?? error.message)
        do throws(Problem) { try await runner.store.failImport(job, problem: words) } catch { throw .again(error) }
        await runner.remove(path)
        return nil
      }
    }
  }

  private func walk(_ writer: ImportWriter) async throws(ImportFault) {
    let isTruncated = writer.isRead ? try await rereadForWarning(writer) : try await read(writer)
    if !writer.isRead, !isTruncated { try await sweep(writer) }
    while try await stored({ () throws(Problem) in try await writer.count(limit: runner.settings.daysAtOnce) }) > 0 {
      try await goOn()
    }
    let warning = isTruncated ? FileError.truncated.rawValue : nil
    try await stored { () throws(Problem) in try await writer.end(.done, problem: warning) }
  }

  /// Stores every slice; true if the file was cut.
  private func read(_ writer: ImportWriter) async throws(ImportFault) -> Bool {
    let file = try await open(writer)
    while let slice = try await next(file) {
      try await stored { () throws(Problem) in
        try await writer.add(slice.batch, position: slice.position, records: slice.records)
      }
    }
    return file.isTruncated
  }

  /// Everything is stored already: only whether the file was cut is not known any more.
  private func rereadForWarning(_ writer: ImportWriter) async throws(ImportFault) -> Bool {
    do throws(ImportFault) {
      let file = try await open(writer)
      while try await next(file) != nil {}
      return file.isTruncated
    } catch {
      guard case .file = error else { throw error }
      return false
    }
  }

  private func sweep(_ writer: ImportWriter) async throws(ImportFault) {
    while try await !stored({ () throws(Problem) in try await writer.sweep() }) {
      let again = try await open(writer)
      while let slice = try await next(again) { writer.note(slice.batch) }
    }
  }

  private func open(_ writer: ImportWriter) async throws(ImportFault) -> ImportFile {
    let (path, receivedAt, size) = (path, writer.receivedAt, runner.settings.sliceSize)
    return try await lease.holding { () throws(ImportFault) in
      try await self.onWorker { try ImportFile(path, receivedAt: receivedAt, sliceSize: size) }
    }
  }

  private func next(_ file: ImportFile) async throws(ImportFault) -> ImportFile.Slice? {
    try await goOn()
    return try await onWorker { try file.next() }
  }

  /// Between two steps: the lease is held, and a server that stops is obeyed.
  private func goOn() async throws(ImportFault) {
    if runner.signal.isStopping { throw .problem(Problem(.unavailable, "The server is stopping.")) }
    try await stored { () throws(Problem) in try await lease.hold() }
  }

  // What can go wrong.

  private func stored<T>(_ work: () async throws(Problem) -> T) async throws(ImportFault) -> T {
    do throws(Problem) { return try await work() } catch { throw .problem(error) }
  }

  private func onWorker<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws(ImportFault) -> T {
    do { return try await runner.poller.onWorker(work) } catch {
      switch error {
      case let problem as IntakeProblem: throw .file(problem)
      default: throw .problem(Problem(.unavailable, "No worker is free.", cause: "\(error)"))
      }
    }
  }

  private func giveUp(_ writer: ImportWriter, _ fault: ImportFault) async throws(JobEnd) {
    let words: String
    switch fault {
    case .problem(let problem) where problem.code == .conflict: return try await leave()
    case .problem(let problem) where problem.code == .unavailable || job.tries < ImportWalk.mostTries:
      throw .again(problem)
    case .problem(let problem): words = "internal: " + (problem.cause ?? problem.message)
    case .file(.refused(let error, let detail)):
      words = error.rawValue
      runner.log("jobs: import \(id) is refused: \(error.rawValue), \(detail)")
    case .file(.unreadable(let errno)): words = "unreadable: errno \(errno)"
    case .deadly:
      words = ImportRow.crashed
      runner.log("jobs: import \(id) is given up: this program ended \(ImportWalk.mostTries) times while it was read")
    }
    do throws(Problem) { try await writer.end(.failed, problem: words) } catch {
      if error.code == .conflict { return try await leave() }
      throw .again(error)
    }
  }

  /// Cancelled: the file goes. In other hands: it stays, and so does the job.
  private func leave() async throws(JobEnd) {
    let open: Set<ImportID>
    do throws(Problem) { open = try await runner.store.openImports() } catch { throw .lost }
    if open.contains(id) { throw .lost }
  }
}

enum ImportFault: Error {
  case file(IntakeProblem)
  case problem(Problem)
  /// Whoever began it before did not live to say how it ended.
  case deadly
}
