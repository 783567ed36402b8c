import Activity
import Site
import Support
import Templates
import Testing

struct WordsTests {
  let words: Words

  init() throws { words = try PageStage().views.words }

  @Test(
    "numbers are grouped, with a true minus",
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (1_000_001, "1,000,001"), (-80, "−80"),
      (-6_385, "−6,385"), (Int.max, "9,223,372,036,854,775,807"), (Int.min, "−9,223,372,036,854,775,808"),
    ])
  func numbers(value: Int, text: String) { #expect(words.number(value) == text) }

  @Test("a value below its goal never prints the goal")
  func floored() {
    #expect(words.number(floored: 499.99) == "499")
    #expect(words.number(floored: 500) == "500")
    #expect(words.number(floored: .infinity) == "0")
    #expect(words.number(rounded: .nan) == "0")
  }

  @Test("percent with a space, and with a sign in comparisons")
  func percent() {
    #expect(words.percent(82) == "82 %")
    #expect(words.percent(1_240) == "1,240 %")
    #expect(words.signedPercent(8) == "+8 %")
    #expect(words.signedPercent(-6) == "−6 %")
    #expect(words.signedPercent(0) == "0 %")
  }

  @Test("dates and ranges say no more than they need")
  func dates() throws {
    let day = MockYear.day("2026-11-26")
    #expect(words.date(day, as: .short) == "Thu 26 Nov")
    #expect(words.date(day, as: .full) == "Thursday 26 November 2026")
    #expect(words.date(day, as: .date) == "26 November 2026")
    #expect(words.range(MockYear.day("2026-11-23")...MockYear.day("2026-11-29")) == "23–29 Nov")
    #expect(words.range(MockYear.day("2026-11-30")...MockYear.day("2026-12-06")) == "30 Nov – 6 Dec")
    #expect(words.range(MockYear.day("2025-12-29")...MockYear.day("2026-01-04")) == "29 Dec 2025 – 4 Jan 2026")
    #expect(words.range(day...day) == "26 Nov")
    let spring = MockYear.day("2026-04-11")...MockYear.day("2026-05-11")
    #expect(words.longRange(spring, thisYear: 2026) == "11 April – 11 May")
    #expect(words.longRange(spring) == "11 April – 11 May 2026")
    #expect(words.longRange(MockYear.day("2026-08-01")...MockYear.day("2026-08-31")) == "1–31 August 2026")
  }

  @Test("times are relative for an hour, then by the clock, then with a date")
  func times() {
    let time = LocalTime(day: MockYear.today, minutes: 999, offset: 3600)
    #expect(time.iso == "2026-11-26T16:39+01:00")
    #expect(LocalTime(day: MockYear.today, minutes: 5, offset: -12_600).iso == "2026-11-26T00:05-03:30")
    #expect(words.ago(20_000, at: time, today: MockYear.today) == "just now")
    #expect(words.ago(-5, at: time, today: MockYear.today) == "just now")
    #expect(words.ago(3 * 60_000, at: time, today: MockYear.today) == "3 min ago")
    #expect(words.ago(61 * 60_000, at: time, today: MockYear.today) == "today, 16:39")
    #expect(words.moment(time, today: MockYear.today + 1) == "yesterday, 16:39")
    #expect(words.moment(time, today: MockYear.today + 3) == "Thu 26 Nov, 16:39")
    #expect(words.moment(time, today: MockYear.today + 300) == "Thu 26 Nov 2026, 16:39")
  }

  @Test("counts choose their plural form")
  func plurals() {
    #expect(words.count(CountText.steps, 1) == "1 step")
    #expect(words.count(CountText.steps, 0) == "0 steps")
    #expect(words.count(CountText.steps, 1_234) == "1,234 steps")
    #expect(words.count(CountText.mean, 25, ("known", "24")) == "mean of 24 of 25 days")
  }

  @Test("a text that models need and the file lacks stops the start")
  func missing() {
    let texts = #"{"number": {"group": ",", "minus": "-", "percent": "{n} %", "none": "-"}}"#
    #expect(throws: TemplateError.self) {
      try Words(language: "en", texts: try Texts(file: "en.json", json: Array(texts.utf8)), areas: [])
    }
    enum Unknown: String, TextKeys { case nothing = "nothing.here" }
    #expect(throws: TemplateError(file: "en.json", line: 0, message: "there is no text \"nothing.here\"")) {
      let file = try Repository.bytes("Views/text/en.json")
      return try Words(language: "en", texts: try Texts(file: "en.json", json: file), areas: [Unknown.self])
    }
  }
}
