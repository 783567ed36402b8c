package import Activity
import Storage

/// A stretch of a person's days, each once and in order, with what the pages need to place them in time.
package struct Almanac: Sendable {
  package let today: CivilDay
  /// The day on which weeks start, 0 = Monday.
  package let weekStart: Int
  /// The first day with any data; nil when there is none yet.
  package let firstDay: CivilDay?
  /// Oldest first, without gaps.
  package let entries: [DayEntry]

  /// `entries` must be consecutive days, oldest first.
  package init(today: CivilDay, weekStart: Int, firstDay: CivilDay?, entries: [DayEntry]) {
    self.today = today
    self.weekStart = weekStart
    self.firstDay = firstDay
    self.entries = entries
  }

  /// Nil for a day outside the stretch.
  package subscript(day: CivilDay) -> DayEntry? {
    guard let first = entries.first?.day, day >= first, day - first < entries.count else { return nil }
    return entries[day - first]
  }

  /// The part of a range that the stretch holds.
  package subscript(days: ClosedRange<CivilDay>) -> ArraySlice<DayEntry> {
    guard let first = entries.first?.day, let last = entries.last?.day, days.upperBound >= first,
      days.lowerBound <= last
    else { return [] }
    return entries[(max(days.lowerBound, first) - first)...(min(days.upperBound, last) - first)]
  }

  /// For each day of a range the mean of the seven days up to it; nil where too few are known or the day is not over.
  func weekMeans(over days: ClosedRange<CivilDay>) -> [Double?] {
    let states = ((days.lowerBound - 6)...days.upperBound).map { self[$0]?.state ?? .none }
    return Array(Averages.sevenDays(states).dropFirst(6))
  }
}

extension Almanac {
  /// Reads what is stored of `days`.
  init(
    _ days: ClosedRange<CivilDay>, stored: [StoredDay], summaries: [ActivitySummary], context: DayContext,
    today: CivilDay, weekStart: Int, history: ZoneHistory
  ) {
    let reader = EntryReader(context: context, today: today, history: history)
    var stored = stored[...]
    var summaries = summaries[...]
    var entries: [DayEntry] = []
    entries.reserveCapacity(days.upperBound - days.lowerBound + 1)
    for day in days {
      // Both lists are in order: walking along is cheaper than looking up.
      while let first = stored.first, first.day < day { stored.removeFirst() }
      while let first = summaries.first, first.day < day { summaries.removeFirst() }
      entries.append(
        reader.entry(
          day, stored: stored.first.flatMap { $0.day == day ? $0 : nil },
          summary: summaries.first.flatMap { $0.day == day ? $0 : nil }))
    }
    self.init(
      today: today, weekStart: weekStart,
      firstDay: [context.firstDay, context.firstRings].compactMap { $0 }.min(), entries: entries)
  }
}

/// Turns stored rows into entries.
struct EntryReader {
  let context: DayContext
  let today: CivilDay
  let history: ZoneHistory

  func entry(_ day: CivilDay, stored: StoredDay?, summary: ActivitySummary?) -> DayEntry {
    DayEntry(
      day: day, state: state(of: day, shown: stored?.shown), rings: summary.map { Rings($0, goals: context.goals) },
      isPaused: context.isPaused(day), goal: context.goals.daily(.stepCount, on: day), flags: flags(of: day, stored),
      isBeingCounted: context.stale.contains(day))
  }

  /// What is stored, and whether the phone was silent before the day's end and ever since.
  private func flags(of day: CivilDay, _ stored: StoredDay?) -> DayFlags {
    guard let stored else { return [] }
    let isIncomplete =
      today - day > DayStates.patience && !states.surelyReaches(day)
      && states.isIncomplete(day, interval: history.interval(of: day))
    return isIncomplete ? stored.flags.union(.incomplete) : stored.flags
  }

  private var states: DayStates {
    DayStates(today: today, firstDay: context.firstDay, coverage: context.coverage)
  }

  private func state(of day: CivilDay, shown: Int?) -> DayState {
    if day > today { return .future }
    // Old days with a number need no look at the clock, and they are most.
    if let shown, today - day > DayStates.patience { return shown > 0 ? .value(shown) : .zero }
    return states.state(of: day, shown: shown, interval: history.interval(of: day))
  }
}
