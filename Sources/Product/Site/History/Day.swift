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
    let found = DayInput.sources(rows, words)
    let picture = DayInput.picture(
      rows, day: day, devices: found.map(\.numbers), settings: settings, clock: clock, zones: zones)
    let goal = rows.context.goals.inForce(.stepCount, .everyDay, on: day)
    self.init(
      entry: reader.entry(day, stored: stored, summary: rows.summary), today: today,
      firstDay: [rows.context.firstDay, rows.context.firstRings].compactMap { $0 }.min(),
      slots: rows.total?.slots ?? [],
      devices: DayDevice.grouped(DayInput.devices(found, rows, picture), others: words.text(UploadText.others)),
      interval: clock.history.interval(of: day), changes: rows.revisions.map { DayChange($0, clock: clock) },
      goalSince: goal?.since, goalBefore: goal.flatMap { rows.context.goals.daily(.stepCount, on: $0.since - 1) })
    hasPicture = rows.samples != nil
  }

  private static func picture(
    _ rows: DayRows, day: CivilDay, devices: [[Int32]], settings: PersonSettings, clock: PersonClock, zones: ZoneTable
  ) -> DayPicture? {
    guard let samples = rows.samples else { return nil }
    let merge = Merge(
      sources: Dictionary(rows.sources.map { ($0.number, $0.source) }) { first, _ in first },
      zones: rows.zones.compactMapValues { zones.zone(named: $0) }, history: clock.history,
      options: MergeOptions(
        priority: SourceOrder.sorted(rows.sources.filter { $0.position != nil }).map(\.source.key),
        includeManual: settings.includeManual))
    return merge.picture(of: day, samples, devices: devices)
  }

  /// A device that counted on the day, and the sources through which it wrote, the best first.
  private struct Device {
    let name: String
    let sourceClass: SourceClass
    var counts: [SourceCount]
    var numbers: [Int32] { counts.map(\.source) }
  }

  /// Sources of one class whose names differ only in case are one device: a watch writes through exports and through uploads.
  private static func sources(_ rows: DayRows, _ words: Words) -> [Device] {
    let order = SourceOrder.sorted(rows.sources).map(\.number)
    let counts = (rows.total?.bySource ?? []).filter { $0.counted > 0 || $0.hidden > 0 }
      .sorted { order.firstIndex(of: $0.source) ?? .max < order.firstIndex(of: $1.source) ?? .max }
    var devices: [Device] = []
    for count in counts {
      guard let source = rows.sources.first(where: { $0.number == count.source })?.source else { continue }
      let name = source.shownName(words)
      let known = devices.firstIndex {
        $0.sourceClass == source.sourceClass && $0.name.lowercased() == name.lowercased()
      }
      if let known {
        devices[known].counts.append(count)
      } else {
        devices.append(Device(name: name, sourceClass: source.sourceClass, counts: [count]))
      }
    }
    return devices
  }

  /// What the stored total says of each device, with its hours where the samples are still there and agree. What several sources
  /// of one device told twice is no steps of the device.
  private static func devices(_ found: [Device], _ rows: DayRows, _ picture: DayPicture?) -> [DayDevice] {
    let places = rows.total?.slots.map { [$0.start, Int32($0.code)] } ?? []
    let agrees = picture.map { $0.slots.map { [$0.start, Int32($0.code)] } == places } ?? false
    return found.map { device in
      let part = picture?.parts.first { !Set($0.sources).isDisjoint(with: device.numbers) }
      let counted = device.counts.reduce(0) { $0 + $1.counted }
      // Without the samples the richest of its sources stands for the device.
      var alone = device.counts.reduce(counted) { max($0, $1.counted + $1.hidden) }
      if device.counts.count > 1, agrees, let part { alone = max(counted, part.alone.reduce(0, +)) }
      return DayDevice(
        name: device.name, sourceClass: device.sourceClass, counted: counted, hidden: alone - counted,
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
