import Activity
import Consent
import EventLoop
import HTTP
import People
import Secrets
import Storage

/// `/sign-in` and `/sign-out`.
extension Site {
  func showSignIn(_ visit: Visit, returnTo: String?) async throws(Problem) -> Response {
    if try await isSignedIn(visit) { return seeOther(.today) }
    if try await isWaitingForSetUp() { return seeOther(.setUp) }
    return signInPage(visit, returnTo: returnTo, login: "", problem: nil)
  }

  func signIn(_ visit: Visit) async throws(Problem) -> Response {
    let form = try await fields(of: visit.request)
    let returnTo = form["to"].flatMap(Route.localAddress)
    let login = form["email"] ?? ""
    guard VisitorForm(request: visit.request, commons: commons).token.accepts(form[FormToken.field]) else {
      return signInPage(visit, returnTo: returnTo, login: login, problem: .stale, status: .forbidden)
    }
    let keys = limitKeys(login: login, address: visit.request.remoteAddress)
    if let wait = commons.waitBeforeSignIn(keys, at: visit.now) {
      var response = signInPage(
        visit, returnTo: returnTo, login: login, problem: .tooMany(milliseconds: wait), status: .tooManyRequests)
      response.fields.append("retry-after", String((wait + 999) / 1000))
      return response
    }
    guard let account = try await account(login: login, password: form["password"] ?? "") else {
      return signInPage(visit, returnTo: returnTo, login: login, problem: .mismatch, status: .unprocessableContent)
    }
    commons.signInSucceeded([keys[0]])
    if let old = visit.claim { try await store.endSession(old) }
    var response = Response.seeOther(returnTo ?? Route.today.address)
    response.fields.append("cache-control", "no-store")
    response.add(try await startSession(for: account, request: visit.request))
    return response
  }

  func signOut(_ visit: Visit) async throws(Problem) -> Response {
    _ = try await form(visit)
    try await store.endSession(visit.claimed())
    var response = seeOther(.signIn(returnTo: nil))
    response.add(.removal(of: CookieName.session))
    response.fields.append("clear-site-data", "\"cache\", \"cookies\", \"storage\"")
    return response
  }

  /// The cookie of a fresh session: new at every sign-in, so that nobody can hand a known one to somebody else.
  func startSession(for account: Account, request: Request) async throws(Problem) -> SetCookie {
    let token = Token(.session, person: account.person.number, random: commons.random)
    _ = try await store.startSession(
      for: account, tokenHash: token.hash, formKey: commons.random.bytes(32),
      agent: Self.agent(request.fields["user-agent"] ?? ""))
    let age = SessionLimits.of(account.role).absolute / 1000
    return SetCookie(CookieName.session, token.text, maxAge: Int(age))
  }

  /// The account if login and password belong together. A login that is nobody's costs the same questions and the same
  /// time as a wrong password.
  private func account(login: String, password: String) async throws(Problem) -> Account? {
    let found = try await store.account(login: login)
    let usable = found?.account.state == .active ? found?.passwordHash : nil
    let stored = usable ?? Password.dummy
    let isRight = try await commons.passwords.run(on: poller) {
      password.utf8.count <= PasswordRules.longest * 4 && Password.verify(password, against: stored)
    }
    return isRight && usable != nil ? found?.account : nil
  }

  private func isSignedIn(_ visit: Visit) async throws(Problem) -> Bool {
    guard let claim = visit.claim else { return false }
    do {
      _ = try await store.session(claim).opened(by: claim, at: visit.now)
      return true
    } catch {
      if error.code == .unauthenticated { return false }
      throw error
    }
  }

  private func signInPage(
    _ visit: Visit, returnTo: String?, login: String, problem: SignInPage.Fault?, status: Status = .ok
  ) -> Response {
    let views = visit.interior.views
    let model = SignInPage(
      frame: views.visitorFrame(base: commons.base), form: commons.slot.text, returnTo: returnTo, login: login,
      problem: problem, words: views.words)
    return visitorPage(
      views.signIn, model, form: VisitorForm(request: visit.request, commons: commons), status: status)
  }

  /// One key for the account, one for the address; of an IPv6 address the first 64 bits, since a household has them all.
  func limitKeys(login: String, address: String) -> [String] {
    let network = address.contains(":") ? Self.network(of: address) : address
    return ["login:" + (AccountRules.folded(login: login) ?? ""), "address:" + network]
  }

  /// The first four groups of an IPv6 address, written out.
  static func network(of address: String) -> String {
    let halves = address.split(separator: "%")[0].firstRange(of: "::").map { range in
      [address[..<range.lowerBound], address[range.upperBound...]]
    }
    let head = (halves?[0] ?? address[...]).split(separator: ":").map(String.init)
    let tail = halves?[1].split(separator: ":").map(String.init) ?? []
    let zeros = [String](repeating: "0", count: max(0, 8 - head.count - tail.count))
    return (head + (halves == nil ? [] : zeros) + tail).prefix(4).joined(separator: ":")
  }

  /// What the browser called itself, short and without control characters, for the list of sessions.
  static func agent(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200)))
  }
}
