/// Books the pieces of a merge under dates and hours (merge.md 5) and adds them up.
struct DayLedger {
  fileprivate struct Day {
    var date: CivilDay
    /// The hours of the person's own clock.
    var cells: [HourCell]
    /// Hours that only a walk in another zone had.
    var foreign: [HourCell] = []
    /// First instant of the day.
    var base: Int64
  }

  /// What a sample won on a day. The key sorts by day, then by rank.
  private struct Entry {
    var key: UInt64
    var milliseconds: Int64

    var day: Int { Int(truncatingIfNeeded: key >> 32) }
    var rank: Int { Int(truncatingIfNeeded: key & 0xffff_ffff) }
  }

  private let history: ZoneHistory
  private let wanted: ClosedRange<CivilDay>?
  private var days: [Day] = []
  private var places: [CivilDay: Int] = [:]
  private var counted: [Entry] = []
  /// What each source would count alone.
  private var alone: [Entry] = []
  /// The stretch that the last piece was in, its day (nil: not booked) and hour: pieces come by time.
  private var run: ClockRun?
  private var runDay: Int?
  private var cell = 0

  init(history: ZoneHistory, wanted: ClosedRange<CivilDay>?) {
    self.history = history
    self.wanted = wanted
  }

  mutating func add(_ pieces: [Piece], of field: MergeField) {
    counted.reserveCapacity(pieces.count + 8)
    for piece in pieces {
      let sample = field.ranked[Int(piece.rank)]
      if let zone = field.zone(of: sample) {
        addAbroad(piece, sample, zone)
      } else {
        addAtHome(piece, sample)
      }
    }
  }

  /// Makes a day of a sample that counts nothing.
  mutating func touch(_ instant: Instant, zone: ZoneRules?) {
    _ = book(zone?.day(at: instant) ?? history.day(at: instant))
  }

  /// What a source alone would count, on the days that are booked already.
  mutating func addAlone(_ pieces: [Piece], of field: MergeField) {
    run = nil
    for piece in pieces {
      let zone = field.zone(of: field.ranked[Int(piece.rank)])
      var place = piece.start
      repeat {
        if let zone {
          let abroad = zone.run(at: Instant(milliseconds: place))
          run = abroad
          runDay = places[abroad.day]
        } else {
          if let day = enter(place) { runDay = places[day] }
        }
        let end = min(piece.end, run?.end.milliseconds ?? piece.end)
        if let day = runDay { DayLedger.note(&alone, day, piece.rank, end &- place) }
        if zone != nil { run = nil }
        guard end > place else { break }
        place = end
      } while place < piece.end
    }
  }

  // Dates.

  /// Makes `run` the stretch around an instant; gives its date when it is another stretch than before.
  private mutating func enter(_ place: Int64) -> CivilDay? {
    let instant = Instant(milliseconds: place)
    if let run, run.start <= instant, instant < run.end { return nil }
    let next = history.run(at: instant)
    run = next
    cell = 0
    return next.day
  }

  /// Position of a date, made when it is new; nil when it is not wanted.
  private mutating func book(_ date: CivilDay) -> Int? {
    if let known = places[date] { return known }
    if let wanted, !wanted.contains(date) { return nil }
    let cells = HourCell.cells(of: history.runs(of: date))
    let base = cells.first?.start ?? history.firstInstant(of: date).milliseconds
    places[date] = days.count
    days.append(Day(date: date, cells: cells, base: base))
    return days.count - 1
  }

  private static func note(_ entries: inout [Entry], _ day: Int, _ rank: Int32, _ milliseconds: Int64) {
    entries.append(Entry(key: UInt64(day) << 32 | UInt64(UInt32(bitPattern: rank)), milliseconds: milliseconds))
  }

  // Pieces by the person's own clock.

  private mutating func addAtHome(_ piece: Piece, _ sample: RankedSample) {
    var place = piece.start
    repeat {
      if let day = enter(place) { runDay = book(day) }
      let end = min(piece.end, run?.end.milliseconds ?? piece.end)
      if let day = runDay {
        DayLedger.note(&counted, day, piece.rank, end &- place)
        fill(day, from: place, to: end, sample)
      }
      guard end > place else { break }
      place = end
    } while place < piece.end
  }

  /// Shares a stretch among the hours of its day.
  private mutating func fill(_ day: Int, from start: Int64, to end: Int64, _ sample: RankedSample) {
    let count = days[day].cells.count
    if cell >= count || days[day].cells[cell].start > start { cell = 0 }
    while cell < count, days[day].cells[cell].end <= start { cell += 1 }
    guard start < end else {
      if cell < count { days[day].cells[cell].share += sample.count }
      return
    }
    var place = start
    while place < end, cell < count {
      let border = min(days[day].cells[cell].end, end)
      days[day].cells[cell].share += sample.share(of: border &- place)
      place = border
      if place < end { cell += 1 }
    }
  }

  // Pieces by the clock of the walk.

  /// Date and hour are those of the walk's own clock. Its share goes to the hour of that name on its date, so that a day
  /// keeps the hours of the person's own clock; where there is none, the day gets one more.
  private mutating func addAbroad(_ piece: Piece, _ sample: RankedSample, _ zone: ZoneRules) {
    var place = piece.start
    repeat {
      let stretch = zone.run(at: Instant(milliseconds: place))
      let end = min(piece.end, stretch.end.milliseconds)
      if let day = book(stretch.day) {
        DayLedger.note(&counted, day, piece.rank, end &- place)
        fillAbroad(day, from: place, to: end, sample, stretch)
      }
      guard end > place else { break }
      place = end
    } while place < piece.end
  }

  private mutating func fillAbroad(
    _ day: Int, from start: Int64, to end: Int64, _ sample: RankedSample, _ stretch: ClockRun
  ) {
    var place = start
    repeat {
      let hour = HourCell(around: place, in: stretch)
      let border = min(hour.end, end)
      addToHour(day, hour, start == end ? sample.count : sample.share(of: border &- place))
      guard border > place else { break }
      place = border
    } while place < end
  }

  private mutating func addToHour(_ day: Int, _ hour: HourCell, _ amount: Double) {
    let cells = days[day].cells
    let overlapping = cells.firstIndex { $0.hour == hour.hour && $0.start < hour.end && hour.start < $0.end }
    if let here = overlapping ?? cells.firstIndex(where: { $0.hour == hour.hour }) {
      days[day].cells[here].share += amount
    } else if let here = days[day].foreign.firstIndex(where: { $0.hour == hour.hour }) {
      days[day].foreign[here].share += amount
    } else {
      days[day].foreign.append(hour)
      days[day].foreign[days[day].foreign.count - 1].share = amount
    }
  }

  // Adding up: entries by day and rank, so that the terms of a sum always come in the same order.

  mutating func totals(of field: MergeField) -> [CivilDay: DayTotal] {
    var totals = days.map { DayTotal(exact: 0, slots: $0.slots) }
    DayLedger.forEachAmount(&counted, field) { day, source, amount in
      totals[day].exact += amount
      let last = totals[day].bySource.count - 1
      if last >= 0, totals[day].bySource[last].source == Int32(source) {
        totals[day].bySource[last].counted += amount
      } else {
        totals[day].bySource.append(SourceCount(source: Int32(source), counted: amount, hidden: 0))
      }
    }
    addHidden(to: &totals, field)
    for day in totals.indices { totals[day].finish(field) }
    return Dictionary(zip(days.map(\.date), totals)) { first, _ in first }
  }

  private mutating func addHidden(to totals: inout [DayTotal], _ field: MergeField) {
    var sums: [(day: Int, source: Int, amount: Double)] = []
    DayLedger.forEachAmount(&alone, field) { day, source, amount in
      if let last = sums.last, last.day == day, last.source == source {
        sums[sums.count - 1].amount += amount
      } else {
        sums.append((day, source, amount))
      }
    }
    // Both lists come by day and source: one walk over them serves all sources.
    var day = -1
    var place = 0
    var end = 0
    for sum in sums {
      let number = Int32(sum.source)
      if sum.day != day { (day, place, end) = (sum.day, 0, totals[sum.day].bySource.count) }
      while place < end, totals[day].bySource[place].source < number { place += 1 }
      if place < end, totals[day].bySource[place].source == number {
        let counted = totals[sum.day].bySource[place].counted
        totals[sum.day].bySource[place].hidden = max(0, sum.amount - counted)
      } else {
        totals[sum.day].bySource.append(SourceCount(source: number, counted: 0, hidden: sum.amount))
      }
    }
  }

  /// Calls `body` with day, source and amount of each sample on each day, by day and rank.
  private static func forEachAmount(
    _ entries: inout [Entry], _ field: MergeField, _ body: (Int, Int, Double) -> Void
  ) {
    entries.sort { $0.key < $1.key }
    var next = 0
    while next < entries.count {
      let entry = entries[next]
      var milliseconds: Int64 = 0
      while next < entries.count, entries[next].key == entry.key {
        milliseconds &+= entries[next].milliseconds
        next += 1
      }
      let sample = field.ranked[entry.rank]
      body(entry.day, Int(sample.source), sample.share(of: milliseconds))
    }
  }
}

extension DayLedger.Day {
  /// All hours; those of other clocks stand after the last earlier hour of the day.
  fileprivate var slots: [Slot] {
    var all = cells
    for hour in foreign {
      all.insert(hour, at: (all.lastIndex { $0.hour < hour.hour }).map { $0 + 1 } ?? 0)
    }
    return all.slots(from: base)
  }
}

extension DayTotal {
  /// Gives sources their numbers, best first, and sets what the day says about itself.
  fileprivate mutating func finish(_ field: MergeField) {
    bySource.sort { $0.source < $1.source }
    for place in bySource.indices {
      let source = field.sources[Int(bySource[place].source)]
      if source.isManual, bySource[place].counted > 0 { flags.insert(.manualPart) }
      bySource[place].source = source.number
    }
    if shown > 100_000 { flags.insert(.implausible) }
  }
}
