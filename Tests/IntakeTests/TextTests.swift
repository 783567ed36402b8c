import Activity
import Testing

@testable import Intake

private func decimal(_ text: String) -> Double? { Decimal.read(Array(text.utf8).span) }
private func instant(_ text: String) -> Int64? { Timestamp.read(Array(text.utf8).span)?.milliseconds }
private func name(_ text: String) -> String { SourceName.normal(Array(text.utf8).span) }

@Suite("Text of numbers, dates and names")
struct TextTests {
  @Test("numbers are the nearest double of what is written")
  func numbers() {
    let texts = [
      "0", "1", "7369.1420323996308", "0.1", "123456789012345678901234567890", "1e22", "1e23", "1.7976931348623157e308",
      "4.9406564584124654e-324", "9007199254740993", "0.000001", "2.2250738585072011e-308", "8.5e-17",
      "1234567890.12345",
    ]
    for text in texts { #expect(decimal(text) == Double(text), "\(text)") }
    #expect(decimal("1e999999999999999999999") == .infinity)
    #expect(decimal("-1e999999999999999999999") == -.infinity)
    #expect(decimal("1e-999999999999999999999") == 0)
    #expect(decimal("-0")?.sign == .plus)
  }

  @Test("random numbers agree with the library's own reading")
  func randomNumbers() {
    var random = FixedRandom(state: 1)
    for _ in 0..<5000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = "\(value)"
      #expect(decimal(text) == value, "\(text)")
      let short = "\(Int.random(in: 0..<1_000_000, using: &random)).\(Int.random(in: 0..<10_000, using: &random))"
      #expect(decimal(short) == Double(short), "\(short)")
    }
  }

  @Test("what is no number is none")
  func noNumbers() {
    for text in ["", " ", "+", "-", ".", "e", "1.", ".1", "1,0", "1e", "1e+", "0x1", "nan", "∞", "1 2", "1\0", "²"] {
      #expect(decimal(text) == nil, "\(text)")
    }
  }

  @Test("dates are instants whatever their offset and form")
  func dates() {
    let noon: Int64 = 1_749_556_800_000
    let forms = [
      "2025-06-10 08:00:00 -0400", "2025-06-10 12:00:00 +0000", "20250610080000-0400", "2025-06-10T12:00:00Z",
      "2025-6-10  8:0:0  -04:00", "2025-06-10 17:45:00 +0545", "20250610T120000Z",
      "2025-06-10\u{A0}12:00:00\u{202F}+00",
    ]
    for form in forms { #expect(instant(form) == noon, "\(form)") }
    #expect(instant("2025-06-10 12:00:00.0004 +0000") == noon)
    #expect(instant("2025-06-10 12:00:00.0005 +0000") == noon + 1)
    #expect(instant("2025-06-10 12:00:00.25 +0000") == noon + 250)
    #expect(instant("2025-06-10 11:59:59.9996 +0000") == noon)
  }

  @Test("dates in the form of phones' own encoders are what the same date in any other form is")
  func plainDates() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      func number(_ range: ClosedRange<Int>, _ width: Int = 2) -> String {
        let digits = String(Int.random(in: range, using: &random))
        return String(repeating: "0", count: width - digits.count) + digits
      }
      // Some of them do not exist.
      let date = "\(number(1...2100, 4))-\(number(0...13))-\(number(0...32))"
      let time = "\(number(0...25)):\(number(0...61)):\(number(0...61))"
      let fraction = Bool.random(using: &random) ? "." + number(0...999, 3) : ""
      #expect(
        instant("\(date)T\(time)\(fraction)Z") == instant("\(date) \(time)\(fraction) +0000"),
        "\(date) \(time)\(fraction)")
    }
    for broken in [
      "2025-06-10T12:00:0xZ", "2025-06-10T12:00:00.12xZ", "2025-06-10T12:00:00x123Z", "2025-06-10T12:00:00.123z+",
      "2025_06-10T12:00:00Z", "-025-06-10T12:00:00Z",
    ] { #expect(instant(broken) == nil, "\(broken)") }
  }

  @Test("calendar days are dates alone")
  func days() {
    let read = { (text: String) in Timestamp.readDay(Array(text.utf8).span)?.iso }
    #expect(read("2025-06-10") == "2025-06-10")
    #expect(read(" 2025-6-1 ") == "2025-06-01")
    #expect(read("2025-06-10 08:00:00 -0400") == nil)
    #expect(read("2025-02-30") == nil)
    #expect(read("20250610") == nil)
  }

  @Test("a name is the same in every normal form and with every kind of blank")
  func names() {
    #expect(name("Zoe\u{301}\u{A0}Ring\u{202F}") == "Zoé Ring")
    #expect(Array(name("Zoe\u{301}").utf8) == Array("Zo\u{E9}".utf8))
    #expect(name(" \u{A0}\u{3000} ") == "")
    #expect(name("  two  words ") == "two  words")
    #expect(name("👨‍👩‍👧 ring") == "👨‍👩‍👧 ring")
  }

  @Test("fields of a device text begin at a comma, blanks and a word with a colon")
  func devices() {
    let text = "<<HKDevice: 0x1>, name:A, B:C, manufacturer:Apple Inc., model:Watch, hardware:Watch7,9, software:11.5>"
    let device = DeviceText(text)
    #expect(device.isApples && device.model == "Watch" && device.software == "11.5")
    #expect(DeviceText("") == DeviceText("<<HKDevice>"))
    #expect(!DeviceText("manufacturer:apple inc.").isApples)
  }

  @Test("the class of a source without a device comes from words in its name")
  func classes() {
    let watches = ["Ada’s Apple Watch", "APPLEWATCH", "apple \u{A0}watch iphone"]
    let phones = ["iPhone", "Ada's iPad", "the-iPod!", "(IPHONE)"]
    let others = ["Watch", "iPhones", "myiPhone", "i Phone", "iphone_2", "Мойiphone", "", "Apple  Wat ch"]
    for name in watches { #expect(AppleSource.byName(name) == .watch, "\(name)") }
    for name in phones { #expect(AppleSource.byName(name) == .phone, "\(name)") }
    for name in others { #expect(AppleSource.byName(name) == .other, "\(name)") }
  }
}

/// SplitMix64 with a fixed seed.
private struct FixedRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
