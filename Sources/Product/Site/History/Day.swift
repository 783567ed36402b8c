import Activity
import Consent
import HTTP
import People
import Storage

/// `/day/{date}`.
extension Site {
  func showDay(_ visit: Visit, _ day: CivilDay) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.day(claim, day).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    let (settings, rows, views) = (opened.settings, opened.value, visit.interior.views)
    let clock = visit.clock(of: settings)
    let first = [rows.context.firstDay, rows.context.firstRings].compactMap { $0 }.min()
    // There is no page for what has not been yet, nor for what lies before the first data.
    guard let first, day >= first, day <= clock.day(at: visit.now) else { throw Problem(.notFound, "") }
    return page(views.day, to: visit, of: opened, today: clock.day(at: visit.now)) {
      let input = DayInput(
        rows, day: day, now: visit.now, settings: settings, clock: clock, zones: visit.interior.zones,
        words: views.words)
      return DayPage(frame: frame(visit, settings, place: .history), input: input, words: views.words)
    }
  }
}

extension DayInput {
  init(
    _ rows: DayRows, day: CivilDay, now: Instant, settings: PersonSettings, clock: PersonClock, zones: ZoneTable,
    words: Words
  ) {
    let today = clock.day(at: now)
    let stored = rows.total.map { StoredDay(day: day, shown: $0.shown, flags: $0.flags) }
    let reader = EntryReader(context: rows.context, today: today, history: clock.history)
    let picture = DayInput.picture(rows, day: day, settings: settings, clock: clock, zones: zones)
    let goal = rows.context.goals.inForce(.stepCount, .everyDay, on: day)
    self.init(
      entry: reader.entry(day, stored: stored, summary: rows.summary), today: today,
      firstDay: [rows.context.firstDay, rows.context.firstRings].compactMap { $0 }.min(),
      slots: rows.total?.slots ?? [],
      devices: DayDevice.grouped(DayInput.devices(rows, picture, words), others: words.text(UploadText.others)),
      interval: clock.history.interval(of: day), changes: rows.revisions.map { DayChange($0, clock: clock) },
      goalSince: goal?.since, goalBefore: goal.flatMap { rows.context.goals.daily(.stepCount, on: $0.since - 1) })
    hasPicture = rows.samples != nil
  }

  private static func picture(
    _ rows: DayRows, day: CivilDay, settings: PersonSettings, clock: PersonClock, zones: ZoneTable
  ) -> DayPicture? {
    guard let samples = rows.samples else { return nil }
    let merge = Merge(
      sources: Dictionary(rows.sources.map { ($0.number, $0.source) }) { first, _ in first },
      zones: rows.zones.compactMapValues { zones.zone(named: $0) }, history: clock.history,
      options: MergeOptions(
        priority: SourceOrder.sorted(rows.sources.filter { $0.position != nil }).map(\.source.key),
        includeManual: settings.includeManual))
    return merge.picture(of: day, samples)
  }

  /// What the stored total says of each source, with its hours where the samples are still there and agree.
  private static func devices(_ rows: DayRows, _ picture: DayPicture?, _ words: Words) -> [DayDevice] {
    let order = SourceOrder.sorted(rows.sources).map(\.number)
    let counts = (rows.total?.bySource ?? []).filter { $0.counted > 0 || $0.hidden > 0 }
    let places = rows.total?.slots.map { [$0.start, Int32($0.code)] } ?? []
    let agrees = picture.map { $0.slots.map { [$0.start, Int32($0.code)] } == places } ?? false
    return counts.sorted {
      order.firstIndex(of: $0.source) ?? .max < order.firstIndex(of: $1.source) ?? .max
    }.compactMap { count in
      guard let source = rows.sources.first(where: { $0.number == count.source })?.source else { return nil }
      let part = picture?.parts.first { $0.source == count.source }
      return DayDevice(
        name: source.shownName(words), sourceClass: source.sourceClass, counted: count.counted, hidden: count.hidden,
        countedByHour: agrees ? part?.counted ?? [] : [], aloneByHour: agrees ? part?.alone ?? [] : [],
        stretches: part?.stretches ?? [])
    }
  }
}

extension DayChange {
  fileprivate init(_ revision: DayRevision, clock: PersonClock) {
    let reason: Reason =
      switch revision.reason {
      case .late: .late
      case .merged: .merged
      case .zone: .zone
      case .moved: .moved
      case .corrected: .corrected
      case .deleted: .deleted
      }
    self.init(at: clock.time(at: revision.at), old: revision.old, new: revision.new, reason: reason)
  }
}
