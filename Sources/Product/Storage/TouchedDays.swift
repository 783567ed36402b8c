import Activity
import Postgres

/// Collects the days whose totals may change when samples come or go. Samples come mostly in the order of time, so the
/// stretch of the last one usually answers.
struct TouchedDays {
  private let merge: Merge
  private let history: ZoneHistory
  private let hasForeignZones: Bool
  private(set) var days: [DataType: Set<CivilDay>] = [:]
  private var run: ClockRun?
  private var runType: DataType?
  /// By the raw value of the type: samples come by the thousand.
  private var ends = [Instant?](repeating: nil, count: DataType.allCases.count + 1)

  init(_ person: LockedPerson) {
    merge = person.merge
    history = person.history
    hasForeignZones = !person.numbering.zones.isEmpty
  }

  /// Ends of the newest samples.
  var newest: [DataType: Instant] {
    var newest: [DataType: Instant] = [:]
    for type in DataType.allCases { newest[type] = ends[Int(type.rawValue)] }
    return newest
  }

  /// All pairs, as two columns.
  var columns: (types: [Int16], days: [Int32]) {
    let pairs = days.flatMap { type, days in days.map { (type.rawValue, $0.number) } }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  /// Rows that begin with started_at, duration_ms, type.
  mutating func add(_ rows: Rows) throws(PostgresError) {
    for row in rows {
      guard let type = DataType(rawValue: row.int16(2)) else { continue }
      let start = Instant(microseconds: row.instant(0))
      add(start, start.advanced(milliseconds: Int64(row.int32(1))), type)
    }
    try rows.verify()
  }

  /// One sample from `start` to `end`.
  mutating func add(_ start: Instant, _ end: Instant, _ type: DataType) {
    let place = Int(type.rawValue)
    ends[place] = max(ends[place] ?? end, end)
    if let run, runType == type, start >= run.start, end <= run.end, start < run.end { return }
    let touched = merge.days(touchedFrom: start, to: end)
    days[type, default: []].formUnion(touched)
    run = hasForeignZones || touched.count > 1 ? nil : history.run(at: start)
    runType = type
  }
}
