import Activity
import Consent
import EventLoop
import HTTP
import People
import Secrets
import Storage

/// `/settings/password` and `/settings/sessions`.
extension Site {
  func showPassword(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.session(claim).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    return passwordPage(visit, opened, fault: nil, status: .ok)
  }

  /// Asks for the old password, then ends every other session.
  func changePassword(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let person = opened.session.person
    if let wait = commons.waitBeforeSignIn(["password:\(person)"], at: visit.now) {
      var response = passwordPage(visit, opened, fault: .tooMany, status: .tooManyRequests)
      response.fields.append("retry-after", String((wait + 999) / 1000))
      return response
    }
    guard let found = try await store.account(of: person), let stored = found.passwordHash else {
      throw Problem(.unauthenticated, "Please sign in again.")
    }
    let current = form["current"] ?? ""
    let isRight = try await commons.passwords.run(on: poller) {
      current.utf8.count <= PasswordRules.longest * 4 && Password.verify(current, against: stored)
    }
    guard isRight else { return passwordPage(visit, opened, fault: .current, status: .unprocessableContent) }
    let new = form["new"] ?? ""
    if let refusal = PasswordRules.refusal(of: new, login: found.account.login) {
      return passwordPage(visit, opened, fault: .new(refusal), status: .unprocessableContent)
    }
    let hash = try await commons.passwords.run(on: poller) { Password.hash(new) }
    guard let hash else { throw Problem(.unavailable, "The server is short of memory. Try again in a moment.") }
    try await store.changePassword(of: person, hash: hash, keeping: nil)
    // A change of privilege: this browser gets a new session too.
    var response = Response.seeOther(Route.settings.address + "?saved=" + SettingsPage.Saved.password.rawValue)
    response.fields.append("cache-control", "no-store")
    response.add(try await startSession(for: found.account, request: visit.request))
    return response
  }

  func showSessions(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.settings(claim).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    let views = visit.interior.views
    let model = SessionsPage(
      frame: frame(visit, opened.settings, place: nil), form: commons.slot.text, opened: opened, now: visit.now,
      saved: visit.request.query["saved"] != nil, clock: visit.clock(of: opened.settings), words: views.words)
    return page(views.sessions, model, to: visit, of: opened.session)
  }

  func endSession(_ visit: Visit, id: String) async throws(Problem) -> Response {
    let (_, opened) = try await form(visit)
    guard try await store.endSession(of: opened.session.person, id: id) else { throw Problem(.notFound, "") }
    return endedSessions()
  }

  func endOtherSessions(_ visit: Visit) async throws(Problem) -> Response {
    let (_, opened) = try await form(visit)
    try await store.endSessions(of: opened.session.person, keeping: opened.session.tokenHash)
    return endedSessions()
  }

  private func endedSessions() -> Response {
    var response = Response.seeOther(Route.sessions.address + "?saved=ended")
    response.fields.append("cache-control", "no-store")
    return response
  }

  private func passwordPage(
    _ visit: Visit, _ opened: Opened<Void>, fault: PasswordPage.Fault?, status: Status
  ) -> Response {
    let views = visit.interior.views
    let model = PasswordPage(
      frame: frame(visit, opened.settings, place: nil), form: commons.slot.text, fault: fault, words: views.words)
    return page(views.password, model, to: visit, of: opened.session, status: status)
  }
}
