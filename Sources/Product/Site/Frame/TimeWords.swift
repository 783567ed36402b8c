package import Activity

/// A moment as a person's clock shows it.
package struct LocalTime: Hashable, Sendable {
  package let day: CivilDay
  /// Minutes since midnight by the local clock.
  package let minutes: Int
  /// Offset from UTC in seconds, for `<time datetime>`.
  package let offset: Int

  package init(day: CivilDay, minutes: Int, offset: Int) {
    self.day = day
    self.minutes = minutes
    self.offset = offset
  }

  /// `2026-11-26T16:39+01:00`.
  package var iso: String {
    let magnitude = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    return "\(day.iso)T\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))\(sign)"
      + "\(twoDigits(magnitude / 60)):\(twoDigits(magnitude % 60))"
  }

  /// `16:42`.
  package var clock: String { "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))" }
}

extension Words {
  /// Up to an hour ago in minutes, then by clock, then with the date: `3 min ago`, `today, 09:14`, `yesterday, 22:04`,
  /// `Mon 23 Nov, 06:58`. `ago` is in milliseconds.
  package func ago(_ ago: Int64, at time: LocalTime, today: CivilDay) -> String {
    let minutes = Int(exactly: max(0, ago) / 60_000) ?? 0
    if minutes < 1 { return fill(.now) { _ in nil } }
    if minutes <= 60 { return fill(.minutesAgo) { _ in String(minutes) } }
    return moment(time, today: today)
  }

  /// `today, 09:14`, `yesterday, 22:04`, `Mon 23 Nov, 06:58`, and with the year when it is another one.
  package func moment(_ time: LocalTime, today: CivilDay) -> String {
    if time.day == today { return fill(.today) { _ in time.clock } }
    if time.day == today - 1 { return fill(.yesterday) { _ in time.clock } }
    let date = date(time.day, as: time.day.year == today.year ? .short : .shortYear)
    return fill(.at) { $0 == "time" ? time.clock : date }
  }
}

/// `07`.
func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
