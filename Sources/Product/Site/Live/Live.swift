import Activity
import Bytes
import Consent
import EventLoop
import HTTP
import People
import Secrets
import Storage

/// `/today/live`: server-sent events (HTML Living Standard 9.2) for the owner's open page of today.
extension Site {
  func showLive(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.session(claim).opened(by: claim, at: visit.now)
    let ticket = LiveTicket(loop: loop, poller: poller)
    guard visit.request.method == .head || commons.live.enter(claim.person, on: loop, ticket) else {
      throw Problem(
        .tooMany, "Too many pages of yours are open. Close some; this one is up to date when you load it again.",
        limit: LiveHub.mostOfPerson)
    }
    var response = ownPage(.ok, opened.session)
    response.fields["cache-control"] = "no-store"
    response.fields.append("content-type", "text/event-stream; charset=utf-8")
    // A proxy in between must hand every event on at once.
    response.fields.append("x-accel-buffering", "no")
    let stream = LiveStream(site: self, claim: claim, interior: visit.interior, ticket: ticket)
    response.body = .stream { writer in
      defer { self.commons.live.leave(claim.person, ticket) }
      try await stream.run(writer)
    }
    return response
  }
}

/// One open page. Between changes it waits and costs nothing but a line every `heartbeat`; each event comes from a read that
/// proves the session anew, so a page whose session is over hears nothing more.
///
///     read ──► changed? ─ write ─► wait ─┬─ rung ──────► (rest) ─► read
///      ▲           └─ no ───────────┘    ├─ midnight, end of session ─► read
///      └──────────────── away ◄──────────┴─ heartbeat ─► write a comment ─► wait
struct LiveStream {
  /// Milliseconds. Proxies close what is silent for a minute.
  static let heartbeat = 20_000
  /// Between two events at least, so that a long import does not draw the page a hundred times.
  static let rest = 400
  static let patience = 2_000

  let site: Site
  let claim: OwnClaim
  let interior: Commons.Interior
  let ticket: LiveTicket

  func run(_ writer: any BodyWriter) async throws {
    try await writer.write(Array("retry: 3000\n\n".utf8))
    var last = ""
    while true {
      ticket.reset()
      let moment: LiveMoment
      do throws(Problem) { moment = try await read() } catch {
        // The session is over, or the account: the browser asks once more and is told so.
        guard error.code == .unavailable else { return }
        _ = try await ticket.wait(until: site.poller.now + Self.patience)
        continue
      }
      if moment.tag != last {
        last = moment.tag
        try await writer.write(moment.event)
      }
      try await site.poller.sleep(for: Self.rest)
      try await wait(until: moment, writer)
    }
  }

  /// Until something has changed, the owner's day ends, or the session does.
  private func wait(until moment: LiveMoment, _ writer: any BodyWriter) async throws {
    while true {
      let left = moment.end.milliseconds(since: site.commons.clock.now())
      if left <= 0 { return }
      let pause = min(site.commons.heartbeat, Int(clamping: left))
      if try await ticket.wait(until: site.poller.now + pause) { return }
      if site.commons.clock.now() < moment.end { try await writer.write(Array(":\n\n".utf8)) }
    }
  }

  private func read() async throws(Problem) -> LiveMoment {
    let now = site.commons.clock.now()
    let day = CivilDay(number: Int32(truncatingIfNeeded: now.seconds / 86_400))
    let opened = try await site.store.today(claim, around: day).opened(by: claim, at: now)
    let clock = PersonClock(opened.settings, in: interior.zones)
    return LiveMoment(opened, clock: clock, now: now, words: interior.views.words)
  }
}

/// What the owner's today is at one moment.
struct LiveMoment {
  /// Another one for another state of the data: the same text that the page carries.
  let tag: String
  let event: [UInt8]
  /// When it is over without any change: at the owner's midnight, or with the session.
  let end: Instant

  init(_ opened: Opened<TodayRows>, clock: PersonClock, now: Instant, words: Words) {
    let today = clock.day(at: now)
    tag = Site.liveTag(opened, today: today)
    end = min(clock.history.interval(of: today).upperBound, opened.session.expires)
    let steps = opened.value.days.first { $0.day == today }?.shown
    var out = Array("id: \(tag)\nevent: today\ndata: {\"person\":\"\(opened.session.person)\"".utf8)
    out.append(",\"type\":\"stepCount\",\"date\":\"")
    out.append(iso: today)
    out.append("\",\"steps\":")
    if let steps { out.append(decimal: steps) } else { out.append("null") }
    out.append(",\"words\":")
    out.append(jsonString: steps.map { words.count(CountText.steps, $0) } ?? words.text(TodayText.noneYet))
    out.append("}\n\n")
    event = out
  }
}

extension Site {
  /// Changes with the rows and the day, and with nothing else; under the key of the session, so that it says nothing to
  /// anybody else.
  static func liveTag<Value>(_ opened: Opened<Value>, today: CivilDay) -> String {
    var basis = Array("live \(today.iso) ".utf8)
    basis += opened.fingerprint ?? []
    return Base64.url.encode(Array(HMAC.sha256(basis, key: opened.session.formKey).prefix(12)))
  }
}
