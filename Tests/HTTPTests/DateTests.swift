import HTTP
import Testing

@Suite("Dates")
struct DateTests {
  @Test(
    "the three forms of RFC 9110 name the same instant",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func threeForms(text: String) {
    #expect(HTTPDate.parse(text) == 784_111_777)
  }

  @Test(
    "dates are written as IMF-fixdate",
    arguments: [
      (0 as Int64, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
      (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
  func written(seconds: Int64, text: String) {
    #expect(HTTPDate.text(seconds) == text)
  }

  @Test("what is written is read again")
  func roundTrip() {
    var random = Seeded(state: 5)
    for _ in 0..<2_000 {
      let seconds = Int64(random.next() % 315_000_000_000) - 62_000_000_000
      #expect(HTTPDate.parse(HTTPDate.text(seconds)) == seconds)
    }
  }

  @Test("two-digit years lie at most fifty years ahead")
  func shortYears() {
    #expect(HTTPDate.parse("Friday, 01-Jan-77 00:00:00 GMT", thisYear: 2026) == 220_924_800)
    #expect(HTTPDate.parse("Friday, 01-Jan-76 00:00:00 GMT", thisYear: 2026) == 3_345_062_400)
  }

  @Test(
    "anything else is no date",
    arguments: [
      "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov -994 08:49:37 GMT", "Sun Nov  6 08:49:37 94",
      "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "99999999999999999999",
    ])
  func refused(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }
}
