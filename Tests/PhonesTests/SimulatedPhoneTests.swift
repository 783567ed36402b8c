import Activity
import PhoneKit
import Phones
import Testing

/// What came of a store: samples by id that are there, in how many pieces they came.
private struct Shelf {
  var held: Set<String> = []
  var gone: Set<String> = []
  var rings: [String: HealthActivitySummary] = [:]
  var given = 0

  mutating func take(_ changes: HealthChanges) {
    given += changes.added.count + changes.deleted.count + changes.activitySummaries.count
    gone.formUnion(changes.deleted.map(\.uuid))
    held.formUnion(changes.added.map(\.uuid))
    held.subtract(gone)
    for ring in changes.activitySummaries { rings[ring.date] = ring }
  }
}

private func held(_ life: Life, at moment: Instant) -> Set<String> { Set(life.walks(heldAt: moment).map(\.uuid)) }

@Suite("A simulated phone's health store")
struct SimulatedPhoneTests {
  static let lives = ["deletions", "late-sync", "two-devices"].map { Scenario.named($0)!.shorter(12).life() }

  @Test("page by page it gives everything once, however small the pages are", arguments: [1, 2, 7, 60, 5000])
  func pages(limit: Int) async throws {
    for life in Self.lives {
      let phone = SimulatedPhone(life)
      var shelf = Shelf()
      var anchor: HealthAnchor?
      while true {
        let changes = try await phone.changes(since: anchor, limit: limit)
        #expect(changes.added.count + changes.deleted.count + changes.activitySummaries.count <= limit)
        #expect(try await phone.changes(since: anchor, limit: limit) == changes)
        #expect(changes.asked.isEmpty == changes.hasMore)
        shelf.take(changes)
        anchor = changes.anchor
        if !changes.hasMore { break }
      }
      #expect(try await phone.changes(since: anchor, limit: limit).isEmpty)
      #expect(shelf.held == held(life, at: now))
      #expect(shelf.rings.count == life.summaries(after: nil, through: now).count)
      let all = life.changes(after: life.history.firstInstant(of: life.firstDay).advanced(hours: -1), through: now)
      #expect(shelf.given >= all.added.count + shelf.rings.count)
    }
  }

  @Test("from every anchor that was ever given, the rest is complete, also when time went on within a page")
  func everyCut() async throws {
    for life in Self.lives {
      let phone = SimulatedPhone(life)
      var cuts: [(shelf: Shelf, anchor: HealthAnchor?)] = [(Shelf(), nil)]
      var moment = life.history.firstInstant(of: life.firstDay)
      while moment < now {
        moment = min(now, moment.advanced(hours: 7))
        phone.move(to: moment)
        var (shelf, anchor) = cuts[cuts.count - 1]
        let changes = try await phone.changes(since: anchor, limit: 40)
        shelf.take(changes)
        anchor = changes.anchor
        cuts.append((shelf, anchor))
      }
      for (before, begin) in cuts {
        var (shelf, anchor) = (before, begin)
        var hasMore = true
        while hasMore {
          let changes = try await phone.changes(since: anchor, limit: 900)
          shelf.take(changes)
          (anchor, hasMore) = (changes.anchor, changes.hasMore)
        }
        #expect(shelf.held == held(life, at: now))
        for ring in life.summaries(after: nil, through: now) {
          #expect(shelf.rings[ring.day.iso] == HealthActivitySummary(ring))
        }
      }
    }
  }

  @Test("one phone for the watch and one for the rest are together what one phone holds")
  func twoPhones() async throws {
    let life = Self.lives[2]
    var shelf = Shelf()
    for devices in [Set([Device.watch]), Set([.phone, .app, .hand])] {
      let changes = try await SimulatedPhone(life, holding: devices).changes(since: nil, limit: 100_000)
      #expect(!changes.added.isEmpty && shelf.held.isDisjoint(with: changes.added.map(\.uuid)))
      shelf.take(changes)
    }
    #expect(shelf.held == held(life, at: now))
  }

  @Test("a second phone gets the same a while later, under the same ids, and claims no more than it has seen")
  func sharedStore() async throws {
    let life = Self.lives[2]
    let late = SimulatedPhone(life, delay: 6 * 3_600_000)
    let changes = try await late.changes(since: nil, limit: 100_000)
    #expect(Set(changes.added.map(\.uuid)) == held(life, at: now.advanced(hours: -6)))
    #expect(changes.asked.allSatisfy { $0.to.milliseconds == now.advanced(hours: -6).milliseconds && $0.complete })
  }

  @Test("what the server wants again is given whole; of what lies ahead nothing is claimed")
  func everything() async throws {
    let life = Self.lives[0]
    let phone = SimulatedPhone(life)
    let day = life.history.interval(of: life.today - 5)
    let (from, to) = (
      HealthDate(milliseconds: day.lowerBound.milliseconds), HealthDate(milliseconds: day.upperBound.milliseconds)
    )
    let steps = try await phone.everything(of: "stepCount", from: from, to: to)
    let meant = life.walks(heldAt: now).filter { $0.start < day.upperBound && $0.end >= day.lowerBound }
    #expect(Set(steps.added.map(\.uuid)) == Set(meant.map(\.uuid)) && steps.deleted.isEmpty)
    #expect(steps.asked.map(\.complete) == [true])
    let rings = try await phone.everything(of: "activitySummary", from: from, to: to)
    #expect(rings.activitySummaries.map(\.date).contains((life.today - 5).iso))
    let tomorrow = HealthDate(milliseconds: now.advanced(hours: 30).milliseconds)
    let ahead = try await phone.everything(of: "stepCount", from: tomorrow, to: tomorrow)
    #expect(ahead.added.isEmpty && ahead.asked.map(\.complete) == [false])
  }

  @Test("today's rings grow through the day and are never taken back; a paused day says so")
  func rings() {
    let life = Scenario.named("paused-week")!.shorter(12).life()
    let day = life.today - 1
    let interval = life.history.interval(of: day)
    var before = -1.0
    for hour in 0...24 {
      guard let summary = life.summary(of: day, at: interval.lowerBound.advanced(hours: hour)) else {
        #expect(hour == 0)
        continue
      }
      let move = summary.move?.value ?? 0
      #expect(move >= before)
      before = move
    }
    #expect(life.summary(of: day, at: now)?.move?.value == before)
    #expect(
      life.summary(of: life.today - 5, at: now)?.paused == true && life.summary(of: day, at: now)?.paused == false)
    #expect(life.summaries(after: now.advanced(hours: -1), through: now).map(\.day) == [life.today])
  }
}
