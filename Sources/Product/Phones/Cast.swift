import Activity

/// The cast of seeds, tests and screenshots, and a scenario for each thing that may happen to a person's data.
extension Scenario {
  /// Ada owns data: a year with a broken streak, overlapping sources, a trip, the changes of the clock and a paused week.
  package static var ada: Scenario {
    var ada = Scenario("ada", owner: "Ada", seed: 1815, length: 366)
    ada.goals = [RingGoals(since: -100_000, move: 450), RingGoals(since: -150, move: 500)]
    return
      ada
      .withStreak(of: 12)
      .with(.rings(.closed), on: -54...(-14)).with(.rings(.open), on: .day(-55))
      .withPause(on: -33...(-27))
      .with(.nothing, on: -100...(-99))
      .with(.noWatch, on: -120...(-118))
      .withTrip(to: "Asia/Tokyo", on: -170...(-161))
      .with(.otherApp, on: -210...(-204))
      .with(.copies, on: -230...(-228))
      .with(.typed, on: .day(-9)).with(.typed, on: .day(-64)).with(.typed, on: .day(-190))
      .with(.late(hours: 30), on: .day(-5))
      .with(.nightWalk, on: .clockChanges)
  }

  /// Ben is in Ada's family; he has a phone and no watch.
  package static var ben: Scenario {
    var ben = Scenario("ben", owner: "Ben", seed: 1791, length: 240)
    ben.hasWatch = false
    ben.vigour = 70
    ben.goals = [RingGoals(since: -100_000, move: 300)]
    return ben.with(.nothing, on: -40...(-36))
  }

  /// Cleo is in the family, too; she is young: her Move ring counts minutes.
  package static var cleo: Scenario {
    var cleo = Scenario("cleo", owner: "Cleo", seed: 69, length: 120)
    cleo.moveMode = .minutes
    cleo.vigour = 120
    cleo.goals = [RingGoals(since: -100_000, move: 90)]
    return cleo.withStreak(of: 5)
  }

  /// Dan is a stranger with days of any kind.
  package static var dan: Scenario {
    var dan = Scenario("dan", owner: "Dan", seed: 1265, length: 60)
    dan.usual = .random
    dan.home = "America/New_York"
    return dan
  }

  /// The cast by name, and one scenario for each thing that can be tried alone: `random`, `streak`, `perfect-week`,
  /// `broken-yesterday`, `paused-week`, `travel`, `daylight-saving`, `two-devices`, `late-sync`, `deletions`.
  package static let all: [Scenario] =
    [.ada, .ben, .cleo, .dan] + [
      plain("random").usually(.random),
      plain("streak").withStreak(of: 30),
      plain("perfect-week").usually(.open).with(.rings(.closed), on: .lastWeek),
      plain("broken-yesterday").usually(.closed).with(.rings(.open), on: .day(-1)),
      plain("paused-week").usually(.closed).withPause(on: -10...(-4)),
      plain("travel").withTrip(to: "Asia/Tokyo", on: -20...(-12)),
      plain("daylight-saving", days: 366).with(.nightWalk, on: .clockChanges),
      plain("two-devices").usually(.closed),
      plain("late-sync").with(.late(hours: 60), on: -6...(-2)),
      plain("deletions").with(.deletions, on: -10...(-3)),
    ]

  /// One of `all`, or `streak-N` for a run of N closed days that ends yesterday.
  package static func named(_ name: String) -> Scenario? {
    if let found = all.first(where: { $0.name == name }) { return found }
    guard name.hasPrefix("streak-"), let length = Int(name.dropFirst(7)), (1...3000).contains(length) else {
      return nil
    }
    return plain(name, days: length + 30).withStreak(of: length)
  }

  private static func plain(_ name: String, days: Int = 60) -> Scenario {
    Scenario(name, owner: "Sam", seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }, length: days)
  }

  private func usually(_ plan: RingPlan) -> Scenario {
    var changed = self
    changed.usual = plan
    return changed
  }
}
