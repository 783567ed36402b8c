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
    /// What the data came from.
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

extension UsualDay {
  /// How the weekday of today usually goes.
  init?(_ input: TodayInput) {
    self.init(
      (1...10).map { input.today - 7 * $0 }.compactMap { day in
        input.almanac[day]?.counted == nil ? nil : input.hours[day]
      })
  }

  /// What is usually there at a time of the day.
  func steps(at time: LocalTime) -> Int {
    shownSteps(soFar(hour: time.minutes / 60, minute: time.minutes % 60))
  }
}
