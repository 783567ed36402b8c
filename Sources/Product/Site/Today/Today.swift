import Activity
import Consent
import HTTP
import People
import Storage

/// `/today`.
extension Site {
  func showToday(_ visit: Visit) async throws(Problem) -> Response {
    let claim = try visit.claimed()
    let opened = try await store.today(claim, around: visit.worldDay).opened(by: claim, at: visit.now)
    touch(opened.session, visit)
    let (settings, rows, views) = (opened.settings, opened.value, visit.interior.views)
    let frame = frame(visit, settings, place: .today, isFresh: true)
    let clock = visit.clock(of: settings)
    let today = clock.day(at: visit.now)
    let again = LookAgain(visit.request.query, of: Route.today.address, offering: 60, words: views.words)
    let live = LiveMark(address: Route.live.address, tag: Site.liveTag(opened, today: today), date: today.iso)
    if rows.context.firstDay == nil && rows.context.firstRings == nil {
      let model = EmptyTodayPage(
        frame: frame, name: settings.displayName, today: today, live: live, words: views.words)
      return page(views.emptyToday, model, to: visit, of: opened.session)
    }
    // The page is that of the minute, so that within it the same rows make the same page.
    let minute = Instant(milliseconds: visit.now.milliseconds / 60_000 * 60_000)
    var response = page(
      views.today, to: visit, of: opened, today: today, also: clock.time(at: minute).iso + again.address
    ) {
      let input = TodayInput(
        rows, weekStart: Int(settings.weekStart.rawValue), now: minute, clock: clock, words: views.words)
      return TodayPage(frame: frame, input: input, live: live, again: again, words: views.words)
    }
    again.add(to: &response)
    return response
  }
}

extension Visit {
  /// The date in Greenwich: nowhere in the world is it more than a day away.
  var worldDay: CivilDay { CivilDay(number: Int32(truncatingIfNeeded: now.seconds / 86_400)) }
}

extension TodayInput {
  /// Reads the rows by the person's clock.
  init(_ rows: TodayRows, weekStart: Int, now: Instant, clock: PersonClock, words: Words) {
    let today = clock.day(at: now)
    let (context, history) = (rows.context, clock.history)
    let kind: StreakKind = context.firstRings == nil ? .steps : .ring(.move)
    let isAwaited = { (day: CivilDay) in
      let interval = history.interval(of: day)
      return !context.coverage.reaches(interval.upperBound, over: interval)
    }
    self.init(
      almanac: Almanac(
        (today - 70)...Week(containing: today, start: weekStart).last, stored: rows.days, summaries: rows.summaries,
        context: context, today: today, weekStart: weekStart, history: history),
      hours: rows.hours, now: clock.time(at: now),
      elapsed: Int(now.milliseconds(since: history.interval(of: today).lowerBound) / 1000),
      streak: rows.facts.streak(kind, today: today, isAwaited: isAwaited), streakKind: kind,
      marks: ((today - 13)...today).map { day in
        rows.facts.mark(
          kind, on: day, today: today, awaited: day < today && today - day <= DayStates.patience && isAwaited(day))
      },
      updates: TodayInput.updates(rows, now: now, clock: clock, words: words),
      known: context.coverage.through.map(clock.time))
  }

  /// What brought data last, the newest first: each device that sends by itself, and the last file.
  private static func updates(_ rows: TodayRows, now: Instant, clock: PersonClock, words: Words) -> [Update] {
    let age = { (moment: Instant) in max(0, now.milliseconds(since: moment)) }
    var updates = rows.senders.map { sender in
      Update(
        name: sender.name, note: words.text(TodayText.upload), kind: .phone, at: clock.time(at: sender.seen),
        age: age(sender.seen))
    }
    if let last = rows.lastImport, last.state == .done, let ended = last.ended {
      updates.append(
        Update(
          name: words.text(UploadText.export), note: last.name, kind: .file, at: clock.time(at: ended), age: age(ended))
      )
    }
    return updates.sorted { $0.age < $1.age }
  }
}
