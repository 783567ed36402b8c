import Activity
import Consent
import HTTP
import People
import Secrets
import Storage

/// Adding, looking at and removing a device; taking back what it may send.
extension Site {
  func showNewDevice(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.session(claim).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    if let first = confirmation(of: opened, visit, for: .newDevice) { return first }
    return newDevicePage(visit, opened, name: Entry(value: "", problem: nil), chosen: [], typesProblem: nil, .ok)
  }

  /// The token stands on the answer itself and nowhere else, so there is no address to go to. Who loads the answer again
  /// sends the form again: the device is there already then, and its token is not shown a second time.
  func addDevice(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    guard opened.session.isFresh(at: visit.now) else { return confirmPage(visit, opened, instead: .newDevice) }
    let words = visit.interior.views.words
    let typed = form["name"] ?? ""
    let chosen = Set(
      form.pairs.filter { $0.name == "type" }.compactMap { DataType(named: $0.value) }
        .filter(NewDevicePage.offered.contains))
    let name = AccountRules.displayName(typed)
    guard let name, !chosen.isEmpty else {
      let entry = Entry(value: typed, problem: name == nil ? words.text(DeviceText.nameProblem) : nil)
      let problem = chosen.isEmpty ? words.text(DeviceText.typesProblem) : nil
      return newDevicePage(
        visit, opened, name: entry, chosen: chosen, typesProblem: problem, .unprocessableContent)
    }
    let token = Token(.upload, person: opened.session.person.number, random: commons.random)
    let device = NewDevice(
      id: Self.deviceID(of: form, opened.session), name: name, types: chosen, notice: .share, token: token,
      role: opened.session.role)
    guard try await store.addDevice(.own(opened), device) else {
      return seeOther(Route.device(device.id).address, saying: .again)
    }
    return tokenPage(visit, opened, name: name, types: chosen, token: token)
  }

  /// The mask of a form's token is new on every page and the same when the form is sent again, so it names the device.
  private static func deviceID(of form: Form, _ session: Session) -> ClientID {
    var sent = Array("device".utf8)
    for pair in form.pairs { sent += Array(pair.name.utf8) + [0] + Array(pair.value.utf8) + [0] }
    let code = HMAC.sha256(sent, key: session.formKey)
    return ClientID(code.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & Int64.max)
  }

  /// Another token for the same device; the earlier one works for a day more.
  func renewToken(_ visit: Visit, id: ClientID) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    guard opened.session.isFresh(at: visit.now) else { return confirmPage(visit, opened, instead: .device(id)) }
    let claim = try visit.claimed()
    let devices = try await store.devices(claim).opened(by: claim, at: visit.now).value
    guard let device = devices.first(where: { $0.id == id }) else { throw Problem(.notFound, "") }
    let token = Token(.upload, person: opened.session.person.number, random: commons.random)
    switch try await store.renewToken(.own(opened), of: id, replacing: form["replacing"] ?? "", by: token) {
    case .renewed:
      return tokenPage(
        visit, opened, name: device.name, types: Set(device.grants.map(\.type)), token: token, isNext: true)
    case .alreadyRenewed: return seeOther(Route.device(id).address, saying: .again)
    case .noSuchDevice: throw Problem(.notFound, "")
    }
  }

  /// Allows what the person had stopped, or had not ticked.
  func grantAgain(_ visit: Visit, id: ClientID) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    guard opened.session.isFresh(at: visit.now) else { return confirmPage(visit, opened, instead: .device(id)) }
    guard let type = form["type"].flatMap(DataType.init(named:)), NewDevicePage.offered.contains(type) else {
      throw Problem(.invalid, "Choose what the device may send.")
    }
    let role = opened.session.role
    guard try await store.grant(.own(opened), type, to: id, notice: .share, role: role) else {
      throw Problem(.notFound, "")
    }
    return seeOther(Route.device(id).address, saying: .granted)
  }

  func showDevice(_ visit: Visit, id: ClientID) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.devices(claim).opened(by: claim, at: visit.now)
    guard let device = opened.value.first(where: { $0.id == id }) else { throw Problem(.notFound, "") }
    touch(opened.session, visit)
    let views = visit.interior.views
    let model = DevicePage(
      frame: frame(visit, opened.settings, place: .devices), form: commons.slot.text, device: device,
      saved: visit.request.query["saved"].flatMap(DeviceSaved.init(rawValue:)), now: visit.now,
      clock: visit.clock(of: opened.settings), words: views.words)
    return page(views.device, model, to: visit, of: opened.session)
  }

  func removeDevice(_ visit: Visit, id: ClientID) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let deletes: Bool
    switch form["data"] {
    case "keep": deletes = false
    case "delete": deletes = true
    default: throw Problem(.invalid, "Choose whether what the device sent is kept or deleted.")
    }
    let role = opened.session.role
    guard try await store.removeDevice(.own(opened), id, role: role, deleting: deletes) else {
      throw Problem(.notFound, "")
    }
    commons.wakeJobs()
    return seeOther(Route.devices.address, saying: deletes ? .deleted : .kept)
  }

  func revokeGrant(_ visit: Visit, id: GrantID) async throws(Problem) -> Response {
    let (_, opened) = try await form(visit)
    let claim = try visit.claimed()
    let devices = try await store.devices(claim).opened(by: claim, at: visit.now).value
    guard try await store.revokeGrant(.own(opened), id, role: opened.session.role) else { throw Problem(.notFound, "") }
    let device = devices.first { $0.grants.contains { $0.id == id } }
    return seeOther(device.map { Route.device($0.id).address } ?? Route.devices.address, saying: .revoked)
  }

  private func seeOther(_ address: String, saying saved: DeviceSaved) -> Response {
    var response = Response.seeOther(address + "?saved=" + saved.rawValue)
    response.fields.append("cache-control", "no-store")
    return response
  }

  private func newDevicePage(
    _ visit: Visit, _ opened: Opened<Void>, name: Entry, chosen: Set<DataType>, typesProblem: String?, _ status: Status
  ) -> Response {
    let views = visit.interior.views
    let model = NewDevicePage(
      frame: frame(visit, opened.settings, place: .devices), form: commons.slot.text, name: name, chosen: chosen,
      typesProblem: typesProblem, words: views.words)
    var response = page(views.newDevice, model, to: visit, of: opened.session, status: status)
    // A page of its own each time: the mask of its form names the device.
    response.fields["cache-control"] = "no-store"
    response.fields["etag"] = nil
    return response
  }

  private func tokenPage(
    _ visit: Visit, _ opened: Opened<Void>, name: String, types: Set<DataType>, token: Token, isNext: Bool = false
  ) -> Response {
    let views = visit.interior.views
    let words = views.words
    let end = visit.now.advanced(hours: Int(NewDevice.tokenDays) * 24)
    let clock = visit.clock(of: opened.settings)
    let date = words.date(clock.day(at: end), as: .date)
    let overlap = visit.now.advanced(hours: Store.tokenOverlap)
    let model = TokenPage(
      frame: frame(visit, opened.settings, place: .devices), devices: Route.devices.address, name: name,
      token: token.text, may: words.types(types.sorted { $0.rawValue < $1.rawValue }),
      until: words.text(DeviceText.until, ("date", date)),
      overlap: isNext ? words.overlap(until: overlap, now: visit.now, by: clock) : nil,
      address: commons.base + Route.batches.address, exportAddress: commons.base + Route.healthAutoExport.address)
    var response = page(views.token, model, to: visit, of: opened.session)
    response.fields["cache-control"] = "no-store"
    return response
  }
}
