import Activity
import Bytes
import Consent
import People
package import HTTP

extension Route {
  /// Reads an address: nil for a path that names no page, and for a malformed date or id (both are 404).
  package init?(segments: [String], query: Query) {
    switch (segments.count, segments.first ?? "") {
    case (0, _): self = .start
    case (_, "history"): self.init(history: segments.dropFirst(), query: query)
    case (_, "imports"): self.init(imports: segments.dropFirst())
    case (2..., "devices"): self.init(devices: segments.dropFirst())
    case (2, "api"): self.init(api: segments[1])
    case (3, "sharing") where segments[2] == "revocation":
      guard let id = GrantID(reading: segments[1]) else { return nil }
      self = .grantRevocation(id)
    case (_, "settings"): self.init(settings: segments.dropFirst())
    case (2, "today") where segments[1] == "live": self = .live
    case (2, "day"):
      guard let day = CivilDay(iso: segments[1]) else { return nil }
      self = .day(day)
    case (1, let name): self.init(name: name, query: query)
    default: return nil
    }
  }

  private init?(name: String, query: Query) {
    switch name {
    case "today": self = .today
    case "devices": self = .devices
    case "sign-in": self = .signIn(returnTo: query["to"].flatMap(Self.localAddress))
    case "sign-out": self = .signOut
    case "confirm": self = .confirm(returnTo: query["to"].flatMap(Self.localAddress))
    case "setup": self = .setUp
    case "healthz": self = .health
    case "readyz": self = .ready
    default: return nil
    }
  }

  /// A date in the query that cannot be read counts as absent: the page then shows its default range.
  private init?(history rest: ArraySlice<String>, query: Query) {
    let parts = Array(rest)
    switch parts.count {
    case 0:
      self = .history(from: query["from"].flatMap(CivilDay.init(iso:)), to: query["to"].flatMap(CivilDay.init(iso:)))
    case 2 where parts[0] == "week":
      guard let day = CivilDay(iso: parts[1]) else { return nil }
      self = .week(day)
    case 2 where parts[0] == "month":
      guard let first = CivilDay(iso: parts[1] + "-01") else { return nil }
      self = .month(year: first.year, month: first.month)
    case 2 where parts[0] == "year":
      guard let first = CivilDay(iso: parts[1] + "-01-01") else { return nil }
      self = .year(first.year)
    default: return nil
    }
  }

  private init?(imports rest: ArraySlice<String>) {
    let parts = Array(rest)
    guard let name = parts.first else {
      self = .imports
      return
    }
    guard let id = ImportID(reading: name) else { return nil }
    switch parts.count {
    case 1: self = .importing(id)
    case 2 where parts[1] == "cancellation": self = .importCancellation(id)
    default: return nil
    }
  }

  private init?(devices rest: ArraySlice<String>) {
    let parts = Array(rest)
    if parts == ["new"] {
      self = .newDevice
      return
    }
    guard let id = ClientID(reading: parts[0]) else { return nil }
    switch parts.count {
    case 1: self = .device(id)
    case 2 where parts[1] == "removal": self = .deviceRemoval(id)
    case 2 where parts[1] == "token": self = .deviceToken(id)
    case 2 where parts[1] == "grants": self = .deviceGrants(id)
    default: return nil
    }
  }

  private init?(api name: String) {
    switch name {
    case "batches": self = .batches
    case "health-auto-export": self = .healthAutoExport
    default: return nil
    }
  }

  private init?(settings rest: ArraySlice<String>) {
    let parts = Array(rest)
    switch (parts.count, parts.first ?? "") {
    case (0, _): self = .settings
    case (1, "display"): self = .displaySettings
    case (1, "name"): self = .nameSettings
    case (1, "goals"): self = .goalSettings
    case (1, "sources"): self = .sourceOrder
    case (1, "manual-entries"): self = .manualEntries
    case (1, "pauses"): self = .pauses
    case (3, "pauses") where parts[2] == "removal":
      guard let first = CivilDay(iso: parts[1]) else { return nil }
      self = .pauseRemoval(first)
    case (1, "password"): self = .password
    case (1, "sessions"): self = .sessions
    case (2, "sessions") where parts[1] == "end": self = .sessionsEnd
    case (3, "sessions") where parts[2] == "end":
      guard Crockford.decode(parts[1]) != nil else { return nil }
      self = .sessionEnd(parts[1])
    default: return nil
    }
  }

  /// A return address is a path of this site: one leading slash, no second one and no backslash behind it.
  package static func localAddress(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 512, bytes.first == UInt8(ascii: "/") else { return nil }
    if bytes.count > 1, bytes[1] == UInt8(ascii: "/") || bytes[1] == UInt8(ascii: "\\") { return nil }
    return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") } ? text : nil
  }

  /// Addresses of programs: a token of their own instead of a cookie, so no form token and no origin.
  var isForPhones: Bool { self == .batches || self == .healthAutoExport }

  /// What may be asked of an address; HEAD follows GET.
  package var methods: [Method] {
    switch self {
    case .start, .today, .live, .day, .history, .week, .month, .year, .newDevice, .device, .importing, .settings,
      .sessions,
      .health,
      .ready:
      [.get, .head]
    case .devices, .imports, .password, .signIn, .confirm, .setUp: [.get, .head, .post]
    case .batches, .healthAutoExport, .deviceRemoval, .deviceToken, .deviceGrants, .grantRevocation,
      .importCancellation, .displaySettings,
      .nameSettings, .goalSettings, .sourceOrder, .manualEntries, .pauses,
      .pauseRemoval, .sessionsEnd, .sessionEnd, .signOut:
      [.post]
    }
  }
}
