import Activity
import Testing

@Suite("What a day's number means (semantics.md 1)")
struct DayStateTests {
  let today = day("2025-06-15")
  let history = Zones.history("Europe/Berlin")

  private func state(_ date: String, _ shown: Int?, _ coverage: Coverage = Coverage()) -> DayState {
    let states = DayStates(today: today, firstDay: day("2025-06-01"), coverage: coverage)
    return states.state(of: day(date), shown: shown, interval: history.interval(of: day(date)))
  }

  @Test("today is partial, tomorrow is to come, before the first data is nothing")
  func plain() {
    #expect(state("2025-06-15", 4000) == .partial(4000))
    #expect(state("2025-06-15", nil) == .partial(nil))
    #expect(state("2025-06-16", nil) == .future)
    #expect(state("2025-05-20", nil) == .before)
  }

  @Test("a day that is over waits seven days for its end, then has its value")
  func pending() {
    #expect(state("2025-06-14", 4000) == .pending(4000))
    #expect(state("2025-06-08", nil) == .pending(nil))
    #expect(state("2025-06-07", 4000) == .value(4000))
    #expect(state("2025-06-07", nil) == DayState.none)
    let newer = Coverage(newest: at("2025-06-15T08:00:00Z"))
    #expect(state("2025-06-14", 4000, newer) == .value(4000))
    #expect(state("2025-06-13", nil, newer) == DayState.none)
  }

  @Test("zero needs a zero sample or a day declared complete")
  func zero() {
    let whole = history.interval(of: day("2025-06-10"))
    #expect(state("2025-06-10", nil, Coverage(complete: [whole])) == .zero)
    let part = whole.lowerBound..<whole.upperBound.advanced(hours: -1)
    #expect(state("2025-06-10", nil, Coverage(complete: [part])) == .pending(nil))
    #expect(state("2025-06-05", nil, Coverage(complete: [part])) == DayState.none)
    #expect(state("2025-06-05", 0) == .zero)
  }

  @Test("an old day that was never covered to its end is incomplete")
  func incomplete() {
    let states = DayStates(today: today, firstDay: day("2025-06-01"), coverage: Coverage())
    let interval = history.interval(of: day("2025-06-05"))
    #expect(states.isIncomplete(day("2025-06-05"), interval: interval))
    #expect(!states.isIncomplete(day("2025-06-10"), interval: interval))
    var covered = states
    covered.coverage.declare(interval)
    #expect(!covered.isIncomplete(day("2025-06-05"), interval: interval))
  }

  @Test("a day that surely needs no more is covered by the person's clock too")
  func surely() {
    let june = day("2025-06-05")
    for hours in stride(from: -40, through: 80, by: 4) {
      let end = Instant(seconds: Int64(june.number) * 86_400).advanced(hours: hours)
      for coverage in [
        Coverage(newest: end), Coverage(complete: [end.advanced(hours: -90)..<end]),
        Coverage(complete: [end..<end.advanced(hours: 1)]),
      ] {
        let states = DayStates(today: today, firstDay: nil, coverage: coverage)
        if states.surelyReaches(june) { #expect(!states.isIncomplete(june, interval: history.interval(of: june))) }
      }
    }
    #expect(
      DayStates(today: today, firstDay: nil, coverage: Coverage(newest: Instant(milliseconds: .max))).surelyReaches(
        june))
  }

  @Test("coverage joins, takes back and knows its gaps, like a set of minutes")
  func coverage() {
    var random = Seeded(8)
    for _ in 0..<200 {
      var coverage = Coverage()
      var minutes = Set<Int64>()
      for _ in 0..<12 {
        let low = Int64.random(in: 0..<60, using: &random)
        let high = low + Int64.random(in: 0..<15, using: &random)
        let range = Instant(milliseconds: low)..<Instant(milliseconds: high)
        if Int.random(in: 0..<3, using: &random) == 0 {
          coverage.withdraw(range)
          minutes.subtract(low..<high)
        } else {
          coverage.declare(range)
          minutes.formUnion(low..<high)
        }
      }
      let held = coverage.complete.flatMap { $0.lowerBound.milliseconds..<$0.upperBound.milliseconds }
      #expect(held == minutes.sorted())
      for (one, next) in zip(coverage.complete, coverage.complete.dropFirst()) {
        #expect(one.upperBound < next.lowerBound)
      }
      let window = Instant(milliseconds: 5)..<Instant(milliseconds: 50)
      let gaps = coverage.missing(in: window).flatMap { $0.lowerBound.milliseconds..<$0.upperBound.milliseconds }
      #expect(gaps == (5..<50).filter { !minutes.contains($0) })
      #expect(coverage.contains(window) == (5..<50).allSatisfy(minutes.contains))
      #expect(coverage.through?.milliseconds == minutes.max().map { $0 + 1 })
    }
  }
}
