/// The rule in the footer of a TZif file: a standard offset and, if there is one, the yearly daylight-saving time
/// (POSIX TZ with the extensions of RFC 9636, 3.3.1: hours from -167 to 167).
struct ZoneRecurrence: Hashable, Sendable {
  /// A day of the year and the seconds after its midnight by the clock that runs until then.
  struct Moment: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1…365, 29 February is never counted.
      case julian(Int)
      /// 0…365, 29 February counts.
      case ordinal(Int)
      /// Month 1…12, week 1…5 (5 = last), weekday 0 = Sunday.
      case weekday(month: Int, week: Int, day: Int)
    }
    var day: Day
    var time: Int64
  }

  var standard: Int32
  var daylight: Int32?
  var start: Moment?
  var end: Moment?

  /// The offset at a moment and the stretch around it.
  func span(at seconds: Int64) -> ZoneSpan {
    let always = ZoneSpan(offset: standard, from: -ZoneRules.distant, until: ZoneRules.distant)
    guard let daylight, let start, let end else { return always }
    let local = min(max(seconds, -ZoneRules.distant), ZoneRules.distant) &+ Int64(standard)
    let days = Int32(clamping: Instant.floorDivide(local, by: 86_400))
    let year = CivilDay(number: min(max(days, -3_000_000), 30_000_000)).year
    var found = ZoneSpan(offset: standard, from: -ZoneRules.distant, until: ZoneRules.distant)
    var changes: [(time: Int64, offset: Int32)] = []
    for year in (year - 1)...(year + 1) {
      changes.append((Self.seconds(of: start, in: year) - Int64(standard), daylight))
      changes.append((Self.seconds(of: end, in: year) - Int64(daylight), standard))
    }
    // A year that is daylight-saving from end to end gives two changes at one moment: the later one in order stands.
    for (_, change) in changes.enumerated().sorted(by: { ($0.1.time, $0.0) < ($1.1.time, $1.0) }) {
      if change.time <= seconds {
        if change.offset != found.offset || found.from == -ZoneRules.distant { found.from = change.time }
        found.offset = change.offset
      } else if change.offset != found.offset {
        found.until = change.time
        break
      }
    }
    return found
  }

  /// Local seconds since 1970 of a moment in a year.
  private static func seconds(of moment: Moment, in year: Int) -> Int64 {
    let firstDay = Int64(CivilDay.number(year: year, month: 1, day: 1))
    let day: Int64
    switch moment.day {
    case .julian(let number):
      day = firstDay + Int64(number - 1) + (number >= 60 && CivilDay.isLeap(year) ? 1 : 0)
    case .ordinal(let number): day = firstDay + Int64(number)
    case .weekday(let month, let week, let weekday):
      let first = CivilDay(number: CivilDay.number(year: year, month: month, day: 1))
      let into = (weekday + 6 - first.weekday + 7) % 7 + 7 * (week - 1)
      let length = CivilDay.daysInMonth(month, year: year)
      day = Int64(first.number) + Int64(into >= length ? into - 7 : into)
    }
    return day * 86_400 + moment.time
  }
}

extension ZoneRecurrence {
  /// `CET-1CEST,M3.5.0,M10.5.0/3`, `<-03>3`; nil when it is anything else.
  init?(posix bytes: [UInt8]) {
    var text = PosixText(bytes: bytes)
    guard text.name(), let standard = text.clock(limit: 24) else { return nil }
    self.standard = Int32(-standard)
    if text.atEnd { return }
    guard text.name() else { return nil }
    daylight = Int32(-standard + 3600)
    if !text.atEnd, !text.next(is: ",") {
      guard let own = text.clock(limit: 24) else { return nil }
      daylight = Int32(-own)
    }
    guard text.take(","), let start = text.moment(), text.take(","), let end = text.moment(), text.atEnd else {
      return nil
    }
    self.start = start
    self.end = end
  }
}

/// Reads the words of a POSIX TZ string from left to right.
private struct PosixText {
  let bytes: [UInt8]
  var place = 0

  var atEnd: Bool { place >= bytes.count }

  func next(is character: Unicode.Scalar) -> Bool { place < bytes.count && bytes[place] == UInt8(ascii: character) }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next(is: character) else { return false }
    place += 1
    return true
  }

  /// Three or more letters, or anything but `>` between angle brackets.
  mutating func name() -> Bool {
    let first = place
    if take("<") {
      while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
      return take(">")
    }
    while place < bytes.count, bytes[place] | 32 >= 97, bytes[place] | 32 <= 122 { place += 1 }
    return place - first >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    var value = 0
    let first = place
    while place < bytes.count, bytes[place] >= 48, bytes[place] <= 57, place - first < 4 {
      value = value * 10 + Int(bytes[place] - 48)
      place += 1
    }
    return place > first && range.contains(value) ? value : nil
  }

  /// `[+-]h[:m[:s]]` in seconds.
  mutating func clock(limit: Int) -> Int64? {
    let negative = take("-")
    if !negative { _ = take("+") }
    guard let hours = number(0...limit) else { return nil }
    var seconds = hours * 3600
    if take(":") {
      guard let minutes = number(0...59) else { return nil }
      seconds += minutes * 60
      if take(":") {
        guard let more = number(0...59) else { return nil }
        seconds += more
      }
    }
    return Int64(negative ? -seconds : seconds)
  }

  mutating func moment() -> ZoneRecurrence.Moment? {
    guard let day = day() else { return nil }
    guard take("/") else { return ZoneRecurrence.Moment(day: day, time: 7200) }
    guard let time = clock(limit: 167) else { return nil }
    return ZoneRecurrence.Moment(day: day, time: time)
  }

  private mutating func day() -> ZoneRecurrence.Moment.Day? {
    if take("J") { return number(1...365).map { .julian($0) } }
    guard take("M") else { return number(0...365).map { .ordinal($0) } }
    guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6)
    else { return nil }
    return .weekday(month: month, week: week, day: weekday)
  }
}
