import Activity
import Consent
import EventLoop
import HTTP
import People
import Secrets
import Storage
import Templates

/// `/confirm`: the password once more before what gives others a way in (security.md "Accounts"). It holds for ten minutes.
extension Site {
  func showConfirm(_ visit: Visit, returnTo: String?) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.session(claim).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    return confirmPage(visit, opened, returnTo: returnTo, fault: nil, .ok)
  }

  func confirm(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let returnTo = form["to"].flatMap(Route.localAddress)
    let person = opened.session.person
    if let wait = commons.waitBeforeSignIn(["password:\(person)"], at: visit.now) {
      var response = confirmPage(visit, opened, returnTo: returnTo, fault: .tooMany, .tooManyRequests)
      response.fields.append("retry-after", String((wait + 999) / 1000))
      return response
    }
    guard let stored = try await store.account(of: person)?.passwordHash else {
      throw Problem(.unauthenticated, "Please sign in again.")
    }
    let typed = form["password"] ?? ""
    let isRight = try await commons.passwords.run(on: poller) {
      typed.utf8.count <= PasswordRules.longest * 4 && Password.verify(typed, against: stored)
    }
    guard isRight else {
      return confirmPage(visit, opened, returnTo: returnTo, fault: .wrong, .unprocessableContent)
    }
    commons.signInSucceeded(["password:\(person)"])
    try await store.confirm(opened.session)
    var response = Response.seeOther(returnTo ?? Route.settings.address)
    response.fields.append("cache-control", "no-store")
    return response
  }

  /// The way there, for a page that may be opened only after it; nil when the person proved a moment ago who they are.
  func confirmation<Value>(of opened: Opened<Value>, _ visit: Visit, for route: Route) -> Response? {
    opened.session.isFresh(at: visit.now) ? nil : seeOther(.confirm(returnTo: route.address))
  }

  /// The answer to a form that was sent without it: 403 with the question; nothing was changed.
  func confirmPage<Value>(_ visit: Visit, _ opened: Opened<Value>, instead route: Route) -> Response {
    confirmPage(visit, opened, returnTo: route.address, fault: nil, .forbidden)
  }

  private func confirmPage<Value>(
    _ visit: Visit, _ opened: Opened<Value>, returnTo: String?, fault: ConfirmPage.Fault?, _ status: Status
  ) -> Response {
    let views = visit.interior.views
    let model = ConfirmPage(
      frame: frame(visit, opened.settings, place: nil), form: commons.slot.text, returnTo: returnTo, fault: fault,
      words: views.words)
    return page(views.confirm, model, to: visit, of: opened.session, status: status)
  }
}

struct ConfirmPage: PageModel {
  enum Fault { case wrong, tooMany }

  let frame: Frame
  let form: String
  let action: String
  let returnTo: String?
  let problem: String?
  let passwordProblem: String?

  init(frame: Frame, form: String, returnTo: String?, fault: Fault?, words: Words) {
    self.frame = frame
    self.form = form
    action = Route.confirm(returnTo: nil).address
    self.returnTo = returnTo
    problem = fault == .tooMany ? words.text(ConfirmText.tooMany) : nil
    passwordProblem = fault == .wrong ? words.text(ConfirmText.wrong) : nil
  }

  static let fields = Fields<ConfirmPage>(
    .part("frame", \.frame), .text("form", \.form), .text("action", \.action), .text("returnTo", \.returnTo),
    .text("problem", \.problem), .text("passwordProblem", \.passwordProblem))
}

enum ConfirmText: String, TextKeys {
  case wrong = "confirm.wrong"
  case tooMany = "confirm.tooMany"
}
