/// A date of the proleptic Gregorian calendar without time or zone: days since 1970-01-01.
@usableFromInline
package struct CivilDay: Hashable, Comparable, Sendable {
  @usableFromInline package var number: Int32

  @inlinable
  package init(number: Int32) { self.number = number }

  /// Nil when the date does not exist (30 February) or the year is outside 1…9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= CivilDay.daysInMonth(month, year: year) else { return nil }
    number = CivilDay.number(year: year, month: month, day: day)
  }

  /// Reads exactly `YYYY-MM-DD`.
  package init?(iso text: some StringProtocol) {
    var fields = [0, 0, 0]
    var field = 0
    var place = 0
    for byte in text.utf8 {
      if place == 4 || place == 7 {
        guard byte == UInt8(ascii: "-") else { return nil }
        field += 1
      } else {
        guard byte >= 48, byte <= 57, place < 10 else { return nil }
        fields[field] = fields[field] * 10 + Int(byte - 48)
      }
      place += 1
    }
    guard place == 10 else { return nil }
    self.init(year: fields[0], month: fields[1], day: fields[2])
  }

  package var year: Int { parts.year }
  package var month: Int { parts.month }
  package var day: Int { parts.day }

  /// 0 = Monday … 6 = Sunday.
  package var weekday: Int {
    let shifted = (Int(number) + 3) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// Year, month 1…12 and day of the month 1…31.
  package var parts: (year: Int, month: Int, day: Int) {
    let shifted = Int(number) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// `2025-06-10`.
  package var iso: String {
    let (year, month, day) = parts
    return CivilDay.padded(year, to: 4) + "-" + CivilDay.padded(month, to: 2) + "-" + CivilDay.padded(day, to: 2)
  }

  @inlinable
  package static func < (one: CivilDay, other: CivilDay) -> Bool { one.number < other.number }

  // Without these the others are asked through the protocol.
  @inlinable
  package static func == (one: CivilDay, other: CivilDay) -> Bool { one.number == other.number }
  @inlinable
  package static func > (one: CivilDay, other: CivilDay) -> Bool { one.number > other.number }
  @inlinable
  package static func <= (one: CivilDay, other: CivilDay) -> Bool { one.number <= other.number }
  @inlinable
  package static func >= (one: CivilDay, other: CivilDay) -> Bool { one.number >= other.number }

  @inlinable
  package static func + (day: CivilDay, days: Int) -> CivilDay {
    CivilDay(number: day.number &+ Int32(truncatingIfNeeded: days))
  }

  @inlinable
  package static func - (day: CivilDay, days: Int) -> CivilDay { day + (0 &- days) }

  /// Days from `other` to `day`.
  @inlinable
  package static func - (day: CivilDay, other: CivilDay) -> Int { Int(day.number) &- Int(other.number) }

  package static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func number(year: Int, month: Int, day: Int) -> Int32 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(truncatingIfNeeded: era * 146_097 + dayOfEra - 719_468)
  }

  private static func padded(_ value: Int, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension CivilDay: Strideable {
  @usableFromInline package func distance(to other: CivilDay) -> Int { other - self }
  @usableFromInline package func advanced(by days: Int) -> CivilDay { self + days }
}
