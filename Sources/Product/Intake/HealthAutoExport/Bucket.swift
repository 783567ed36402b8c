import Activity

/// How long the buckets of an upload are, by the header `automation-aggregation`; a minute where it is missing.
struct Bucket {
  private enum Length {
    case fixed(Int64)
    case day
    case tooLong
  }

  private let length: Length
  private let zones: ZoneHistory

  init(aggregation: String?, zones: ZoneHistory) {
    self.zones = zones
    switch aggregation?.lowercased() {
    case "seconds", "second": length = .fixed(1000)
    case "hours", "hour", "hourly": length = .fixed(3_600_000)
    case "days", "day", "daily": length = .day
    case .some(let word) where ["week", "month", "year"].contains(where: word.hasPrefix): length = .tooLong
    default: length = .fixed(60_000)
    }
  }

  /// First instant and end of the bucket with this date; nil for weeks, months and years. A bare date is that local day, whatever the
  /// header says.
  func interval(_ date: BucketDate) -> (start: Instant, end: Instant)? {
    switch (date, length) {
    case (_, .tooLong): return nil
    case (.day(let day), _):
      let interval = zones.interval(of: day)
      return (interval.lowerBound, interval.upperBound)
    case (.instant(let start), .fixed(let milliseconds)):
      return (start, start.advanced(milliseconds: milliseconds))
    case (.instant(let start), .day):
      let day = zones.interval(of: zones.day(at: start))
      // A midnight of elsewhere: the phone was in another zone than the account.
      return (start, day.lowerBound == start ? day.upperBound : start.advanced(hours: 24))
    }
  }
}

/// The `date` of a data point: `yyyy-MM-dd HH:mm:ss Z`, also with the 12-hour clock (`4:51:59 pm`, upper case, with U+202F before it), or a
/// bare date.
enum BucketDate {
  case instant(Instant)
  case day(CivilDay)

  /// Nil if it cannot be read.
  init?(_ text: Span<UInt8>) {
    if let day = Timestamp.readDay(text) {
      self = .day(day)
    } else if let instant = Timestamp.read(text) ?? BucketDate.twelveHours(text) {
      self = .instant(instant)
    } else {
      return nil
    }
  }

  private static func twelveHours(_ text: Span<UInt8>) -> Instant? {
    var at = Cursor(Blanks.trimmed(text))
    guard let year = at.digits(text, 4...4), at.take(text, "-"), let month = at.digits(text, 1...2), at.take(text, "-"),
      let number = at.digits(text, 1...2), let day = CivilDay(year: year, month: month, day: number),
      at.skipBlanks(text), let hour = at.digits(text, 1...2), (1...12).contains(hour), at.take(text, ":"),
      let minute = at.digits(text, 2...2), minute < 60, at.take(text, ":"), let second = at.digits(text, 2...2),
      second < 60
    else { return nil }
    at.skipBlanks(text)
    let afternoon = at.take(text, "p") || at.take(text, "P")
    guard afternoon || at.take(text, "a") || at.take(text, "A"), at.take(text, "m") || at.take(text, "M"),
      at.skipBlanks(text), let offset = Timestamp.offset(text, &at), at.atEnd
    else { return nil }
    let hours = hour % 12 + (afternoon ? 12 : 0)
    let seconds = Int64(day.number) * 86_400 + Int64(hours * 3600 + minute * 60 + second) - Int64(offset)
    return Instant(seconds: seconds)
  }
}
