import Activity
import Consent
import People
import Storage
import Templates

/// Where the person is signed in.
struct SessionsPage: PageModel {
  let frame: Frame
  let form: String
  let settings: String
  let saved: String?
  let count: String
  let sessions: [SessionRow]
  let hasOthers: Bool
  let endAll: String

  init(
    frame: Frame, form: String, opened: Opened<SettingsRows>, now: Instant, saved: Bool, clock: PersonClock,
    words: Words
  ) {
    self.frame = frame
    self.form = form
    settings = Route.settings.address
    self.saved = saved ? words.text(SessionText.ended) : nil
    let rows = opened.value.sessions.sorted { $0.seen > $1.seen }
    count = words.count(SettingsText.sessions, rows.count)
    sessions = rows.map { session in
      SessionRow(
        agent: Browsers.name(of: session.agent) ?? words.text(SessionText.unknown),
        seen: words.text(
          SessionText.seen, ("seen", words.when(session.seen, now: now, by: clock)),
          ("created", words.date(clock.day(at: session.created), as: .date))),
        isThis: session.tokenHash == opened.session.tokenHash, end: Route.sessionEnd(session.id).address)
    }
    hasOthers = rows.count > 1
    endAll = Route.sessionsEnd.address
  }

  static let fields = Fields<SessionsPage>(
    .part("frame", \.frame), .text("form", \.form), .text("settings", \.settings), .text("saved", \.saved),
    .text("count", \.count), .list("sessions", \.sessions), .flag("hasOthers", \.hasOthers),
    .text("endAll", \.endAll))
}

struct SessionRow: PageModel {
  let agent: String
  let seen: String
  let isThis: Bool
  let end: String

  static let fields = Fields<SessionRow>(
    .text("agent", \.agent), .text("seen", \.seen), .flag("isThis", \.isThis), .text("end", \.end))
}

/// A browser's own description made short: "Safari, iPhone".
enum Browsers {
  static func name(of agent: String) -> String? {
    let browser = [
      ("Edg/", "Edge"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("OPR/", "Opera"), ("Chrome/", "Chrome"),
      ("CriOS/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ].first { agent.contains($0.0) }?.1
    let machine = [
      ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Mac OS X", "Mac"), ("Windows", "Windows"),
      ("Linux", "Linux"),
    ].first { agent.contains($0.0) }?.1
    let parts = [browser, machine].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

enum SessionText: String, TextKeys {
  case ended = "sessions.ended"
  case unknown = "sessions.unknown"
  case seen = "sessions.seen"
}
