import Activity
import Consent
import Storage
import Templates

/// One sending device in the list.
struct PhoneRow: PageModel {
  let name: String
  let address: String
  let types: String
  let last: String
  let state: String
  let badge: String
  let isFresh: Bool
  let isWaiting: Bool
  let isQuiet: Bool

  init(_ device: DeviceRecord, now: Instant, clock: PersonClock, words: Words) {
    name = device.name
    address = Route.device(device.id).address
    types = words.types(device.grants.map(\.type))
    last = words.lastUpload(device, now: now, clock: clock)
    let found = DeviceState(seen: device.seen, now: now)
    state = words.text(found.text)
    badge = found.badge
    isFresh = found == .fresh
    isWaiting = found == .waiting
    isQuiet = found == .late || found == .silent
  }

  static let fields = Fields<PhoneRow>(
    .text("name", \.name), .text("address", \.address), .text("types", \.types), .text("last", \.last),
    .text("state", \.state), .text("badge", \.badge), .flag("isFresh", \.isFresh), .flag("isWaiting", \.isWaiting),
    .flag("isQuiet", \.isQuiet))
}

/// The form for a new device. Nothing is ticked in advance.
struct NewDevicePage: PageModel {
  /// What uploads can bring.
  static let offered: [DataType] = [.stepCount, .activitySummary]

  let frame: Frame
  let form: String
  let action: String
  let devices: String
  let name: Entry
  let types: [Choice]
  let typesProblem: String?
  let notice: String

  init(frame: Frame, form: String, name: Entry, chosen: Set<DataType>, typesProblem: String?, words: Words) {
    self.frame = frame
    self.form = form
    action = Route.devices.address
    devices = Route.devices.address
    self.name = name
    types = Self.offered.map {
      Choice(value: $0.name, label: words.text(DeviceText.of($0)), isChosen: chosen.contains($0))
    }
    self.typesProblem = typesProblem
    notice = ConsentNotice.share.text
  }

  static let fields = Fields<NewDevicePage>(
    .part("frame", \.frame), .text("form", \.form), .text("action", \.action), .text("devices", \.devices),
    .part("name", \.name), .list("types", \.types), .text("typesProblem", \.typesProblem), .text("notice", \.notice))
}

/// A token, the only time that it is shown.
struct TokenPage: PageModel {
  let frame: Frame
  let devices: String
  let name: String
  let token: String
  let may: String
  let until: String
  /// How long the earlier token works, if there was one.
  let overlap: String?
  let address: String
  let exportAddress: String

  static let fields = Fields<TokenPage>(
    .part("frame", \.frame), .text("devices", \.devices), .text("name", \.name), .text("token", \.token),
    .text("may", \.may), .text("until", \.until), .text("overlap", \.overlap), .text("address", \.address),
    .text("exportAddress", \.exportAddress))
}

/// One device: what it may send, and its removal.
struct DevicePage: PageModel {
  let frame: Frame
  let form: String
  let devices: String
  let saved: String?
  let row: PhoneRow
  let grants: [GrantRow]
  let hasGrants: Bool
  /// What it may not send, each with a button that allows it.
  let others: [Choice]
  let hasOthers: Bool
  let granting: String
  let notice: String
  let hint: String
  let until: String?
  let overlap: String?
  /// Where another token is asked for, and which one the page knows.
  let renewal: String
  let replacing: String
  let removal: String

  init(
    frame: Frame, form: String, device: DeviceRecord, saved: DeviceSaved?, now: Instant, clock: PersonClock,
    words: Words
  ) {
    self.frame = frame
    self.form = form
    devices = Route.devices.address
    self.saved = saved.map { words.text($0.text) }
    row = PhoneRow(device, now: now, clock: clock, words: words)
    grants = device.grants.map {
      GrantRow(name: words.text(DeviceText.of($0.type)), revocation: Route.grantRevocation($0.id).address)
    }
    hasGrants = !grants.isEmpty
    let allowed = Set(device.grants.map(\.type))
    others = NewDevicePage.offered.filter { !allowed.contains($0) }.map {
      Choice(value: $0.name, label: words.text(DeviceText.of($0)), isChosen: false)
    }
    hasOthers = !others.isEmpty
    granting = Route.deviceGrants(device.id).address
    notice = ConsentNotice.share.text
    overlap = device.overlap.map { words.overlap(until: $0, now: now, by: clock) }
    renewal = Route.deviceToken(device.id).address
    replacing = device.hint
    hint = words.text(DeviceText.endsIn, ("hint", device.hint))
    until = device.expires.map { words.text(DeviceText.until, ("date", words.date(clock.day(at: $0), as: .date))) }
    removal = Route.deviceRemoval(device.id).address
  }

  static let fields = Fields<DevicePage>(
    .part("frame", \.frame), .text("form", \.form), .text("devices", \.devices), .text("saved", \.saved),
    .part("row", \.row), .list("grants", \.grants), .flag("hasGrants", \.hasGrants), .list("others", \.others),
    .flag("hasOthers", \.hasOthers), .text("granting", \.granting), .text("notice", \.notice), .text("hint", \.hint),
    .text("until", \.until), .text("overlap", \.overlap), .text("renewal", \.renewal),
    .text("replacing", \.replacing), .text("removal", \.removal))
}

/// A kind of data that a device may send, and how to take that back.
struct GrantRow: PageModel {
  let name: String
  let revocation: String

  static let fields = Fields<GrantRow>(.text("name", \.name), .text("revocation", \.revocation))
}

extension Words {
  /// The names of types, with commas.
  func types(_ types: [DataType]) -> String {
    types.isEmpty ? text(DeviceText.nothing) : types.map { text(DeviceText.of($0)) }.joined(separator: ", ")
  }

  /// How long a token works that has a successor.
  func overlap(until end: Instant, now: Instant, by clock: PersonClock) -> String {
    text(DeviceText.overlap, ("when", moment(clock.time(at: end), today: clock.day(at: now))))
  }

  fileprivate func lastUpload(_ device: DeviceRecord, now: Instant, clock: PersonClock) -> String {
    if let seen = device.seen { return text(DeviceText.lastUpload, ("when", when(seen, now: now, by: clock))) }
    return text(DeviceText.noUpload, ("when", when(device.created, now: now, by: clock)))
  }
}
