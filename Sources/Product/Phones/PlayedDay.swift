import Activity

/// One day of a scenario while it is made up. Everything is drawn from the seed and the date.
struct PlayedDay {
  private let scenario: Scenario
  private let day: CivilDay
  private let today: CivilDay
  private let now: Instant
  private let slots: [Slot]
  private let base: Instant
  private let interval: Range<Instant>
  private let changes: [Change]
  private let rings: RingPlan
  /// When flights began; nobody walks for eleven hours after.
  var flights: [Instant] = []
  private var dice: Dice

  init(
    _ scenario: Scenario, _ day: CivilDay, today: CivilDay, now: Instant, history: ZoneHistory, changes: [Change]
  ) {
    self.scenario = scenario
    self.day = day
    self.today = today
    self.now = now
    self.changes = changes
    slots = history.slots(of: day)
    interval = history.interval(of: day)
    base = interval.lowerBound
    dice = Dice(seed: scenario.seed, day: day.number)
    var plan = scenario.usual
    for case .rings(let own) in changes { plan = own }
    if case .mixed(let closed) = plan { plan = dice.chance(closed) ? .closed : .open }
    rings = plan
  }

  // Walks.

  private struct Bout {
    var start: Instant
    /// Seconds.
    var length: Int
    var steps: Int
    var hour: Int
  }

  mutating func walks() -> [Walk] {
    var walks: [Walk] = []
    for bout in bouts() { count(bout, into: &walks) }
    if changes.contains(.typed) {
      let start = base.advanced(hours: 12)
      walks.append(walk(.hand, start, start.advanced(milliseconds: 1_500_000), dice.within(900...2400)))
    }
    if changes.contains(.otherApp) { addHours(of: .app, to: &walks) }
    if changes.contains(.copies) { walks += walks }
    return walks.filter { $0.end <= now && interval.contains($0.start) }
  }

  private mutating func bouts() -> [Bout] {
    let weights = slots.map { Habit.weight(of: $0, weekend: day.weekday >= 5) }
    var left = target()
    var bouts: [Bout] = []
    while left > 0, bouts.count < 80 {
      bouts.append(bout(in: choose(weights)))
      left -= bouts[bouts.count - 1].steps
    }
    if changes.contains(.nightWalk) {
      for slot in slots where (1...3).contains(slot.hour) { bouts.append(bout(in: slot)) }
    }
    bouts.sort { ($0.start, $0.steps) < ($1.start, $1.steps) }
    return apart(bouts)
  }

  private mutating func target() -> Int {
    let steps: Int
    switch rings {
    case .closed: steps = dice.within(9200...14_400)
    case .open: steps = dice.within(3200...8600)
    case .still: steps = dice.within(400...1900)
    case .random, .mixed: steps = dice.within(1500...13_500)
    }
    return steps * scenario.vigour / 100
  }

  private mutating func choose(_ weights: [Int]) -> Slot {
    var place = dice.below(weights.reduce(0, +))
    for (slot, weight) in zip(slots, weights) {
      if place < weight { return slot }
      place -= weight
    }
    return slots.last ?? Slot(start: 0, length: 3600, hour: 0, share: 0)
  }

  private mutating func bout(in slot: Slot) -> Bout {
    let length = dice.chance(25) ? dice.within(600...1500) : dice.within(70...480)
    let steps = length * dice.within(68...116) / 60
    let start = base.advanced(milliseconds: Int64(Int(slot.start) + dice.below(Int(slot.length))) * 1000)
    return Bout(start: start, length: length, steps: steps, hour: Int(slot.hour))
  }

  /// Nobody walks twice at a time, nor in an aeroplane.
  private func apart(_ bouts: [Bout]) -> [Bout] {
    var free = Instant(milliseconds: .min)
    var kept: [Bout] = []
    for bout in bouts {
      var moved = bout
      moved.start = max(bout.start, free)
      let inFlight = flights.contains { moved.start >= $0 && moved.start < $0.advanced(hours: 11) }
      guard !inFlight, interval.contains(moved.start) else { continue }
      kept.append(moved)
      free = moved.start.advanced(milliseconds: Int64(moved.length + 25) * 1000)
    }
    return kept
  }

  /// Watch and phone count the same walk, each in its own pieces, or only one of them has it.
  private mutating func count(_ bout: Bout, into walks: inout [Walk]) {
    let charging = [6, 22].contains(bout.hour) && dice.chance(60)
    let worn = scenario.hasWatch && !changes.contains(.noWatch) && !charging
    let carried = !changes.contains(.noPhone) && dice.chance(scenario.hasWatch ? 62 : 100)
    if worn { add(.watch, bout, pieces: 600, late: 0, percent: 100, to: &walks) }
    if carried || !worn && !changes.contains(.noPhone) {
      let percent = scenario.hasWatch ? dice.within(90...103) : 100
      add(.phone, bout, pieces: 480, late: dice.below(40), percent: percent, to: &walks)
    }
  }

  private mutating func add(
    _ device: Device, _ bout: Bout, pieces longest: Int, late: Int, percent: Int, to walks: inout [Walk]
  ) {
    let count = max(1, (bout.length + longest - 1) / longest)
    let steps = max(count, bout.steps * percent / 100)
    for piece in 0..<count {
      let from = bout.length * piece / count
      let to = bout.length * (piece + 1) / count
      let start = bout.start.advanced(milliseconds: Int64(from + late) * 1000)
      let share = steps * (piece + 1) / count - steps * piece / count
      walks.append(walk(device, start, start.advanced(milliseconds: Int64(to - from) * 1000), share))
    }
  }

  private mutating func walk(_ device: Device, _ start: Instant, _ end: Instant, _ count: Int) -> Walk {
    var recorded = end.advanced(
      milliseconds: Int64(device == .watch ? dice.within(5...90) : dice.within(40...600)) * 1000)
    for case .late(let hours) in changes { recorded = recorded.advanced(hours: hours) }
    // Version and variant of a random UUID (RFC 9562, section 5.4).
    let id = SampleKey(
      high: dice.next() & ~0xf000 | 0x4000, low: dice.next() & ~(3 << 62) | 2 << 62)
    let gone = changes.contains(.deletions) && start < base.advanced(hours: 12) && day < today
    return Walk(
      id: id, device: device, start: start, end: end, count: count, recorded: recorded,
      deleted: gone ? max(recorded, interval.upperBound).advanced(hours: 9) : nil)
  }

  /// What another app makes of the same walks: a sum for each hour.
  private mutating func addHours(of device: Device, to walks: inout [Walk]) {
    let counted = walks.filter { $0.device == .watch }
    for slot in slots {
      let start = base.advanced(milliseconds: Int64(slot.start) * 1000)
      let end = start.advanced(milliseconds: Int64(slot.length) * 1000)
      let steps = counted.filter { $0.start >= start && $0.start < end }.reduce(0) { $0 + $1.count }
      if steps > 0 { walks.append(walk(device, start, end, steps * 97 / 100)) }
    }
  }

  // Rings.

  func summary() -> ActivitySummary {
    var dice = Dice(seed: scenario.seed, day: day.number, stream: 1)
    let goals = scenario.goals(on: day - today)
    let passed = passedShare()
    let move = Double(draw(&dice, goal: goals.move, most: 799)) + Double(dice.below(1000)) / 1000
    let exercise = draw(&dice, goal: goals.exercise, most: 44)
    let stand = min(draw(&dice, goal: goals.stand, most: 15), 16)
    let whole = { (value: Int, goal: Int) in
      RingValue(value: (Double(value) * passed).rounded(.down), goal: Double(goal))
    }
    return ActivitySummary(
      day: day, moveMode: scenario.moveMode,
      move: scenario.moveMode == .minutes
        ? whole(Int(move), goals.move) : RingValue(value: thousandths(move * passed), goal: Double(goals.move)),
      exercise: scenario.hasWatch ? whole(exercise, goals.exercise) : nil,
      stand: scenario.hasWatch ? whole(stand, goals.stand) : nil)
  }

  private func draw(_ dice: inout Dice, goal: Int, most: Int) -> Int {
    switch rings {
    case .random, .mixed: dice.within(0...most)
    case .closed: goal + dice.below(goal * 45 / 100 + 2)
    case .open: goal * dice.within(25...96) / 100
    case .still: goal * dice.within(3...30) / 100
    }
  }

  /// How much of the day's life lies before now: 1 for a day that is over.
  private func passedShare() -> Double {
    guard now < interval.upperBound else { return 1 }
    var all = 0.0
    var passed = 0.0
    for slot in slots {
      let weight = Double(Habit.weight(of: slot, weekend: day.weekday >= 5))
      let into = Double(now.milliseconds(since: base)) / 1000 - Double(slot.start)
      all += weight
      passed += weight * min(max(into / Double(max(1, slot.length)), 0), 1)
    }
    return all > 0 ? passed / all : 1
  }

  private func thousandths(_ value: Double) -> Double { (value * 1000).rounded(.down) / 1000 }
}

/// When people walk.
enum Habit {
  private static let weekdays = [
    0, 0, 0, 0, 0, 2, 12, 60, 75, 30, 22, 25, 55, 40, 20, 22, 30, 75, 80, 45, 28, 16, 8, 2,
  ]
  private static let weekends = [
    1, 0, 0, 0, 0, 0, 2, 8, 25, 55, 80, 85, 50, 40, 70, 75, 65, 45, 35, 30, 25, 18, 12, 5,
  ]

  static func weight(of slot: Slot, weekend: Bool) -> Int {
    let hours = weekend ? weekends : weekdays
    return hours.indices.contains(Int(slot.hour)) ? hours[Int(slot.hour)] * Int(slot.length) / 36 : 0
  }
}
