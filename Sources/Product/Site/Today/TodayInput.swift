package import Activity

/// Everything that Today shows, as plain values.
package struct TodayInput: Sendable {
  /// The last ten weeks and the rest of this one.
  package var almanac: Almanac
  /// Hours of today, and of the same weekday in the weeks before where they are known.
  package var hours: [CivilDay: [Slot]]
  package var now: LocalTime
  /// Seconds since the first instant of today.
  package var elapsed: Int
  package var streak: Streak
  package var streakKind: StreakKind
  /// How the last 14 days stand, oldest first; the last one is today.
  package var marks: [DayMark]
  package var updates: [Update]
  /// End of what is known, by the person's clock.
  package var known: LocalTime?

  /// What brought data last.
  package struct Update: Sendable {
    package enum Kind: Sendable { case phone, watch, file }
    package var name: String
    package var note: String
    package var kind: Kind
    package var at: LocalTime
    /// Milliseconds before now.
    package var age: Int64

    package init(name: String, note: String, kind: Kind, at: LocalTime, age: Int64) {
      self.name = name
      self.note = note
      self.kind = kind
      self.at = at
      self.age = age
    }
  }

  package init(
    almanac: Almanac, hours: [CivilDay: [Slot]], now: LocalTime, elapsed: Int, streak: Streak, streakKind: StreakKind,
    marks: [DayMark], updates: [Update], known: LocalTime?
  ) {
    self.almanac = almanac
    self.hours = hours
    self.now = now
    self.elapsed = elapsed
    self.streak = streak
    self.streakKind = streakKind
    self.marks = marks
    self.updates = updates
    self.known = known
  }

  var today: CivilDay { almanac.today }

  var entry: DayEntry {
    almanac[today] ?? DayEntry(day: today, state: .partial(nil))
  }
}

/// How a person's same weekday usually goes.
struct UsualDay {
  /// Mean share of each local hour, 0…23.
  let hours: [Double]

  /// Rests on the last eight same weekdays that are over and known; nil with fewer than four.
  init?(_ input: TodayInput) {
    let days = (1...10).map { input.today - 7 * $0 }.filter {
      input.almanac[$0]?.counted != nil && input.hours[$0] != nil
    }.prefix(8)
    guard days.count >= 4 else { return nil }
    var sums = [Double](repeating: 0, count: 24)
    for slot in days.flatMap({ input.hours[$0] ?? [] }) where sums.indices.contains(Int(slot.hour)) {
      sums[Int(slot.hour)] += slot.share
    }
    hours = sums.map { $0 / Double(days.count) }
  }

  /// What is usually there at a time of the day, in minutes after midnight.
  func steps(at minutes: Int) -> Int {
    let whole = hours.prefix(minutes / 60).reduce(0, +)
    let part = hours.indices.contains(minutes / 60) ? hours[minutes / 60] * Double(minutes % 60) / 60 : 0
    return shownSteps(whole + part)
  }
}
