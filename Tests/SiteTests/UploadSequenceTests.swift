import Activity
import Consent
import Foundation
import HTTP
import Intake
import People
import Postgres
import Secrets
import Storage
import Support
import Testing

/// Random lives of uploads: whatever came in whatever order, the days are those of a fresh merge of what remains.
struct UploadSequenceTests {
  /// Four times fifty sequences, each with a person of their own.
  @Test(
    "uploads, re-sends, deletions and edits in any order leave the days that a merge of what remains gives",
    arguments: 0..<4 as Range<UInt64>)
  func sequences(part: UInt64) async throws {
    let site = try await TestSite(at: "2026-11-26T12:00:00Z")
    for number in 0..<50 as Range<UInt64> {
      let seed = part * 1_000 + number
      var life = try await UploadLife(seed, on: site)
      for step in 0..<9 {
        let deed = try await life.step()
        let (found, wanted) = try life.days()
        guard !StoredDay.same(found, wanted) else { continue }
        Issue.record("seed \(seed), step \(step): days are \(found), should be \(wanted), after \(deed)")
        break
      }
    }
  }
}

/// One person with two devices, what was sent, and what should be left of it.
private struct UploadLife {
  private let site: TestSite
  private let person: PersonID
  private var dice: SplitMix
  private var devices: [(id: ClientID, token: String)] = []
  private var shelf = UploadShelf()
  /// Requests that were answered, for being sent again: device, address, body, answer.
  private var answered: [(device: Int, address: String, fields: [(String, String)], body: [UInt8], answer: [UInt8])] =
    []
  /// Items that were sent, for being sent in other batches.
  private var items: [String] = []
  private var uuids: [(uuid: String, start: Instant)] = []
  private var batches = 0

  init(_ seed: UInt64, on site: TestSite) async throws {
    self.site = site
    dice = SplitMix(state: seed &* 7_919 &+ 13)
    person = try await site.onStore { store in
      try await store.createAccount(
        NewAccount(login: "s\(seed)", displayName: "S", passwordHash: nil, role: .person, zone: "Europe/Berlin"))
    }
    for _ in 0..<2 { try await addDevice() }
  }

  private mutating func addDevice() async throws {
    let person = person
    let made = Token(.upload, person: person.number, random: .system)
    let id = ClientID.fresh(at: site.clock.now.milliseconds, random: .system)
    let isNew = try await site.onStore { store in
      try await store.addDevice(
        .onServer(for: person, client: nil),
        NewDevice(
          id: id, name: "iPhone", types: [.stepCount, .activitySummary], notice: .share, token: made, role: .person))
    }
    #expect(isNew)
    devices.append((id, made.text))
  }

  // MARK: Deeds

  /// Does one thing at random; answers what, for the failure.
  mutating func step() async throws -> String {
    site.clock.advance(milliseconds: 60_000)
    switch dice.below(10) {
    case 0 where !answered.isEmpty: return try await sendAgain()
    case 1 where !items.isEmpty:
      let again = (0...dice.below(3)).map { _ in items[dice.below(items.count)] }
      try await send(added: again, deleted: [])
      return "old items in a new batch"
    case 2, 3: return try await sendBuckets()
    case 4 where !uuids.isEmpty: return try await delete()
    case 5 where dice.below(3) == 0: return try await replaceDevice()
    default:
      let added = (0...dice.below(5)).map { _ in sample() }
      items += added
      try await send(added: added, deleted: dice.below(4) == 0 ? [deletion()] : [])
      return "a batch of \(added)"
    }
  }

  private mutating func sendAgain() async throws -> String {
    let old = answered[dice.below(answered.count)]
    let answer = try await post(old.body, to: old.address, old.fields, from: old.device)
    // A device that was removed took its answers with it; its token is no more.
    let isThere = devices.indices.contains(old.device) && !devices[old.device].token.isEmpty
    if isThere { #expect(answer.bytes == old.answer) } else { #expect(answer.status == 401) }
    return "the same request again"
  }

  private mutating func delete() async throws -> String {
    let gone = (0...dice.below(2)).map { _ in deletion() }
    try await send(added: [], deleted: gone)
    return "deletions \(gone)"
  }

  /// Removes a device with everything that it brought, and adds another.
  private mutating func replaceDevice() async throws -> String {
    let place = dice.below(devices.count)
    let (id, person) = (devices[place].id, person)
    guard !devices[place].token.isEmpty else { return "nothing" }
    let isGone = try await site.onStore { store in
      try await store.removeDevice(.onServer(for: person, client: nil), id, role: .person, deleting: true)
    }
    #expect(isGone)
    devices[place].token = ""
    shelf.take(from: place)
    try await addDevice()
    return "device \(place) is removed"
  }

  // MARK: What is sent

  private static let base = Instant(utc: "2026-10-24T00:00:00Z")

  /// Around the end of summer time, in minutes.
  private mutating func moment() -> Instant { Self.base.advanced(milliseconds: Int64(dice.below(3 * 1440)) * 60_000) }

  private mutating func sample() -> String {
    let start = moment()
    let minutes = [0, 1, 5, 10, 60, 400, 1600][dice.below(7)]
    let end = start.advanced(milliseconds: Int64(minutes) * 60_000)
    let count = dice.below(9) == 0 ? "0" : "\(1 + dice.below(2_000)).\(dice.below(2) * 5)"
    var uuid = UUID(from: &dice).uuidString
    // Another content under a known id is no change.
    if dice.below(8) == 0, let known = uuids.first(where: { $0.start == start }) { uuid = known.uuid }
    uuids.append((uuid, start))
    let (bundle, product) = [
      ("com.apple.health.W", "Watch7,1"), ("com.apple.health.P", "iPhone15,2"), ("org.ring", "iPhone15,2"),
      ("com.apple.Health", "iPhone15,2"),
    ][dice.below(4)]
    var metadata: [String] = []
    if bundle == "com.apple.Health" { metadata.append("\"HKWasUserEntered\":true") }
    if dice.below(3) == 0 {
      metadata.append("\"HKMetadataKeySyncIdentifier\":\"s\(dice.below(3))\"")
      metadata.append("\"HKMetadataKeySyncVersion\":\(1 + dice.below(5))")
    }
    if dice.below(9) == 0 { metadata.append("\"HKTimeZone\":\"Asia/Tokyo\"") }
    let recorded = dice.below(2) == 0 ? "" : ",\"recorded\":\"\(end.advanced(hours: dice.below(30)).iso)\""
    return """
      {"uuid":"\(uuid)","type":"stepCount","start":"\(start.iso)","end":"\(end.iso)","value":\(count),"unit":"count"\
      \(recorded),"source":{"name":"x","bundle":"\(bundle)","productType":"\(product)"},\
      "metadata":{\(metadata.joined(separator: ","))}}
      """
  }

  /// Of something known, with the right start, a wrong one or none; or in advance.
  private mutating func deletion() -> String {
    guard !uuids.isEmpty, dice.below(6) > 0 else { return "{\"uuid\":\"\(UUID(from: &dice).uuidString)\"}" }
    let known = uuids[dice.below(uuids.count)]
    switch dice.below(3) {
    case 0: return "{\"uuid\":\"\(known.uuid.lowercased())\"}"
    case 1: return "{\"uuid\":\"\(known.uuid)\",\"start\":\"\(known.start.iso)\"}"
    default: return "{\"uuid\":\"\(known.uuid)\",\"start\":\"\(moment().iso)\"}"
    }
  }

  private mutating func send(added: [String], deleted: [String]) async throws {
    batches += 1
    let id = UUID(from: &dice).uuidString
    let body = Array(
      "{\"batch\":\"\(id)\",\"added\":[\(added.joined(separator: ","))],\"deleted\":[\(deleted.joined(separator: ","))]}"
        .utf8)
    let device = try await deliver(body, to: "/api/batches", [])
    shelf.take(try HealthKitReader.read(body, receivedAt: site.clock.now), from: device)
  }

  private mutating func sendBuckets() async throws -> String {
    let (word, minutes) = [("Minutes", 1), ("Hours", 60), ("Days", 1440)][dice.below(3)]
    let zones = ZoneHistory([(since: nil, zone: "Europe/Berlin")], in: site.zones)
    let points = (0...dice.below(3)).map { _ in
      var start = Self.base.advanced(milliseconds: Int64(dice.below(72 * 60 / minutes) * minutes) * 60_000)
      if minutes == 1440 { start = zones.firstInstant(of: zones.day(at: start)) }
      return "{\"date\":\"\(Self.spaced(start))\",\"qty\":\(dice.below(500)).25}"
    }
    let body = Array(
      "{\"data\":{\"metrics\":[{\"name\":\"step_count\",\"units\":\"count\",\"data\":[\(points.joined(separator: ","))]}]}}"
        .utf8)
    // The app names each of its runs; without it the same body would be the same upload.
    let fields = [("automation-aggregation", word), ("session-id", UUID(from: &dice).uuidString)]
    let device = try await deliver(body, to: "/api/health-auto-export", fields)
    shelf.take(
      try HealthAutoExportReader.read(body, aggregation: word, zones: zones, receivedAt: site.clock.now), from: device)
    return "buckets \(points)"
  }

  /// `2026-10-24 00:00:00 +0000`.
  private static func spaced(_ instant: Instant) -> String {
    String(instant.iso.prefix(19)).replacing("T", with: " ") + " +0000"
  }

  private mutating func deliver(
    _ body: [UInt8], to address: String, _ fields: [(String, String)]
  ) async throws -> Int {
    let living = devices.indices.filter { !devices[$0].token.isEmpty }
    let device = living[dice.below(living.count)]
    let answer = try await post(body, to: address, fields, from: device)
    #expect(answer.status == 200, "\(answer.text)")
    answered.append((device, address, fields, body, answer.bytes))
    return device
  }

  private func post(
    _ body: [UInt8], to address: String, _ fields: [(String, String)], from device: Int
  ) async throws -> Answer {
    try await site.answer(
      .post, address,
      [
        ("host", "steps.example"), ("content-type", "application/json"),
        ("authorization", "Bearer " + devices[device].token),
      ] + fields, body: body)
  }

  // MARK: What is left

  /// As they are stored, and as they should be, by date.
  func days() throws -> (found: [StoredDay], wanted: [StoredDay]) {
    let rows = try BlockingConnection(site.database.superuserAddress).rows(
      "SELECT day, shown, exact FROM day_totals WHERE person_id = \(person.number) ORDER BY day")
    let found = rows.map { StoredDay(day: $0[0] ?? "", shown: $0[1] ?? "", exact: Double($0[2] ?? "") ?? .nan) }
    let wanted = shelf.merged(in: site.zones).sorted { $0.key < $1.key }.map {
      StoredDay(day: $0.key.iso, shown: String($0.value.shown), exact: $0.value.exact)
    }
    return (found, wanted)
  }
}

private struct StoredDay {
  let day: String
  let shown: String
  let exact: Double

  /// Sums in another order differ in their last digits.
  static func same(_ one: [StoredDay], _ other: [StoredDay]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { $0.day == $1.day && $0.shown == $1.shown && abs($0.exact - $1.exact) < 1e-6 }
  }
}
