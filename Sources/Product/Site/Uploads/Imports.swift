import Activity
import Bytes
import Consent
import EventLoop
import Files
import HTTP
import People
import Storage

/// `/imports`: the form, earlier imports, the upload itself; one import with its progress and result.
extension Site {
  func showImports(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.imports(claim).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    return importsPage(visit, opened, problem: nil, status: .ok)
  }

  /// Takes the file in. What can be known before the file has arrived (session, another import, size, space) is checked
  /// first; the form token stands before the file in the form.
  func receiveImport(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.imports(claim).opened(by: claim, at: visit.now)
    if opened.value.contains(where: { !$0.state.isOver }) {
      return importsPage(visit, opened, problem: .another, status: .conflict)
    }
    let id = store.freshImport()
    let upload = ImportUpload(commons.imports, id: id, poller: poller)
    do throws(UploadFault) {
      let file = try await upload.receive(visit.request, token: FormToken(key: opened.session.formKey))
      // The file may have taken its time: the right to import is that of now.
      try await keep(file, as: id, under: .own(try await stillOpen(claim)))
    } catch {
      guard case .problem(let problem) = error else {
        await upload.discard(wholeToo: true)
        return importsPage(visit, opened, problem: error, status: error.status)
      }
      // When the database is away nobody knows whether the import was recorded: its file then stays for the cleaning.
      await upload.discard(wholeToo: problem.code != .unavailable)
      throw problem
    }
    commons.wakeJobs()
    return seeOther(.importing(id))
  }

  private func stillOpen(_ claim: OwnClaim) async throws(UploadFault) -> Opened<Void> {
    do throws(Problem) {
      return try await store.session(claim).opened(by: claim, at: commons.clock.now())
    } catch { throw .problem(error) }
  }

  private func keep(_ file: ImportUpload.File, as id: ImportID, under permit: WritePermit) async throws(UploadFault) {
    do throws(Problem) {
      try await store.received(permit, import: id, name: file.name, bytes: file.bytes)
    } catch {
      throw error.code == .conflict ? .another : .problem(error)
    }
  }

  func showImport(_ visit: Visit, id: ImportID) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.importReport(claim, id).opened(by: claim, at: visit.now)
    guard let report = opened.value else { throw Problem(.notFound, "") }
    touch(opened.session, visit)
    let views = visit.interior.views
    let again = LookAgain(visit.request.query, of: Route.importing(id).address, offering: 5, words: views.words)
    let model = ImportPage(
      frame: frame(visit, opened.settings, place: .devices), form: commons.slot.text, report: report, again: again,
      now: visit.now, clock: visit.clock(of: opened.settings), words: views.words)
    var response = page(views.importing, model, to: visit, of: opened.session)
    if !report.row.state.isOver { again.add(to: &response) }
    return response
  }

  func cancelImport(_ visit: Visit, id: ImportID) async throws(Problem) -> Response {
    let (_, opened) = try await form(visit)
    guard try await store.cancelImport(.own(opened), id) else {
      let claim = try visit.claimed()
      let report = try await store.importReport(claim, id, refused: 0).opened(by: claim, at: visit.now)
      guard report.value != nil else { throw Problem(.notFound, "") }
      return seeOther(.importing(id))
    }
    // Now, not when the jobs clean up: nobody will read it again. A job that reads it just now finds itself cancelled.
    let path = commons.imports.path(of: id)
    _ = try? await poller.onWorker { try Disk.remove(path) }
    return seeOther(.importing(id))
  }

  private func importsPage(
    _ visit: Visit, _ opened: Opened<[ImportRow]>, problem: UploadFault?, status: Status
  ) -> Response {
    let views = visit.interior.views
    let model = ImportsPage(
      frame: frame(visit, opened.settings, place: .devices), form: commons.slot.text, rows: opened.value,
      problem: problem, now: visit.now, clock: visit.clock(of: opened.settings), words: views.words)
    return page(views.imports, model, to: visit, of: opened.session, status: status)
  }
}
