import Activity

/// Dates with an offset, as exporters write them: `2025-06-10 08:00:00 -0400`, with single digits and double blanks,
/// `20150616071820-0700` of iOS 8, and ISO 8601 (`T`, `Z`, `-04:00`, fractions). Read by hand: no formatter, no locale.
enum Timestamp {
  /// Nil if it cannot be read, does not exist or has no offset. Fractions are rounded to the millisecond.
  static func read(_ text: Span<UInt8>) -> Instant? { readPlain(text) ?? readAny(text) }

  /// `2025-06-10T08:00:00Z` and `2025-06-10T08:00:00.000Z`, as phones' own encoders write them: places are known.
  private static func readPlain(_ text: Span<UInt8>) -> Instant? {
    guard text.count == 20 || text.count == 24, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[text.count - 1] == UInt8(ascii: "Z"), text.count == 20 || text[19] == UInt8(ascii: "."),
      let century = pair(text, 0), let year = pair(text, 2), let month = pair(text, 5), let day = pair(text, 8),
      let hour = pair(text, 11), let minute = pair(text, 14), let second = pair(text, 17),
      let date = CivilDay(year: century * 100 + year, month: month, day: day),
      let time = seconds(hour, minute, second)
    else { return nil }
    var milliseconds = 0
    if text.count == 24 {
      guard let tens = pair(text, 20), case let last = text[22] &- 48, last < 10 else { return nil }
      milliseconds = tens * 10 + Int(last)
    }
    return Instant(milliseconds: (Int64(date.number) * 86_400 + Int64(time)) * 1000 + Int64(milliseconds))
  }

  /// Two digits.
  @inline(__always)
  private static func pair(_ text: Span<UInt8>, _ place: Int) -> Int? {
    let (tens, ones) = (text[place] &- 48, text[place &+ 1] &- 48)
    return tens < 10 && ones < 10 ? Int(tens) &* 10 &+ Int(ones) : nil
  }

  private static func readAny(_ text: Span<UInt8>) -> Instant? {
    var at = Cursor(Blanks.trimmed(text))
    guard let year = at.digits(text, 4...4), let compact = isCompact(text, at) else { return nil }
    let day = compact ? compactDay(text, &at, year) : dashedDay(text, &at, year)
    guard let day, let time = compact ? compactTime(text, &at) : dashedTime(text, &at) else { return nil }
    let fraction = milliseconds(text, &at)
    at.skipBlanks(text)
    guard let offset = offset(text, &at), at.atEnd else { return nil }
    let seconds = Int64(day.number) * 86_400 + Int64(time) - Int64(offset)
    return Instant(milliseconds: seconds * 1000 + fraction)
  }

  /// A date without time, `2025-06-10`; single digits are accepted.
  static func readDay(_ text: Span<UInt8>) -> CivilDay? {
    var at = Cursor(Blanks.trimmed(text))
    guard let year = at.digits(text, 4...4), let day = dashedDay(text, &at, year), at.atEnd else { return nil }
    return day
  }

  private static func isCompact(_ text: Span<UInt8>, _ at: Cursor) -> Bool? {
    guard !at.atEnd else { return nil }
    return text[at.place] != UInt8(ascii: "-")
  }

  private static func dashedDay(_ text: Span<UInt8>, _ at: inout Cursor, _ year: Int) -> CivilDay? {
    guard at.take(text, "-"), let month = at.digits(text, 1...2), at.take(text, "-"),
      let day = at.digits(text, 1...2)
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  private static func compactDay(_ text: Span<UInt8>, _ at: inout Cursor, _ year: Int) -> CivilDay? {
    guard let month = at.fixed(text, 2), let day = at.fixed(text, 2) else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  /// Seconds since midnight.
  private static func dashedTime(_ text: Span<UInt8>, _ at: inout Cursor) -> Int? {
    guard at.take(text, "T") || at.take(text, "t") || at.skipBlanks(text) else { return nil }
    guard let hour = at.digits(text, 1...2), at.take(text, ":"), let minute = at.digits(text, 1...2),
      at.take(text, ":"), let second = at.digits(text, 1...2)
    else { return nil }
    return seconds(hour, minute, second)
  }

  private static func compactTime(_ text: Span<UInt8>, _ at: inout Cursor) -> Int? {
    _ = at.take(text, "T") || at.skipBlanks(text)
    guard let hour = at.fixed(text, 2), let minute = at.fixed(text, 2), let second = at.fixed(text, 2) else {
      return nil
    }
    return seconds(hour, minute, second)
  }

  private static func seconds(_ hour: Int, _ minute: Int, _ second: Int) -> Int? {
    hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : nil
  }

  private static func milliseconds(_ text: Span<UInt8>, _ at: inout Cursor) -> Int64 {
    guard !at.atEnd, text[at.place] == UInt8(ascii: ".") || text[at.place] == UInt8(ascii: ",") else { return 0 }
    var ahead = at
    ahead.place += 1
    var value: Int64 = 0
    var digits = 0
    while !ahead.atEnd, case let digit = text[ahead.place] &- 48, digit < 10 {
      if digits < 3 { value = value * 10 + Int64(digit) }
      if digits == 3, digit >= 5 { value += 1 }
      digits += 1
      ahead.place += 1
    }
    guard digits > 0 else { return 0 }
    at = ahead
    return digits == 1 ? value * 100 : digits == 2 ? value * 10 : value
  }

  /// `Z`, `-0400`, `-04:00` or `-04` in seconds.
  static func offset(_ text: Span<UInt8>, _ at: inout Cursor) -> Int? {
    if at.take(text, "Z") || at.take(text, "z") { return 0 }
    let west = at.take(text, "-")
    guard west || at.take(text, "+"), let hours = at.fixed(text, 2), hours < 24 else { return nil }
    var minutes = 0
    if !at.atEnd {
      _ = at.take(text, ":")
      guard let read = at.fixed(text, 2), read < 60 else { return nil }
      minutes = read
    }
    return (west ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

/// A place in a text that is passed along with it.
struct Cursor {
  var place: Int
  private let end: Int

  init(_ range: Range<Int>) {
    place = range.lowerBound
    end = range.upperBound
  }

  var atEnd: Bool { place >= end }

  mutating func take(_ text: Span<UInt8>, _ character: Unicode.Scalar) -> Bool {
    guard !atEnd, UInt32(text[place]) == character.value else { return false }
    place += 1
    return true
  }

  /// A number of as many ASCII digits as allowed; nil if there are fewer or more.
  mutating func digits(_ text: Span<UInt8>, _ allowed: ClosedRange<Int>) -> Int? {
    let start = place
    guard let value = fixed(text, upTo: allowed.upperBound), place - start >= allowed.lowerBound else { return nil }
    return value
  }

  /// A number of exactly `count` digits; more may follow.
  mutating func fixed(_ text: Span<UInt8>, _ count: Int) -> Int? {
    let start = place
    guard let value = fixed(text, upTo: count), place - start == count else { return nil }
    return value
  }

  private mutating func fixed(_ text: Span<UInt8>, upTo most: Int) -> Int? {
    var value = 0
    let start = place
    while !atEnd, place - start < most, case let digit = text[place] &- 48, digit < 10 {
      value = value * 10 + Int(digit)
      place += 1
    }
    return place > start ? value : nil
  }

  /// True if there was a blank.
  @discardableResult
  mutating func skipBlanks(_ text: Span<UInt8>) -> Bool {
    let start = place
    while !atEnd, case let blank = Blanks.length(text, at: place), blank > 0 { place += blank }
    return place > start
  }
}
