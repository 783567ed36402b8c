import Activity
import Phones
import Testing

@Suite("Scenarios of simulated people")
struct ScenarioTests {
  static let ada = Scenario.ada.life()

  @Test("Ada's streak is 12 days, was broken before, and the longest goes on over a paused week")
  func adaStreaks() throws {
    let streak = Self.ada.streak(.ring(.move))
    #expect(streak.current?.first == today - 12)
    #expect([12, 13].contains(streak.length))
    #expect(Rings(try #require(Self.ada.summaries.first { $0.day == today - 13 })).move?.closed == false)
    #expect(streak.longest == Run(length: 34, first: today - 54, last: today - 14))
    #expect(Self.ada.pauses == [(today - 33)...(today - 27)])
    #expect(Self.ada.facts.outcome(.allRings, of: (today - 33)...(today - 27), today: today) { _ in false } == .paused)
  }

  @Test("Ada's year has two devices that overlap, days without data and a partial today")
  func adaDays() throws {
    let totals = Self.ada.totals
    #expect(totals.count == 364)
    #expect(totals[today - 100] == nil && totals[today - 99] == nil)
    let overlapping = totals.values.filter { $0.bySource.contains { $0.hidden > 0 } }
    #expect(overlapping.count > 340)
    #expect(totals[today - 119]?.bySource.map(\.source) == [Int32(Device.phone.rawValue)])
    #expect(try #require(totals[today - 207]).bySource.contains { $0.source == Int32(Device.app.rawValue) })
    #expect(totals[today - 9]?.flags.contains(.manualPart) == true)
    #expect(Self.ada.walks.allSatisfy { $0.end <= now && $0.start < $0.end && $0.count > 0 })
    #expect(try #require(totals[today]).shown > 0)
    #expect(totals.values.allSatisfy { $0.shown < 40_000 })
  }

  @Test("Ada's clock changes twice and she walks through both nights")
  func adaClock() throws {
    let history = Self.ada.history
    let totals = Self.ada.totals
    let changes = totals.keys.filter { ![24, 17].contains(history.length(of: $0) / 3_600_000) }
    let short = try #require(changes.first { history.length(of: $0) == 23 * 3_600_000 })
    let long = try #require(changes.first { history.length(of: $0) == 25 * 3_600_000 })
    #expect(short.iso == "2026-03-29" && long.iso == "2026-10-25")
    #expect(try #require(totals[long]?.slots.first { $0.label == "02b" }).share > 0)
    #expect(totals[short]?.slots.contains { $0.label == "02" } == false)
  }

  @Test("Ada's trip moves her days to Tokyo and back")
  func adaTrip() {
    #expect(Self.ada.zones.map(\.zone) == ["Europe/Berlin", "Asia/Tokyo", "Europe/Berlin"])
    #expect(Self.ada.zones[0].since == nil)
    #expect(Self.ada.history.length(of: today - 170) < 20 * 3_600_000)
    #expect(Self.ada.history.length(of: today - 161) > 28 * 3_600_000)
    let tokyo = Self.ada.history.firstInstant(of: today - 165)
    #expect(tokyo.seconds % 86_400 == 15 * 3600)
  }

  @Test("random days stay in their ranges and reach both ends of them")
  func random() {
    var scenario = Scenario("r", owner: "Sam", seed: 3, length: 300)
    scenario.usual = .random
    let days = scenario.life(at: now.advanced(hours: 7)).summaries
    let move = days.compactMap(\.move?.value)
    #expect(move.allSatisfy { $0 >= 0 && $0 < 800 } && move.max()! > 780 && move.min()! < 20)
    let exercise = days.compactMap(\.exercise?.value)
    #expect(exercise.allSatisfy { (0...44).contains($0) } && exercise.max() == 44 && exercise.min() == 0)
    let stand = days.compactMap(\.stand?.value)
    #expect(stand.allSatisfy { (0...15).contains($0) } && stand.max() == 15 && stand.min() == 0)
    #expect(days.allSatisfy { $0.move?.goal == 500 && $0.exercise?.goal == 30 && $0.stand?.goal == 12 })
  }

  @Test("each scenario shows what its name says")
  func named() throws {
    #expect(try #require(Scenario.named("streak")).life().streak(.ring(.move)).length >= 30)
    let perfect = try #require(Scenario.named("perfect-week")).life()
    let week = Week(containing: today, start: 0).previous
    #expect(perfect.facts.outcome(.allRings, of: week.days, today: today) { _ in false } == .perfect)
    #expect(perfect.facts.outcome(.allRings, of: week.previous.days, today: today) { _ in false } == .missed)
    let broken = try #require(Scenario.named("broken-yesterday")).life().streak(.ring(.move))
    #expect(broken.length <= 1 && broken.longest?.length == 58)
    let paused = try #require(Scenario.named("paused-week")).life()
    #expect(paused.streak(.ring(.move)).length >= 52)
    #expect(Scenario.named("nobody") == nil)
    #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
  }

  @Test("a streak of any length, a trip, a change of the clock, two devices, late and deleted samples")
  func others() throws {
    for length in [1, 7, 100] {
      let streak = try #require(Scenario.named("streak-\(length)")).life().streak(.ring(.move))
      #expect((length...length + 1).contains(streak.length))
    }
    for name in ["streak-0", "streak--3", "streak-x", "streak-9999", "Streak"] { #expect(Scenario.named(name) == nil) }
    let travel = try #require(Scenario.named("travel")).life()
    #expect(
      travel.history.length(of: today - 20) < 24 * 3_600_000 && travel.history.length(of: today - 12) > 24 * 3_600_000)
    let abroad = travel.history.interval(of: today - 16)
    #expect(abroad.lowerBound.seconds % 86_400 == 15 * 3600 && travel.totals[today - 16] != nil)
    let clock = try #require(Scenario.named("daylight-saving")).life()
    for (day, hours) in [("2026-03-29", 23), ("2026-10-25", 25)] {
      let date = try #require(CivilDay(iso: day))
      let total = try #require(clock.totals[date])
      #expect(total.slots.count == hours && total.slots.contains { $0.label.hasPrefix("0") && $0.share > 0 })
    }
    let two = try #require(Scenario.named("two-devices")).life().totals
    #expect(two.values.filter { $0.bySource.filter { $0.counted > 0 }.count == 2 }.count > 55)
    let late = try #require(Scenario.named("late-sync")).life()
    let held = Dictionary(grouping: late.walks(heldAt: late.history.firstInstant(of: today - 3))) {
      late.history.day(at: $0.start)
    }
    #expect(held[today - 7] != nil && held[today - 5] == nil && late.totals[today - 5] != nil)
    let gone = try #require(Scenario.named("deletions")).life()
    #expect(gone.walks.contains { $0.deleted != nil } && (3...10).allSatisfy { gone.totals[today - $0] != nil })
    let before = gone.walks.filter { gone.history.day(at: $0.start) == today - 5 }.reduce(0) { $0 + $1.count }
    let after = gone.walks(heldAt: now).filter { gone.history.day(at: $0.start) == today - 5 }.reduce(0) {
      $0 + $1.count
    }
    #expect(after < before && after > 0)
  }

  @Test(
    "what changes hour by hour adds up to what the phone holds, late and deleted samples too",
    arguments: [
      "late-sync", "deletions", "two-devices",
    ])
  func changes(name: String) throws {
    let life = try #require(Scenario.named(name)).shorter(14).life()
    var held: [SampleKey: Walk] = [:]
    var moment = life.history.firstInstant(of: today - 14)
    while moment < now {
      let next = min(now, moment.advanced(hours: 1))
      let changed = life.changes(after: moment, through: next)
      for walk in changed.added { held[walk.id] = walk }
      for walk in changed.deleted { #expect(held.removeValue(forKey: walk.id) != nil) }
      moment = next
    }
    let now = life.walks(heldAt: now)
    #expect(Set(held.keys) == Set(now.map(\.id)) && held.count == now.count)
    #expect(name == "two-devices" || now.count < life.walks.count)
  }

  @Test("a sample's id is a random UUID in capitals")
  func uuids() throws {
    let walk = try #require(Self.ada.walks.first)
    let parts = walk.uuid.split(separator: "-").map(\.count)
    #expect(parts == [8, 4, 4, 4, 12])
    #expect(Array(walk.uuid)[14] == "4" && "89AB".contains(Array(walk.uuid)[19]))
  }
}
