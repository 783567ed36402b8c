import Activity
import Bytes
import HTTP
import People
import Secrets
import Templates

extension Site {
  /// A person's own page: rendered, tagged, and answered as 304 when the browser has it already.
  ///
  /// The tag is a code over everything that the page shows, under the key of the session: it says nothing to anybody
  /// else and changes with the person, the views, the language and the day, since all of these are in the bytes. The
  /// form token is written in afterwards; it is not part of the tag.
  func page<Model>(
    _ view: View<Model>, _ model: Model, to visit: Visit, of session: Session, status: Status = .ok
  ) -> Response {
    var bytes = render(view, model)
    var response = Response(status)
    response.account = pseudonym(of: session.person)
    response.fields.append("cache-control", "private, no-cache")
    response.fields.append("vary", "cookie")
    if status == .ok, visit.request.method != .post {
      let code = HMAC.sha256(bytes, key: session.formKey)
      let tag = EntityTag(Base64.url.encode(Array(code.prefix(15))))
      response.fields.append("etag", tag.text)
      if tag.isNamed(by: visit.request.fields) {
        response.status = .notModified
        return response
      }
    }
    commons.slot.fill(&bytes, with: FormToken(key: session.formKey).masked(commons.random))
    response.fields.append("content-type", "text/html; charset=utf-8")
    response.body = .bytes(bytes)
    return response
  }

  /// A page for somebody without a session. `form`: the token of its form, with the cookie that belongs to it.
  func visitorPage<Model>(
    _ view: View<Model>, _ model: Model, form: VisitorForm, status: Status = .ok
  ) -> Response {
    var bytes = render(view, model)
    commons.slot.fill(&bytes, with: form.token.masked(commons.random))
    var response = Response(status, type: "text/html; charset=utf-8", bytes)
    response.fields.append("cache-control", "no-store")
    if let cookie = form.newCookie { response.add(cookie) }
    return response
  }

  private func render<Model>(_ view: View<Model>, _ model: Model) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24 << 10)
    view.render(model, into: &bytes)
    return bytes
  }

  /// How the log names an account: the same through one run of the program, and nothing that leads back to a person.
  private func pseudonym(of person: PersonID) -> String {
    let code = HMAC.sha256(Array(person.description.utf8), key: commons.key)
    return Hex.encode(code.prefix(4))
  }

  /// 303 that nobody keeps.
  func seeOther(_ route: Route) -> Response {
    var response = Response.seeOther(route.address)
    response.fields.append("cache-control", "no-store")
    return response
  }
}

/// The form protection of visitors: a random cookie, and a token that only this server can derive from it.
struct VisitorForm {
  let token: FormToken
  /// Set when the browser had no usable cookie yet.
  let newCookie: SetCookie?

  init(request: Request, commons: Commons) {
    let known = request.cookie(CookieName.visitor).flatMap { $0.utf8.count == 22 ? $0 : nil }
    let value = known ?? Base64.url.encode(commons.random.bytes(16))
    token = FormToken(key: HMAC.sha256(Array(value.utf8), key: commons.key))
    newCookie = known == nil ? SetCookie(CookieName.visitor, value, sameSite: .strict) : nil
  }
}
