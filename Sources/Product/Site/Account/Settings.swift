import Activity
import Consent
import HTTP
import People
import Storage

/// `/settings` and what hangs on it. Each form changes one thing and leads back to the page, which says what was saved.
extension Site {
  func showSettings(_ visit: Visit) async throws(Problem) -> Response {
    try await settingsPage(visit, entries: SettingsEntries(), status: .ok)
  }

  func changeName(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    guard let name = AccountRules.displayName(form["name"] ?? "") else {
      let entries = SettingsEntries(name: form["name"], fault: .name)
      return try await settingsPage(visit, entries: entries, status: .unprocessableContent)
    }
    try await store.changeLook(.own(opened), displayName: name)
    return saved(.name)
  }

  /// Steps a day, from today on; past days keep theirs.
  func changeGoal(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    guard let steps = TypedNumber.whole(form["steps"] ?? ""), (1...200_000).contains(steps) else {
      let entries = SettingsEntries(stepGoal: form["steps"], fault: .stepGoal)
      return try await settingsPage(visit, entries: entries, status: .unprocessableContent)
    }
    let today = visit.today(of: opened.settings)
    try await store.setGoal(
      .own(opened), Goal(type: .stepCount, since: today, value: Double(steps)))
    return saved(.goals)
  }

  /// Zone, start of the week and theme. A new zone holds from now on, or for all time if the person says so.
  func changeDisplay(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let permit = WritePermit.own(opened)
    let zone = form["zone"] ?? opened.settings.zone
    guard visit.interior.zones.offered.contains(zone) || zone == opened.settings.zone else {
      return try await settingsPage(visit, entries: SettingsEntries(fault: .zone), status: .unprocessableContent)
    }
    let weekStart = form["week"].flatMap { Int16($0) }.flatMap(WeekStart.init(rawValue:))
    let theme = form["theme"].flatMap { Int16($0) }.flatMap(Theme.init(rawValue:))
    try await store.changeLook(permit, weekStart: weekStart, theme: theme)
    if form["since"] == "always" {
      if opened.settings.zones.count > 1 || zone != opened.settings.zone {
        try await store.changeZone(permit, to: zone, since: nil)
      }
    } else if zone != opened.settings.zone {
      try await store.changeZone(permit, to: zone, since: visit.now)
    }
    return saved(.display)
  }

  func changeManualEntries(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let counts = form["count"] == "1"
    if counts != opened.settings.includeManual { try await store.changeManual(.own(opened), counts: counts) }
    return saved(.manual)
  }

  /// Moves one source up or down. The list that the person saw is then the person's own order as a whole.
  func changeSourceOrder(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let permit = WritePermit.own(opened)
    if form["move"] == "reset" {
      try await store.changeSourceOrder(permit, keys: [])
      return saved(.sources)
    }
    let claim = try visit.claimed()
    let rows = try await store.settings(claim).opened(by: claim, at: visit.now).value
    var keys = SourceOrder.distinct(rows.sources).map(\.source.key)
    guard let place = keys.firstIndex(of: form["source"] ?? "") else { throw Problem(.notFound, "") }
    let other = form["move"] == "up" ? place - 1 : place + 1
    if keys.indices.contains(other) {
      keys.swapAt(place, other)
      try await store.changeSourceOrder(permit, keys: keys)
    }
    return saved(.sources)
  }

  func addPause(_ visit: Visit) async throws(Problem) -> Response {
    let (form, opened) = try await form(visit)
    let first = form["from"].flatMap { CivilDay(iso: $0) }
    let last = form["to"].flatMap { CivilDay(iso: $0) }
    guard let first, let last, first <= last, last - first < 366 else {
      let entries = SettingsEntries(pause: (form["from"], form["to"]), fault: .pause)
      return try await settingsPage(visit, entries: entries, status: .unprocessableContent)
    }
    do {
      try await store.pause(.own(opened), days: first...last, note: nil)
    } catch {
      guard error.code == .conflict else { throw error }
      let entries = SettingsEntries(pause: (form["from"], form["to"]), fault: .pauseOverlaps)
      return try await settingsPage(visit, entries: entries, status: .conflict)
    }
    return saved(.pause)
  }

  func removePause(_ visit: Visit, first: CivilDay) async throws(Problem) -> Response {
    let (_, opened) = try await form(visit)
    guard try await store.endPause(.own(opened), from: first) else { throw Problem(.notFound, "") }
    return saved(.pauseRemoved)
  }

  private func saved(_ what: SettingsPage.Saved) -> Response {
    commons.wakeJobs()
    var response = Response.seeOther(Route.settings.address + "?saved=" + what.rawValue)
    response.fields.append("cache-control", "no-store")
    return response
  }

  private func settingsPage(
    _ visit: Visit, entries: SettingsEntries, status: Status
  ) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.settings(claim).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    let views = visit.interior.views
    let model = SettingsPage(
      frame: frame(visit, opened.settings, place: nil), form: commons.slot.text, opened: opened, entries: entries,
      saved: visit.request.query["saved"].flatMap(SettingsPage.Saved.init(rawValue:)),
      today: visit.today(of: opened.settings), zones: visit.interior.zones.offered, words: views.words)
    return page(views.settings, model, to: visit, of: opened.session, status: status)
  }
}

/// What was typed into a form of the settings page and could not be saved.
struct SettingsEntries {
  enum Fault { case name, stepGoal, zone, pause, pauseOverlaps }
  var name: String?
  var stepGoal: String?
  var pause: (from: String?, to: String?) = (nil, nil)
  var fault: Fault?
}

/// The order in which sources win: the person's own first, then by class, then by key (merge.md 3).
enum SourceOrder {
  static func sorted(_ sources: [StoredSource]) -> [StoredSource] {
    sources.sorted { left, right in
      switch (left.position, right.position) {
      case (let one?, let other?):
        return one == other ? left.source.sourceClass < right.source.sourceClass : one < other
      case (.some, nil): return true
      case (nil, .some): return false
      case (nil, nil):
        if left.source.sourceClass != right.source.sourceClass {
          return left.source.sourceClass < right.source.sourceClass
        }
        return left.source.key < right.source.key
      }
    }
  }

  /// One entry for each key, since people order keys: a source that counted under two classes stands where the better one
  /// does.
  static func distinct(_ sources: [StoredSource]) -> [StoredSource] {
    var seen: Set<String> = []
    return sorted(sources).filter { seen.insert($0.source.key).inserted }
  }
}
