// Site: addresses, actions and page models. It turns one request into one answer: it asks Storage under a claim or
// permit of Consent, lets Activity do the arithmetic, and writes finished words into a view.
// It must never know a socket, a line of SQL or a line of HTML; links come from `Route`, texts from Views/text.
import Activity
import Consent
package import EventLoop
package import HTTP
package import Storage

/// The answers of one loop. Lives in the loop's isolation: it holds the loop's database pool.
package final class Site {
  package let commons: Commons
  let store: Store
  let loop: EventLoop
  let poller: Poller
  let memory: PageMemory
  /// Bytes that the next page of a view will need, by its name.
  var sizes: [String: Int] = [:]

  /// `poller`: that of `loop`. `memory`: bytes of written pages that this loop may keep.
  package init(commons: Commons, store: Store, loop: EventLoop, poller: Poller, memory: Int = 8 << 20) {
    self.commons = commons
    self.store = store
    self.loop = loop
    self.poller = poller
    self.memory = PageMemory(limit: memory)
  }

  /// Answers one request. Never throws: what goes wrong is an answer too.
  package func answer(_ request: Request) async -> Response {
    var response = await respond(request)
    commons.headers.add(to: &response)
    return response
  }

  private func respond(_ request: Request) async -> Response {
    let refusals = Refusals(commons: commons, request: request)
    guard let host = request.fields["host"], commons.origins.knows(host: host) else {
      return refusals.misdirected()
    }
    let segments = request.segments
    guard let route = Route(segments: segments, query: request.query) else {
      return refusals.page(for: Problem(.notFound, ""))
    }
    var response = await respond(request, route, refusals)
    response.route = route.template
    return response
  }

  private func respond(_ request: Request, _ route: Route, _ refusals: Refusals) async -> Response {
    guard route.methods.contains(request.method) else { return refusals.wrongMethod(route.methods) }
    if request.method == .post, !route.isForPhones, let seen = commons.origins.refusal(of: request.fields) {
      return refusals.wrongOrigin(seen: seen)
    }
    let visit = Visit(
      request: request, route: route, now: commons.clock.now(),
      claim: request.cookie(CookieName.session).flatMap { OwnClaim(cookie: $0) }, interior: commons.interior)
    do {
      return try await act(on: visit)
    } catch {
      if error.code == .internal || error.code == .unavailable { commons.report(error, request.number) }
      return refusals.answer(to: error, on: visit)
    }
  }
}
