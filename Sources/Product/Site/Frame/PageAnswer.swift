import Activity
import Bytes
import Consent
import HTTP
import People
import Secrets
import Templates

extension Site {
  /// A page of health data, which is a pure function of the rows that were read, the day, the view and the language: its
  /// tag is a keyed code over these (decisions.md, Caching). What the browser has is answered as 304, and what this loop
  /// has written before is sent again, both without making the model.
  ///
  /// `today`: by the person's clock. `also`: what else the page says that is not in the rows.
  func page<Model, Value>(
    _ view: View<Model>, to visit: Visit, of opened: Opened<Value>, today: CivilDay, also: String = "",
    _ model: () -> Model
  ) -> Response {
    guard let fingerprint = opened.fingerprint else { return page(view, model(), to: visit, of: opened.session) }
    let tag = tag(
      of: visit, opened.session, [commons.base, view.name, today.iso, visit.route.address, also], fingerprint)
    var response = ownPage(.ok, opened.session)
    response.fields.append("etag", tag.text)
    if tag.isNamed(by: visit.request.fields) {
      response.status = .notModified
      return response
    }
    response.fields.append("content-type", "text/html; charset=utf-8")
    if let kept = memory.page(tag.value, at: visit.now.milliseconds) {
      response.body = .kept(kept)
      return response
    }
    var bytes = render(view, model())
    if commons.slot.stands(in: bytes) {
      commons.slot.fill(&bytes, with: FormToken(key: opened.session.formKey).masked(commons.random))
      response.body = .bytes(bytes)
    } else {
      let kept = KeptBody(bytes)
      memory.keep(kept, as: tag.value, at: visit.now.milliseconds)
      response.body = .kept(kept)
    }
    return response
  }

  /// Under the key of the session, so that it says nothing to anybody else. Each word ends with a byte that none has.
  private func tag(of visit: Visit, _ session: Session, _ words: [String], _ fingerprint: [UInt8]) -> EntityTag {
    var basis = visit.interior.version
    for word in words {
      basis.append(contentsOf: word.utf8)
      basis.append(0)
    }
    basis.append(contentsOf: fingerprint)
    return EntityTag(Base64.url.encode(Array(HMAC.sha256(basis, key: session.formKey).prefix(15))))
  }

  /// The head of an answer to a person about their own.
  func ownPage(_ status: Status, _ session: Session) -> Response {
    var response = Response(status)
    response.account = pseudonym(of: session.person)
    response.fields.append("cache-control", "private, no-cache")
    response.fields.append("vary", "cookie")
    return response
  }

  /// A person's own page with forms: rendered, tagged, and answered as 304 when the browser has it already.
  ///
  /// The tag is a code over everything that the page shows, under the key of the session: it says nothing to anybody
  /// else and changes with the person, the views, the language and the day, since all of these are in the bytes. The
  /// form token is written in afterwards; it is not part of the tag.
  func page<Model>(
    _ view: View<Model>, _ model: Model, to visit: Visit, of session: Session, status: Status = .ok
  ) -> Response {
    var bytes = render(view, model)
    var response = ownPage(status, session)
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
    // As large as the last page of this view and a little more: growing would copy the page again and again.
    bytes.reserveCapacity(sizes[view.name] ?? 24 << 10)
    view.render(model, into: &bytes)
    sizes[view.name] = bytes.count + 2 << 10
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
