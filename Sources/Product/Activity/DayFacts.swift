/// What is settled about one day, in two bytes: enough for every streak and perfect week.
package struct DayFact: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// There is a total of steps, if only 0.
  package static let steps = DayFact(rawValue: 1)
  /// It reaches the goal in force on that day.
  package static let stepsMet = DayFact(rawValue: 2)
  /// The person paused the day, or the phone did.
  package static let paused = DayFact(rawValue: 4)
  /// Rings were delivered.
  package static let rings = DayFact(rawValue: 8)
  package static let move = DayFact(rawValue: 16)
  package static let moveMet = DayFact(rawValue: 32)
  package static let exercise = DayFact(rawValue: 64)
  package static let exerciseMet = DayFact(rawValue: 128)
  package static let stand = DayFact(rawValue: 256)
  package static let standMet = DayFact(rawValue: 512)

  /// The facts of a day from what is stored of it.
  package init(shown: Int?, stepsGoal: Double?, rings: Rings?, paused: Bool) {
    var fact: DayFact = paused || rings?.paused == true ? .paused : []
    if let shown {
      fact.insert(.steps)
      if let stepsGoal, stepsGoal > 0, Double(shown) >= stepsGoal { fact.insert(.stepsMet) }
    }
    if let rings {
      fact.insert(.rings)
      if let ring = rings.move { fact.insert(ring.closed ? [.move, .moveMet] : .move) }
      if let ring = rings.exercise { fact.insert(ring.closed ? [.exercise, .exerciseMet] : .exercise) }
      if let ring = rings.stand { fact.insert(ring.closed ? [.stand, .standMet] : .stand) }
    }
    self = fact
  }

  /// Every ring that has a goal is closed, and there is one.
  package var allRingsMet: Bool {
    let there = rawValue & 0b01_0101_0000
    return there != 0 && rawValue >> 1 & there == there
  }
}

/// What a streak counts.
package enum StreakKind: Hashable, Sendable {
  case steps
  case ring(RingKind)
  case allRings
}

/// The facts of all days from `first` on, without gaps (a day without anything has none).
package struct DayFacts: Hashable, Sendable {
  package let first: CivilDay
  package let facts: [DayFact]

  package init(first: CivilDay, facts: [DayFact]) {
    self.first = first
    self.facts = facts
  }

  package subscript(day: CivilDay) -> DayFact {
    let place = day - first
    return facts.indices.contains(place) ? facts[place] : []
  }

  /// How one day stands (semantics.md 4). `awaited`: its data may still come.
  package func mark(_ kind: StreakKind, on day: CivilDay, today: CivilDay, awaited: Bool) -> DayMark {
    let fact = self[day]
    if fact.contains(.paused) { return .paused }
    let (known, met) = DayFacts.answer(kind, fact)
    if met { return .met }
    if day == today { return .open }
    if awaited { return .pending }
    return known ? .missed : .none
  }

  /// The streak of a kind up to `today`. `isAwaited` is asked for days of the last week only. Some nanoseconds a day, so
  /// that a page may ask for every kind over many years.
  package func streak(_ kind: StreakKind, today: CivilDay, isAwaited: (CivilDay) -> Bool) -> Streak {
    guard first <= today else { return Streak() }
    let recent = max(first, today - DayStates.patience)
    var tally = settled(kind, before: recent)
    for day in recent...today {
      let awaited = day < today && isAwaited(day)
      tally.add(mark(kind, on: day, today: today, awaited: awaited), on: day)
    }
    return tally.streak
  }

  /// The runs of all days before `end`, for which nothing is awaited: a day is met, stepped over or the end of a run.
  private func settled(_ kind: StreakKind, before end: CivilDay) -> StreakTally {
    let count = min(facts.count, max(0, end - first))
    let met = DayFacts.metMask(kind)
    var run = 0..<0
    var length = 0
    var longest = (length: 0, days: 0..<0)
    for place in 0..<count {
      let fact = facts[place]
      if fact.rawValue & DayFact.paused.rawValue != 0 { continue }
      if met == 0 ? fact.allRingsMet : fact.rawValue & met != 0 {
        run = (length == 0 ? place : run.lowerBound)..<(place + 1)
        length += 1
        if length > longest.length { longest = (length, run) }
      } else {
        length = 0
      }
    }
    if count < end - first { length = 0 }
    return StreakTally(run: self.run(length, run), longest: self.run(longest.length, longest.days))
  }

  private func run(_ length: Int, _ places: Range<Int>) -> Run? {
    guard length > 0 else { return nil }
    return Run(length: length, first: first + places.lowerBound, last: first + (places.upperBound - 1))
  }

  /// The bit that says "met"; 0 for all rings, which takes more than a bit.
  private static func metMask(_ kind: StreakKind) -> UInt16 {
    switch kind {
    case .steps: DayFact.stepsMet.rawValue
    case .ring(.move): DayFact.moveMet.rawValue
    case .ring(.exercise): DayFact.exerciseMet.rawValue
    case .ring(.stand): DayFact.standMet.rawValue
    case .allRings: 0
    }
  }

  private static func answer(_ kind: StreakKind, _ fact: DayFact) -> (known: Bool, met: Bool) {
    switch kind {
    case .steps: (fact.contains(.steps), fact.contains(.stepsMet))
    case .ring(.move): (fact.contains(.move), fact.contains(.moveMet))
    case .ring(.exercise): (fact.contains(.exercise), fact.contains(.exerciseMet))
    case .ring(.stand): (fact.contains(.stand), fact.contains(.standMet))
    case .allRings: (fact.contains(.rings), fact.allRingsMet)
    }
  }
}
