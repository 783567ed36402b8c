import Activity
import People

/// A person's clock: turns instants into the days and times that the person lives.
struct PersonClock {
  let history: ZoneHistory

  init(_ settings: PersonSettings, in zones: ZoneTable) {
    history = ZoneHistory(settings.zones.map { (since: $0.since, zone: $0.zone) }, in: zones)
  }

  func day(at instant: Instant) -> CivilDay { history.day(at: instant) }

  func time(at instant: Instant) -> LocalTime {
    let offset = history.offset(at: instant)
    let second = (instant.seconds &+ Int64(offset)) % 86_400
    return LocalTime(
      day: history.day(at: instant), minutes: Int(second < 0 ? second + 86_400 : second) / 60, offset: Int(offset))
  }
}

extension Visit {
  func clock(of settings: PersonSettings) -> PersonClock { PersonClock(settings, in: interior.zones) }

  func today(of settings: PersonSettings) -> CivilDay { clock(of: settings).day(at: now) }
}

extension Words {
  /// When something happened, as the person would say it now.
  func when(_ instant: Instant, now: Instant, by clock: PersonClock) -> String {
    ago(now.milliseconds(since: instant), at: clock.time(at: instant), today: clock.day(at: now))
  }
}
