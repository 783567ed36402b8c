/// Instants in HTTP's notation, to the second, always GMT (RFC 9110 5.6.7).
package enum HTTPDate {
  /// IMF-fixdate, 29 bytes: `Sun, 06 Nov 1994 08:49:37 GMT`. Years outside 0…9999 are clamped.
  package static func write(_ secondsSince1970: Int64, into output: inout [UInt8]) {
    let seconds = Swift.min(Swift.max(secondsSince1970, earliest), latest)
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let clock = Int(seconds - day * 86_400)
    let date = civil(from: day)
    // 1 January 1970 was a Thursday.
    let weekday = Int((day % 7 + 7 + 3) % 7)
    append(name: weekdays, weekday, to: &output)
    output.append(ASCII.comma)
    output.append(ASCII.space)
    append(two: date.day, to: &output)
    output.append(ASCII.space)
    append(name: months, date.month - 1, to: &output)
    output.append(ASCII.space)
    append(two: date.year / 100, to: &output)
    append(two: date.year % 100, to: &output)
    output.append(ASCII.space)
    append(two: clock / 3600, to: &output)
    output.append(ASCII.colon)
    append(two: clock / 60 % 60, to: &output)
    output.append(ASCII.colon)
    append(two: clock % 60, to: &output)
    for byte in " GMT".utf8 { output.append(byte) }
  }

  package static func text(_ secondsSince1970: Int64) -> String {
    var bytes: [UInt8] = []
    write(secondsSince1970, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads all three forms: IMF-fixdate, RFC 850 (two-digit years are those nearest before `thisYear` + 50) and asctime.
  /// The weekday's name is not compared with the date. nil for anything else and for dates that do not exist.
  package static func parse(_ text: String, thisYear: Int = 2026) -> Int64? {
    let bytes = Array(text.utf8)
    var scanner = DateScanner(bytes: bytes)
    guard let weekday = scanner.letters() else { return nil }
    let date: Int64?
    if weekday.count == 3, scanner.skip(", ") {
      guard weekdays.contains(weekday) else { return nil }
      date = scanner.fixdate()
    } else if scanner.skip(", ") {
      guard longWeekdays.contains(weekday) else { return nil }
      date = scanner.rfc850(thisYear: thisYear)
    } else {
      guard weekdays.contains(weekday), scanner.skip(" ") else { return nil }
      date = scanner.asctime()
    }
    return scanner.isAtEnd ? date : nil
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  static let longWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  /// 0000-01-01 and the last second of 9999.
  static let earliest: Int64 = -62_167_219_200
  static let latest: Int64 = 253_402_300_799

  /// Days since 1970-01-01 of a date of the Gregorian calendar.
  static func days(year: Int, month: Int, day: Int) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return Int64(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
  }

  static func civil(from days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func append(two number: Int, to output: inout [UInt8]) {
    output.append(48 &+ UInt8(truncatingIfNeeded: number / 10 % 10))
    output.append(48 &+ UInt8(truncatingIfNeeded: number % 10))
  }

  private static func append(name names: [String], _ index: Int, to output: inout [UInt8]) {
    guard names.indices.contains(index) else { return }
    for byte in names[index].utf8 { output.append(byte) }
  }
}

/// Walks over the text of a date; every step says whether it found what it looked for.
private struct DateScanner {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func letters() -> String? {
    let start = position
    while position < bytes.count, bytes[position] | 0x20 >= 97, bytes[position] | 0x20 <= 122 { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  mutating func skip(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard bytes.count - position >= digits else { return nil }
    var value = 0
    for _ in 0..<digits {
      let digit = bytes[position] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
      position += 1
    }
    return value
  }

  mutating func month() -> Int? { letters().flatMap(HTTPDate.months.firstIndex(of:)).map { $0 + 1 } }

  mutating func clock() -> Int? {
    guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
      let second = number(digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + Swift.min(second, 59)
  }

  mutating func fixdate() -> Int64? {
    guard let day = number(digits: 2), skip(" "), let month = month(), skip(" "), let year = number(digits: 4),
      skip(" "), let clock = clock(), skip(" GMT")
    else { return nil }
    return instant(year, month, day, clock)
  }

  mutating func rfc850(thisYear: Int) -> Int64? {
    guard let day = number(digits: 2), skip("-"), let month = month(), skip("-"), let short = number(digits: 2),
      skip(" "), let clock = clock(), skip(" GMT")
    else { return nil }
    var year = thisYear - thisYear % 100 + short
    if year > thisYear + 50 { year -= 100 }
    return instant(year, month, day, clock)
  }

  mutating func asctime() -> Int64? {
    guard let month = month(), skip(" "), let day = skip(" ") ? number(digits: 1) : number(digits: 2), skip(" "),
      let clock = clock(), skip(" "), let year = number(digits: 4)
    else { return nil }
    return instant(year, month, day, clock)
  }

  private func instant(_ year: Int, _ month: Int, _ day: Int, _ clock: Int) -> Int64? {
    guard day >= 1 else { return nil }
    let days = HTTPDate.days(year: year, month: month, day: day)
    guard HTTPDate.civil(from: days) == (year, month, day) else { return nil }
    return days * 86_400 + Int64(clock)
  }
}
