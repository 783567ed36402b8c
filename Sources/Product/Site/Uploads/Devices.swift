import Activity
import Consent
import HTTP
import People
import Storage
import Templates

/// `/devices`: what counts steps, when data last came, earlier imports.
extension Site {
  func showDevices(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let imports = try await store.imports(claim).opened(by: claim, at: visit.now)
    let phones = try await store.devices(claim).opened(by: claim, at: visit.now)
    let rows = try await store.settings(claim).opened(by: claim, at: visit.now)
    touch(rows.session, visit)
    let views = visit.interior.views
    let model = DevicesPage(
      frame: frame(visit, rows.settings, place: .devices), sources: rows.value.sources, phones: phones.value,
      imports: imports.value, saved: visit.request.query["saved"].flatMap(DeviceSaved.init(rawValue:)), now: visit.now,
      clock: visit.clock(of: rows.settings), words: views.words)
    return page(views.devices, model, to: visit, of: rows.session)
  }
}

struct DevicesPage: PageModel {
  let frame: Frame
  let lastUpdate: String
  let saved: String?
  let newDevice: String
  let phones: [PhoneRow]
  let hasPhones: Bool
  let devices: [DeviceRow]
  let hasDevices: Bool
  let imports: [ImportItem]
  let hasImports: Bool
  let importPage: String
  let order: String

  init(
    frame: Frame, sources: [StoredSource], phones: [DeviceRecord], imports rows: [ImportRow], saved: DeviceSaved?,
    now: Instant, clock: PersonClock, words: Words
  ) {
    self.frame = frame
    self.saved = saved.map { words.text($0.text) }
    newDevice = Route.newDevice.address
    self.phones = phones.map { PhoneRow($0, now: now, clock: clock, words: words) }
    hasPhones = !phones.isEmpty
    let newest = (rows.filter { $0.state == .done }.compactMap(\.ended) + phones.compactMap(\.seen)).max()
    lastUpdate =
      newest.map { words.text(UploadText.lastUpdate, ("when", words.when($0, now: now, by: clock))) }
      ?? words.text(UploadText.never)
    devices = SourceOrder.sorted(sources).map { DeviceRow($0.source, words: words) }
    hasDevices = !devices.isEmpty
    imports = rows.prefix(5).map { ImportItem($0, now: now, clock: clock, words: words) }
    hasImports = !imports.isEmpty
    importPage = Route.imports.address
    order = Route.settings.address
  }

  static let fields = Fields<DevicesPage>(
    .part("frame", \.frame), .text("lastUpdate", \.lastUpdate), .text("saved", \.saved),
    .text("newDevice", \.newDevice),
    .list("phones", \.phones), .flag("hasPhones", \.hasPhones), .list("devices", \.devices),
    .flag("hasDevices", \.hasDevices), .list("imports", \.imports), .flag("hasImports", \.hasImports),
    .text("importPage", \.importPage), .text("order", \.order))
}

struct DeviceRow: PageModel {
  let name: String
  let kind: String
  let isWatch: Bool
  let isPhone: Bool
  let isOther: Bool

  init(_ source: Source, words: Words) {
    name = source.shownName(words)
    kind = source.shownKind(words)
    isWatch = source.sourceClass == .watch
    isPhone = source.sourceClass == .phone
    isOther = !isWatch && !isPhone
  }

  static let fields = Fields<DeviceRow>(
    .text("name", \.name), .text("kind", \.kind), .flag("isWatch", \.isWatch), .flag("isPhone", \.isPhone),
    .flag("isOther", \.isOther))
}
