import Activity
import Bytes
import HTTP
import Templates

/// Answers to what cannot be done: a page for people, problem+json for programs that ask for JSON.
struct Refusals {
  let commons: Commons
  let request: Request

  /// The answer to what an action threw.
  func answer(to problem: Problem, on visit: Visit) -> Response {
    if problem.code == .unauthenticated, !wantsJSON {
      let isPage = request.method == .get || request.method == .head
      let address = isPage && visit.route != .start ? visit.route.address : nil
      var response = Response.seeOther(Route.signIn(returnTo: address).address)
      response.fields.append("cache-control", "no-store")
      return response
    }
    return page(for: problem)
  }

  func page(for problem: Problem) -> Response {
    var response = refusal(
      status: status(of: problem), kind: kind(of: problem),
      facts: commons.interior.views.words.sentence(of: problem), limit: problem.limit)
    switch problem.code {
    case .unavailable: response.fields.append("retry-after", "5")
    case .tooMany: response.fields.append("retry-after", "60")
    default: break
    }
    return response
  }

  func wrongMethod(_ allowed: [Method]) -> Response {
    var response = refusal(status: .methodNotAllowed, kind: .wrongMethod)
    response.fields.append("allow", allowed.map(\.token).joined(separator: ", "))
    return response
  }

  func wrongOrigin(seen: String) -> Response {
    let expected = commons.origins.origins[0]
    return refusal(
      status: .forbidden, kind: .wrongOrigin,
      facts: commons.interior.views.words.text(
        ErrorText.originSeen, ("expected", expected), ("seen", String(seen.prefix(200)))))
  }

  func misdirected() -> Response {
    refusal(
      status: .misdirectedRequest, kind: .misdirected,
      facts: commons.interior.views.words.text(ErrorText.answersFor, ("base", commons.base)))
  }

  private func refusal(status: Status, kind: ErrorPage.Kind, facts: String? = nil, limit: Int? = nil) -> Response {
    if wantsJSON {
      return ProblemDocument(status, kind.rawValue, facts, limit: limit).response(number: request.number)
    }
    let interior = commons.interior
    let number = status.code >= 500 ? String(request.number) : nil
    let page = ErrorPage(
      kind: kind, status: status.code, facts: facts, number: number, words: interior.views.words,
      frame: interior.views.visitorFrame(base: commons.base))
    var bytes: [UInt8] = []
    interior.views.error.render(page, into: &bytes)
    var response = Response(status, type: "text/html; charset=utf-8", bytes)
    response.fields.append("cache-control", "no-store")
    return response
  }

  /// Phones read JSON. Other programs say that they want it; browsers always name text/html.
  private var wantsJSON: Bool {
    if request.segments.first == "api" { return true }
    guard let accept = request.fields["accept"] else { return false }
    return accept.contains("json") && !accept.contains("text/html")
  }

  /// The one table from the nine codes to statuses.
  private func status(of problem: Problem) -> Status {
    switch problem.code {
    case .invalid:
      problem.cause == WrongType.cause ? .unsupportedMediaType : .badRequest
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .conflict: .conflict
    case .tooLarge: .contentTooLarge
    case .tooMany: .tooManyRequests
    case .unavailable: .serviceUnavailable
    case .internal: .internalServerError
    }
  }

  private func kind(of problem: Problem) -> ErrorPage.Kind {
    switch problem.code {
    case .invalid: .invalid
    case .unauthenticated, .forbidden: .forbidden
    case .notFound: .notFound
    case .conflict: .conflict
    case .tooLarge: .tooLarge
    case .tooMany: .tooMany
    case .unavailable: .unavailable
    case .internal: .broken
    }
  }
}
