/// The one grammar of numbers (merge.md 7): `[+-]digits[.digits][e±digits]` in ASCII after trimming. No `.5`, no `5.`, no
/// comma, no `0x`, no other digits, no inf or nan.
enum Decimal {
  private static let powers: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { value, _ in value * 10 }
  }

  /// The nearest Double; nil if it is not written as a number. Beyond the range of Double it is an infinity.
  static func read(_ text: Span<UInt8>) -> Double? {
    let range = Blanks.trimmed(text)
    var place = range.lowerBound
    var negative = false
    if place < range.upperBound, text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: "+") {
      negative = text[place] == UInt8(ascii: "-")
      place += 1
    }
    var significand: UInt64 = 0
    var digits = 0
    let whole = count(text, &place, range.upperBound, &significand, &digits)
    guard whole > 0 else { return nil }
    var fraction = 0
    if place < range.upperBound, text[place] == UInt8(ascii: ".") {
      place += 1
      fraction = count(text, &place, range.upperBound, &significand, &digits)
      guard fraction > 0 else { return nil }
    }
    guard let exponent = exponent(text, &place, range.upperBound), place == range.upperBound else { return nil }
    let scale = exponent - fraction
    guard digits <= 15, scale >= -22, scale <= 22 else { return slow(text, range) }
    // Both factors are exact, so the one rounding is the right one (Clinger 1990).
    let value = scale < 0 ? Double(significand) / powers[-scale] : Double(significand) * powers[scale]
    return negative && value != 0 ? -value : value
  }

  /// Reads digits; how many there were. Leading zeros are not counted in `digits`, which ends the fast way above 15.
  private static func count(
    _ text: Span<UInt8>, _ place: inout Int, _ end: Int, _ value: inout UInt64, _ digits: inout Int
  ) -> Int {
    let start = place
    while place < end, case let digit = text[place] &- 48, digit < 10 {
      if value > 0 || digit > 0 { digits += 1 }
      if digits <= 15 { value = value * 10 + UInt64(digit) }
      place += 1
    }
    return place - start
  }

  /// The exponent, 0 if there is none, nil if it is broken; far beyond any Double it is cut.
  private static func exponent(_ text: Span<UInt8>, _ place: inout Int, _ end: Int) -> Int? {
    guard place < end, text[place] | 0x20 == UInt8(ascii: "e") else { return 0 }
    place += 1
    var negative = false
    if place < end, text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: "+") {
      negative = text[place] == UInt8(ascii: "-")
      place += 1
    }
    let start = place
    var value = 0
    while place < end, case let digit = text[place] &- 48, digit < 10 {
      value = min(value * 10 + Int(digit), 1_000_000)
      place += 1
    }
    guard place > start else { return nil }
    return negative ? -value : value
  }

  private static func slow(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
    let value = Double(String(decoding: [UInt8](text)[range], as: UTF8.self))
    return value == 0 ? 0 : value
  }
}
