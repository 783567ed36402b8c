package import Activity
package import People

/// One stored day without its hours.
package struct StoredDay: Sendable, Equatable {
  package let day: CivilDay
  /// R(exact): the one integer that pages show.
  package let shown: Int
  package let flags: DayFlags

  package init(day: CivilDay, shown: Int, flags: DayFlags) {
    self.day = day
    self.shown = shown
    self.flags = flags
  }
}

/// A source with what the pages need to name and order it.
package struct StoredSource: Sendable, Equatable {
  /// The number by which `SourceCount.source` and `Sample.source` refer to it in everything that Storage answers.
  package let number: Int32
  package let source: Source
  /// Place in the person's own order, from 0; nil when the person never put it there.
  package let position: Int?
}

/// Days on which the person asked that nothing counts against them. Both ends belong to it.
package struct Pause: Sendable, Equatable {
  package let days: ClosedRange<CivilDay>
  package let note: String?
}

/// What a page needs beside the days themselves to read them: goals, pauses, how far data reaches.
package struct DayContext: Sendable, Equatable {
  package let goals: Goals
  package let pauses: [Pause]
  package let coverage: Coverage
  /// The first day with steps; nil when there is none yet.
  package let firstDay: CivilDay?
  /// The first day with rings.
  package let firstRings: CivilDay?
  /// Days whose samples changed and whose totals are not counted again yet ("being counted").
  package let stale: Set<CivilDay>
  /// When the last upload or import changed anything.
  package let lastUpdate: Instant?

  package func isPaused(_ day: CivilDay) -> Bool { pauses.contains { $0.days.contains(day) } }
}

/// A device that sends by itself.
package struct Sender: Sendable, Equatable {
  package let name: String
  /// Its last upload that was taken.
  package let seen: Instant
}

/// What Today shows. Windows are a day wider on both sides than asked, since the person's today is known only after the read.
package struct TodayRows: Sendable {
  /// The last 70 days, oldest first; days without samples are absent.
  package let days: [StoredDay]
  /// Hours of the last three days (today and its margin) and of today's weekday in the 10 weeks before.
  package let hours: [CivilDay: [Slot]]
  package let summaries: [ActivitySummary]
  package let context: DayContext
  /// One fact per day since the first data, for streaks: see `DayFacts`.
  package let facts: DayFacts
  /// Phones and bridges that have sent something, the newest first, at most 10.
  package let senders: [Sender]
  /// The newest import that ended well.
  package let lastImport: ImportRow?
}

/// What a list of days shows (week, month, any range up to 400 days).
package struct HistoryRows: Sendable {
  /// Oldest first; days without samples are absent.
  package let days: [StoredDay]
  package let summaries: [ActivitySummary]
  package let context: DayContext
}

/// How a day's total came about and changed.
package struct DayRevision: Sendable, Equatable {
  /// Why the number changed; raw values are stored. Of several the highest is kept (decisions.md, Revisions).
  package enum Reason: Int16, Sendable {
    case late = 1
    case merged = 2
    case zone = 3
    case moved = 4
    case corrected = 5
    case deleted = 6
  }

  package let number: Int
  package let at: Instant
  package let old: Int
  /// Nil: the day has no data any more.
  package let new: Int?
  package let reason: Reason
}

/// Everything about one day.
package struct DayRows: Sendable {
  /// Nil: no samples on that day.
  package let total: DayTotal?
  package let revisions: [DayRevision]
  package let summary: ActivitySummary?
  package let context: DayContext
  package let sources: [StoredSource]
  /// Samples that may touch the day, by start, with `source` as in `sources` and `zone` as in `zones`, for the lanes of the
  /// overlap picture. Nil when there are more than 20,000: the day then has its numbers and no picture.
  package let samples: [Sample]?
  package let zones: [Int16: String]
}

/// What Settings shows beside the settings themselves.
package struct SettingsRows: Sendable {
  package let login: String
  package let sources: [StoredSource]
  package let goals: Goals
  package let pauses: [Pause]
  package let sessions: [Session]
  /// Days still being counted after the last change.
  package let staleDays: Int
}
