import Activity
import Bytes
import Consent
import EventLoop
import HTTP
import People
import Secrets
import Storage

/// `/setup`: makes the first administrator of a fresh house. Whoever can read the server's output owns the server; the
/// code proves it.
extension Site {
  func showSetUp(_ visit: Visit) async throws(Problem) -> Response {
    guard try await isWaitingForSetUp() else { return seeOther(.signIn(returnTo: nil)) }
    return setUpPage(visit, entries: SetUpEntries(zone: "Europe/London"))
  }

  func setUp(_ visit: Visit) async throws(Problem) -> Response {
    guard try await isWaitingForSetUp(), let code = commons.setUpCode else { return seeOther(.signIn(returnTo: nil)) }
    let form = try await fields(of: visit.request)
    var entries = SetUpEntries(form: form)
    guard VisitorForm(request: visit.request, commons: commons).token.accepts(form[FormToken.field]) else {
      return setUpPage(visit, entries: entries, problem: .stale, status: .forbidden)
    }
    let address = limitKeys(login: "", address: visit.request.remoteAddress)[1]
    if let wait = commons.waitBeforeSignIn(["setup " + address], at: visit.now) {
      var response = setUpPage(visit, entries: entries, problem: .tooMany(milliseconds: wait), status: .tooManyRequests)
      response.fields.append("retry-after", String((wait + 999) / 1000))
      return response
    }
    entries.check(code: code, zones: visit.interior.zones)
    guard entries.isRight else { return setUpPage(visit, entries: entries, status: .unprocessableContent) }
    return try await makeAdministrator(entries, visit)
  }

  private func makeAdministrator(_ entries: SetUpEntries, _ visit: Visit) async throws(Problem) -> Response {
    let password = entries.password
    let hash = try await commons.passwords.run(on: poller) { Password.hash(password) }
    guard let hash else { throw Problem(.unavailable, "The server is short of memory. Try again in a moment.") }
    let person: PersonID
    do {
      person = try await store.setUp(
        NewAccount(
          login: entries.login, displayName: entries.name, passwordHash: hash, role: .administrator, zone: entries.zone)
      )
    } catch {
      guard error.code == .conflict else { throw error }
      commons.closeSetUp()
      return seeOther(.signIn(returnTo: nil))
    }
    commons.closeSetUp()
    guard let made = try await store.account(of: person) else { return seeOther(.signIn(returnTo: nil)) }
    var response = seeOther(.today)
    let cookie = try await startSession(for: made.account, request: visit.request)
    if let claim = OwnClaim(cookie: cookie.value), entries.weekStart != .monday {
      let opened = try await store.session(claim).opened(by: claim, at: commons.clock.now())
      try await store.changeLook(.own(opened), weekStart: entries.weekStart)
    }
    response.add(cookie)
    return response
  }

  /// Another instance may have done it: then the code is worthless here too.
  func isWaitingForSetUp() async throws(Problem) -> Bool {
    guard commons.setUpCode != nil else { return false }
    guard try await store.isSetUp() else { return true }
    commons.closeSetUp()
    return false
  }

  private func setUpPage(
    _ visit: Visit, entries: SetUpEntries, problem: SignInPage.Fault? = nil, status: Status = .ok
  ) -> Response {
    let views = visit.interior.views
    let model = SetUpPage(
      frame: views.visitorFrame(base: commons.base), form: commons.slot.text, entries: entries, problem: problem,
      zones: visit.interior.zones.offered, words: views.words)
    return visitorPage(
      views.setUp, model, form: VisitorForm(request: visit.request, commons: commons), status: status)
  }
}

/// What was typed into the set-up form, and what is wrong with it.
struct SetUpEntries {
  enum Fault { case wrongCode, name, login, tooShort, tooLong, common, sameAsLogin }

  var code = ""
  var name = ""
  var login = ""
  var password = ""
  var zone: String
  var weekStart = WeekStart.monday
  var faults: [Fault] = []

  var isRight: Bool { faults.isEmpty }

  init(zone: String) { self.zone = zone }

  init(form: Form) {
    code = form["code"] ?? ""
    name = form["name"] ?? ""
    login = form["email"] ?? ""
    password = form["password"] ?? ""
    zone = form["zone"] ?? "UTC"
    weekStart = form["week"].flatMap { Int16($0) }.flatMap(WeekStart.init(rawValue:)) ?? .monday
  }

  mutating func check(code expected: String, zones: ZoneTable) {
    let plain = { (text: String) in Array(text.lowercased().utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "-") }) }
    if !equalInConstantTime(SHA256.hash(plain(code)), SHA256.hash(plain(expected))) { faults.append(.wrongCode) }
    if let name = AccountRules.displayName(name) { self.name = name } else { faults.append(.name) }
    if AccountRules.folded(login: login) == nil { faults.append(.login) }
    switch PasswordRules.refusal(of: password, login: login) {
    case .tooShort: faults.append(.tooShort)
    case .tooLong: faults.append(.tooLong)
    case .common: faults.append(.common)
    case .sameAsLogin: faults.append(.sameAsLogin)
    case nil: break
    }
    if zones.zone(named: zone) == nil { zone = "UTC" }
  }
}
