import Activity
import Postgres

/// Collects the days whose totals may change when samples come or go. Samples come mostly in the order of time, so the
/// stretch of the last one usually answers.
struct TouchedDays {
  private let merge: Merge
  private let history: ZoneHistory
  private let hasForeignZones: Bool
  private(set) var days: Set<CivilDay> = []
  /// End of the newest sample.
  private(set) var newest: Instant?
  private var run: ClockRun?

  init(merge: Merge, history: ZoneHistory, hasForeignZones: Bool = true) {
    self.merge = merge
    self.history = history
    self.hasForeignZones = hasForeignZones
  }

  /// A row that begins with started_at, duration_ms.
  mutating func add(_ row: Row) {
    let start = Instant(microseconds: row.instant(0))
    add(start, start.advanced(milliseconds: Int64(row.int32(1))))
  }

  mutating func add(_ start: Instant, _ end: Instant) {
    newest = max(newest ?? end, end)
    if !hasForeignZones, let run, start >= run.start, end <= run.end, start < run.end {
      return
    }
    let touched = merge.days(touchedFrom: start, to: end)
    for day in touched { days.insert(day) }
    if !hasForeignZones, touched.count == 1 { run = history.run(at: start) }
  }
}
