import Activity
import Testing

@Suite("Streaks (semantics.md 4)")
struct StreakTests {
  static let today = day("2025-06-15")

  static func marks(_ text: String) -> [DayMark] {
    text.split(separator: " ").map { word in
      switch word {
      case "m": .met
      case "x": .missed
      case "p": .paused
      case "w": .pending
      case "o": .open
      default: .none
      }
    }
  }

  static let vectors: [(String, Int, Int, Bool)] = [
    ("m m m o", 3, 3, false), ("m m x m m", 2, 2, false), ("m m p m o", 3, 3, false), ("m p p p o", 1, 1, false),
    ("m m w o", 2, 2, true), ("x w m", 1, 1, true), ("m m m x o", 0, 3, false), ("p p o", 0, 0, false),
    ("– m", 1, 1, false), ("m m w m", 3, 3, true), ("m – m", 1, 1, false), ("", 0, 0, false), ("w x m", 1, 1, false),
    ("p m p m p", 2, 2, false),
  ]

  @Test("every vector", arguments: vectors)
  func vector(text: String, current: Int, longest: Int, waiting: Bool) {
    let streak = Streak(marks: Self.marks(text), today: Self.today)
    #expect(streak.length == current)
    #expect(streak.longest?.length ?? 0 == longest)
    #expect((streak.waitingSince != nil) == waiting)
  }

  @Test("the vectors hold for facts of days, kind by kind", arguments: vectors, StreakKind.all)
  func vectorOfFacts(vector: (String, Int, Int, Bool), kind: StreakKind) {
    let marks = Self.marks(vector.0)
    let first = Self.today - (marks.count - 1)
    let facts = DayFacts(first: first, facts: marks.map { fact(for: $0, kind) })
    let pending = marks.enumerated().filter { $0.element == .pending }.map { first + $0.offset }
    let streak = facts.streak(kind, today: Self.today) { pending.contains($0) }
    #expect(streak.length == vector.1)
    #expect(streak.longest?.length ?? 0 == vector.2)
    #expect((streak.waitingSince != nil) == vector.3)
  }

  private func fact(for mark: DayMark, _ kind: StreakKind) -> DayFact {
    let summary = { (value: Double) in
      Rings(
        ActivitySummary(
          day: Self.today, moveMode: .energy, move: RingValue(value: value, goal: 10),
          exercise: RingValue(value: value, goal: 10), stand: RingValue(value: value, goal: 10)))
    }
    switch mark {
    case .met: return DayFact(shown: 10, stepsGoal: 10, rings: summary(10), paused: false)
    case .missed, .open: return DayFact(shown: 3, stepsGoal: 10, rings: summary(3), paused: false)
    case .paused: return DayFact(shown: 3, stepsGoal: 10, rings: summary(3), paused: true)
    case .pending, .none: return []
    }
  }

  @Test("dates of the runs are those of their first and last met day")
  func dates() {
    let streak = Streak(marks: Self.marks("m m x p m w m o"), today: Self.today)
    #expect(streak.current == Run(length: 2, first: day("2025-06-12"), last: day("2025-06-14")))
    #expect(streak.longest == Run(length: 2, first: day("2025-06-08"), last: day("2025-06-09")))
    #expect(streak.waitingSince == day("2025-06-13"))
  }

  @Test("years of facts read in one go give what day after day gives")
  func fastPath() {
    var random = Seeded(3)
    for _ in 0..<60 {
      let count = Int.random(in: 1...900, using: &random)
      let facts = DayFacts(
        first: Self.today - (count - 1) + [0, 0, 3].pick(&random),
        facts: (0..<count).map { _ in
          DayFact(rawValue: [UInt16.random(in: 0..<1024, using: &random), 0x3fb, 0x3fb, 0x3fb].pick(&random))
        })
      let awaited = Set((0..<8).filter { _ in Bool.random(using: &random) }.map { Self.today - $0 })
      for kind in StreakKind.all {
        var slow = StreakTally()
        for date in facts.first...Self.today {
          let recent = Self.today - date <= 7 && awaited.contains(date)
          slow.add(facts.mark(kind, on: date, today: Self.today, awaited: recent), on: date)
        }
        #expect(facts.streak(kind, today: Self.today) { awaited.contains($0) } == slow.streak)
      }
    }
  }

  @Test("after seven days a day that nobody sent ends the streak, and late data heals it")
  func patience() {
    let count = 12
    var facts = [DayFact](repeating: [.steps, .stepsMet], count: count)
    facts[3] = []
    let first = Self.today - (count - 1)
    let broken = DayFacts(first: first, facts: facts).streak(.steps, today: Self.today) { _ in true }
    #expect(broken.length == 8)
    facts[3] = [.steps, .stepsMet]
    #expect(DayFacts(first: first, facts: facts).streak(.steps, today: Self.today) { _ in true }.length == 12)
    facts[5] = []
    let waiting = DayFacts(first: first, facts: facts).streak(.steps, today: Self.today) { _ in true }
    #expect(waiting.length == 11)
    #expect(waiting.waitingSince == first + 5)
  }

  @Test("weeks with the weekly goal met make a streak that this week never breaks")
  func weeks() {
    let first = Week(containing: Self.today, start: 0)
    let weeks = { (sums: [Int?]) in
      sums.enumerated().map { place, sum in
        WeekStanding(week: Week(first: first.first - 7 * (sums.count - 1 - place)), sum: sum, goal: 50_000)
      }
    }
    #expect(Streak(weeks: weeks([60_000, 50_000, 10_000]), today: Self.today).length == 2)
    #expect(Streak(weeks: weeks([60_000, 49_999, 70_000]), today: Self.today).length == 1)
    #expect(Streak(weeks: weeks([60_000, nil, 70_000]), today: Self.today).length == 1)
    var paused = weeks([60_000, 20_000, 70_000])
    paused[1].hasPause = true
    #expect(Streak(weeks: paused, today: Self.today).length == 2)
  }
}
