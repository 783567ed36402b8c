import Activity
import Bytes
import Templates

/// A grouped number that becomes text only on the page.
struct NumberWord: Wording {
  let value: Int
  let words: Words

  func spell(into out: inout [UInt8]) { words.append(value, to: &out) }
}

/// A date that becomes text only on the page.
struct DateWord: Wording {
  let day: CivilDay
  let pattern: DatePattern
  let words: Words

  func spell(into out: inout [UInt8]) { words.append(day, as: pattern, to: &out) }
}

/// `2026-11-26`, for `<time datetime>`.
struct ISOWord: Wording {
  let day: CivilDay

  func spell(into out: inout [UInt8]) { out.append(iso: day) }
}

extension [UInt8] {
  /// `2026-11-26`.
  mutating func append(iso day: CivilDay) {
    let (year, month, number) = day.parts
    append(padded: year, width: 4)
    append(UInt8(ascii: "-"))
    append(padded: month, width: 2)
    append(UInt8(ascii: "-"))
    append(padded: number, width: 2)
  }
}
