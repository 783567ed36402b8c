import Activity
import Consent
import Foundation
import People
import Storage
import Support
import Testing

/// Every case of an Apple export goes the way that people go: the form, the job, the pages. The numbers are those of
/// expected.json.
struct CaseImportTests {
  static let folders: [String] = ["cases", "cases-own"].flatMap { name in
    ((try? Repository.entries("Tests/Fixtures/\(name)")) ?? []).filter(\.isFolder).map {
      "Tests/Fixtures/\(name)/\($0.name)"
    }
  }

  @Test("a case that is uploaded shows its answer on the pages", arguments: folders)
  func everyCase(folder: String) async throws {
    let walk = try CaseWalk(folder)
    guard walk.isAppleExport else { return }
    let site = try await TestSite(at: walk.receivedAt[0])
    let person = try await site.add(.ada, zone: walk.zones.last?.zone ?? "UTC")
    try await walk.prepare(site, person)
    for (file, moment) in zip(walk.files, walk.receivedAt) { try await walk.bring(file, at: moment, site, person) }
    try await walk.setOrder(site, person)
    try await walk.compareDays(site)
    try await walk.compareRings(site)
    try await walk.compareWeeks(site)
    try await walk.compareStreak(site)
  }
}

typealias Object = [String: Any]

/// One case folder with its question and its answer.
struct CaseWalk {
  let folder: String
  let files: [String]
  let receivedAt: [String]
  let isAppleExport: Bool
  private let listed: [Object]
  let zones: [(since: Instant?, zone: String)]
  private let account: Object
  private let want: Object
  private let expected: Object

  init(_ folder: String) throws {
    self.folder = folder
    let config = try Self.json(folder + "/config.json")
    expected = try Self.json(folder + "/expected.json")
    account = config["account"] as? Object ?? [:]
    want = config["want"] as? Object ?? [:]
    listed = config["files"] as? [Object] ?? []
    files = listed.compactMap { $0["path"] as? String }
    receivedAt = listed.map { $0["receivedAt"] as? String ?? "2025-12-31T12:00:00Z" }
    isAppleExport = listed.allSatisfy { ($0["format"] as? String ?? "").hasPrefix("apple") }
    if let one = account["zones"] as? String {
      zones = [(nil, one)]
    } else {
      zones = (account["zones"] as? [[Any]] ?? []).map { entry in
        let text = (entry[0] as? String)?.replacing("+00:00", with: "Z")
        return (text.map { Instant(utc: $0) }, entry[1] as? String ?? "UTC")
      }
    }
  }

  // MARK: The person's settings

  func prepare(_ site: TestSite, _ person: PersonID) async throws {
    let (zones, account) = (zones, account)
    let weekStart = (account["weekStart"] as? Int).flatMap { WeekStart(rawValue: Int16($0)) } ?? .monday
    let countsManual = account["includeManual"] as? Bool ?? true
    try await site.onStore { store in
      let permit = WritePermit.onServer(for: person, client: nil)
      try await store.changeZone(permit, to: zones.first?.zone ?? "UTC", since: nil)
      for (since, zone) in zones.dropFirst() { try await store.changeZone(permit, to: zone, since: since) }
      try await store.changeLook(permit, weekStart: weekStart)
      try await store.changeManual(permit, counts: countsManual)
    }
  }

  /// The order can name only what has arrived; days are counted again with it.
  func setOrder(_ site: TestSite, _ person: PersonID) async throws {
    guard let keys = account["priority"] as? [String] else { return }
    try await site.onStore { store in
      _ = try await store.changeSourceOrder(.onServer(for: person, client: nil), keys: keys)
    }
    try await site.work()
  }

  // MARK: The upload

  func bring(_ file: String, at moment: String, _ site: TestSite, _ person: PersonID) async throws {
    site.clock.set(Instant(utc: moment))
    let browser = try await site.browser(of: .ada)
    let error = (expected["fileErrors"] as? [Object] ?? []).first { $0["file"] as? String == file }?["error"] as? String
    let answer = try await browser.upload(try Repository.bytes(folder + "/" + file), named: file)
    guard answer.status == 303, let address = answer["location"] else {
      // What does not even begin like an export is refused at the door.
      #expect(answer.status == 422)
      #expect(error != nil && error != "truncated", "\(file) was refused at the door")
      return
    }
    try await site.work()
    let page = try await browser.get(address)
    #expect(page.status == 200)
    #expect(!page.text.contains(" data-poll="), "the import is over")
    let id = try #require(ImportID(reading: String(address.split(separator: "/").last ?? "")))
    let claim = try #require(browser[cookie: "__Host-sw"].flatMap { OwnClaim(cookie: $0) })
    let now = site.clock.now
    let report = try await site.onStore {
      try await $0.importReport(claim, id, refused: 10_000).opened(by: claim, at: now).value
    }
    let row = try #require(report)
    #expect(row.row.problem == error)
    #expect(row.row.state == (error == nil || error == "truncated" ? .done : .failed))
    if error == "truncated" { #expect(page.text.contains("cut off")) }
    let wanted = (expected["rejected"] as? [Object] ?? []).filter { $0["file"] as? String == file }
    let refused = wanted.map { "\($0["record"] ?? "") \($0["reason"] ?? "")" }
    #expect(row.refused.map { "\($0.record) \($0.reason.rawValue)" }.sorted() == refused.sorted())
  }

  /// One file by its own format: a phone's request, or the form of imports.
  func send(_ place: Int, by phone: TestPhone, _ site: TestSite, _ person: PersonID) async throws {
    let format = listed[place]["format"] as? String ?? ""
    guard !format.hasPrefix("apple") else { return try await bring(files[place], at: receivedAt[place], site, person) }
    site.clock.set(Instant(utc: receivedAt[place]))
    let headers = listed[place]["headers"] as? [String: String] ?? [:]
    let answer = try await phone.send(
      try Repository.bytes(folder + "/" + files[place]),
      to: format == "hae" ? "/api/health-auto-export" : "/api/batches",
      headers.map { ($0.key.lowercased(), $0.value) })
    #expect(answer.status == 200, "\(answer.text)")
    let reply = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? Object ?? [:]
    let wanted = (expected["rejected"] as? [Object] ?? []).filter { $0["file"] as? String == files[place] }
    let reasons = Set(wanted.compactMap { $0["reason"] as? String })
    let named = (reply["items"] as? [Object] ?? []).filter { reasons.contains($0["result"] as? String ?? "") }
    #expect(
      named.map { "\($0["record"] ?? "") \($0["result"] ?? "")" }.sorted()
        == wanted.map { "\($0["record"] ?? "") \($0["reason"] ?? "")" }.sorted())
    try await site.work()
  }

  // MARK: The answer

  func compareDays(_ site: TestSite) async throws {
    let days = expected["days"] as? Object ?? [:]
    let browser = try await site.browser(of: .ada)
    let claim = try #require(browser[cookie: "__Host-sw"].flatMap { OwnClaim(cookie: $0) })
    let now = site.clock.now
    let dates = days.keys.compactMap { CivilDay(iso: $0) }.sorted()
    guard let first = dates.first, let last = dates.last else { return }
    if last - first < 390 {
      let rows = try await site.onStore {
        try await $0.history(claim, days: (first - 5)...(last + 5)).opened(by: claim, at: now).value
      }
      #expect(rows.days.map(\.day.iso).sorted() == days.keys.sorted())
    }
    for date in dates {
      let answer = days[date.iso] as? Object ?? [:]
      let steps = answer["steps"] as? Int ?? -1
      let total = try await site.onStore { try await $0.day(claim, date).opened(by: claim, at: now).value.total }
      #expect(total?.shown == steps, "\(date.iso)")
      #expect(abs((total?.exact ?? -1) - (Self.number(answer["exact"]) ?? -2)) <= 1e-6, "\(date.iso)")
      let page = try await browser.get("/day/\(date.iso)")
      #expect(page.status == 200, "\(date.iso)")
      #expect(page.text.contains(Self.grouped(steps)), "the page of \(date.iso) shows \(steps)")
    }
  }

  func compareRings(_ site: TestSite) async throws {
    let rings = expected["rings"] as? Object ?? [:]
    let browser = try await site.browser(of: .ada)
    let claim = try #require(browser[cookie: "__Host-sw"].flatMap { OwnClaim(cookie: $0) })
    let now = site.clock.now
    for (iso, value) in rings {
      let (day, wanted) = (try #require(CivilDay(iso: iso)), value as? Object ?? [:])
      let found = try await site.onStore { try await $0.day(claim, day).opened(by: claim, at: now).value.summary }
      let summary = try #require(found, "\(iso)")
      #expect((summary.moveMode == .minutes ? "minutes" : "energy") == wanted["moveMode"] as? String, "\(iso)")
      let page = try await browser.get("/day/\(iso)")
      #expect(page.status == 200, "\(iso)")
      for (name, delivered) in [("move", summary.move), ("exercise", summary.exercise), ("stand", summary.stand)] {
        let answer = wanted[name] as? Object
        #expect((delivered == nil) == (answer == nil), "\(iso) \(name)")
        guard let answer, let delivered else { continue }
        #expect(abs(delivered.value - (Self.number(answer["value"]) ?? -1)) < 1e-6, "\(iso) \(name)")
        guard let percent = answer["percent"] as? Int else { continue }
        #expect(page.text.contains("\(Self.grouped(percent)) %"), "the page of \(iso) shows \(percent) %")
      }
    }
    let span = Self.span(of: rings.keys)
    let others = try await site.onStore { store in
      try await store.history(claim, days: span).opened(by: claim, at: now).value.summaries
    }
    #expect(others.map(\.day.iso).sorted() == rings.keys.sorted())
  }

  func compareWeeks(_ site: TestSite) async throws {
    let browser = try await site.browser(of: .ada)
    for (iso, value) in expected["weeks"] as? Object ?? [:] {
      let page = try await browser.get("/history/week/\(iso)")
      #expect(page.status == 200, "\(iso) is the week's own address")
      guard let steps = (value as? Object)?["steps"] as? Int else { continue }
      #expect(page.text.contains(Self.grouped(steps)), "week \(iso)")
    }
  }

  func compareStreak(_ site: TestSite) async throws {
    guard let iso = want["streakOn"] as? String, let today = CivilDay(iso: iso),
      let streak = expected["streak"] as? Object
    else { return }
    let browser = try await site.browser(of: .ada)
    let claim = try #require(browser[cookie: "__Host-sw"].flatMap { OwnClaim(cookie: $0) })
    let now = site.clock.now
    let facts = try await site.onStore {
      try await $0.today(claim, around: today).opened(by: claim, at: now).value.facts
    }
    #expect(facts.streak(.ring(.move), today: today) { _ in false }.length == streak["move"] as? Int)
    #expect(facts.streak(.allRings, today: today) { _ in false }.length == streak["all"] as? Int)
  }

  private static func json(_ path: String) throws -> Object {
    try JSONSerialization.jsonObject(with: Data(try Repository.bytes(path))) as? Object ?? [:]
  }

  /// `a/b`, a decimal or a JSON number.
  private static func number(_ value: Any?) -> Double? {
    if let number = value as? NSNumber { return number.doubleValue }
    let parts = (value as? String)?.split(separator: "/").compactMap { Double($0) } ?? []
    return parts.count == 2 ? parts[0] / parts[1] : parts.first
  }

  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return digits
  }

  /// The span of some dates with a margin; some days without data when there are none.
  private static func span(of dates: some Collection<String>) -> ClosedRange<CivilDay> {
    let days = dates.compactMap { CivilDay(iso: $0) }
    let first = days.min() ?? CivilDay(number: 20_000)
    return (first - 5)...(max(first, days.max() ?? first) + 5)
  }
}
