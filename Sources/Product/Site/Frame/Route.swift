package import Activity
import Bytes
package import Consent
package import People
import Templates

/// Every address of the site, for routing and for links alike: no address is written by hand elsewhere.
///
/// A `Route` is a path that is well formed: a date exists, an id has thirteen characters. What the path names may
/// still be missing. Queries are read by the actions, except the few that links need.
package enum Route: Equatable, Hashable, Sendable {
  /// `/`: to Today or to the sign-in.
  case start
  case today
  /// Events for the open page of today.
  case live
  case day(CivilDay)
  /// Today and the seven days before; with two dates (`?from=&to=`) the range between them.
  case history(from: CivilDay?, to: CivilDay?)
  /// A week by any of its dates; the page itself lives at the first one.
  case week(CivilDay)
  /// A calendar month, 1…12.
  case month(year: Int, month: Int)
  case year(Int)

  /// `GET` the list, `POST` a new device.
  case devices
  case newDevice
  case device(ClientID)
  case deviceRemoval(ClientID)
  /// `POST` another token, or one more kind of data that the device may send.
  case deviceToken(ClientID)
  case deviceGrants(ClientID)
  case grantRevocation(GrantID)
  /// `GET` the page with the form and earlier imports, `POST` a file.
  case imports
  case importing(ImportID)
  case importCancellation(ImportID)

  case settings
  case displaySettings
  case nameSettings
  case goalSettings
  case sourceOrder
  case manualEntries
  case pauses
  case pauseRemoval(CivilDay)
  case password
  case sessions
  case sessionsEnd
  /// One session by `Session.id`.
  case sessionEnd(String)

  /// The sign-in page; afterwards the person goes on to `returnTo`, a path of this site.
  case signIn(returnTo: String?)
  case signOut
  /// Asks for the password again before what is sensitive; afterwards the person goes on to `returnTo`.
  case confirm(returnTo: String?)
  case setUp

  /// For phones: a batch of PhoneKit's, and what the app Health Auto Export sends. No cookie, no form token.
  case batches
  case healthAutoExport

  /// `/healthz`: the program answers. `/readyz`: it takes requests and its database answers.
  case health
  case ready
}

extension Route: Wording {
  /// The address as it stands in a link: path, and query where one belongs to the route.
  package var address: String {
    switch self {
    case .start: "/"
    case .today: "/today"
    case .live: "/today/live"
    case .day(let day): "/day/\(day.iso)"
    case .history(let from, let to): "/history" + Self.query([("from", from?.iso), ("to", to?.iso)])
    case .week(let first): "/history/week/\(first.iso)"
    case .month(let year, let month): "/history/month/\(Self.padded(year, 4))-\(Self.padded(month, 2))"
    case .year(let year): "/history/year/\(Self.padded(year, 4))"
    case .devices: "/devices"
    case .newDevice: "/devices/new"
    case .device(let id): "/devices/\(id)"
    case .deviceRemoval(let id): "/devices/\(id)/removal"
    case .deviceToken(let id): "/devices/\(id)/token"
    case .deviceGrants(let id): "/devices/\(id)/grants"
    case .grantRevocation(let id): "/sharing/\(id)/revocation"
    case .batches: "/api/batches"
    case .healthAutoExport: "/api/health-auto-export"
    case .imports: "/imports"
    case .importing(let id): "/imports/\(id)"
    case .importCancellation(let id): "/imports/\(id)/cancellation"
    case .settings: "/settings"
    case .displaySettings: "/settings/display"
    case .nameSettings: "/settings/name"
    case .goalSettings: "/settings/goals"
    case .sourceOrder: "/settings/sources"
    case .manualEntries: "/settings/manual-entries"
    case .pauses: "/settings/pauses"
    case .pauseRemoval(let first): "/settings/pauses/\(first.iso)/removal"
    case .password: "/settings/password"
    case .sessions: "/settings/sessions"
    case .sessionsEnd: "/settings/sessions/end"
    case .sessionEnd(let name): "/settings/sessions/\(name)/end"
    case .signIn(let returnTo): "/sign-in" + Self.query([("to", returnTo)])
    case .signOut: "/sign-out"
    case .confirm(let returnTo): "/confirm" + Self.query([("to", returnTo)])
    case .setUp: "/setup"
    case .health: "/healthz"
    case .ready: "/readyz"
    }
  }

  /// The same straight into a page; the addresses of days are by far the most.
  package func spell(into out: inout [UInt8]) {
    guard case .day(let day) = self else { return out.append(escaped: address) }
    out.append("/day/")
    out.append(iso: day)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func query(_ pairs: [(String, String?)]) -> String {
    var text = ""
    for case (let name, let value?) in pairs {
      text += (text.isEmpty ? "?" : "&") + name + "=" + encoded(value)
    }
    return text
  }

  /// Percent-encodes everything but unreserved characters and "/" (RFC 3986, 2.3).
  private static func encoded(_ value: String) -> String {
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 48 + digit : 55 + digit) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
