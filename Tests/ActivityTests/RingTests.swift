import Activity
import Testing

@Suite("Rings (merge.md 9)")
struct RingTests {
  private func summary(_ move: (Double, Double?)?, _ exercise: (Double, Double?)?, _ stand: (Double, Double?)?)
    -> ActivitySummary
  {
    let ring = { (pair: (Double, Double?)?) in pair.map { RingValue(value: $0.0, goal: $0.1) } }
    return ActivitySummary(
      day: day("2025-06-10"), moveMode: .energy, move: ring(move), exercise: ring(exercise), stand: ring(stand))
  }

  @Test("percent is rounded down and not capped; closed is exact but for the noise of doubles")
  func percent() throws {
    let rings = Rings(summary((499.999, 500), (0.1 + 0.2, 0.3), (27, 12)))
    #expect(try #require(rings.move).percent == 99)
    #expect(try #require(rings.move).closed == false)
    #expect(try #require(rings.exercise).percent == 100)
    #expect(try #require(rings.exercise).closed)
    #expect(try #require(rings.stand).percent == 225)
    #expect(try #require(rings.stand).fraction == 2.25)
    #expect(!rings.allClosed)
  }

  @Test("no goal is no ring, and all rings are those that have a goal")
  func noGoal() {
    let rings = Rings(summary((300, 0), (31, 30), (12, 12)))
    #expect(rings.move == nil)
    #expect(rings.allClosed)
    #expect(!Rings(summary((300, nil), nil, nil)).allClosed)
    #expect(Rings(summary((.nan, 30), (1, .infinity), nil)).move == nil)
  }

  @Test("a ring that came without a goal takes the person's own goal of that day")
  func ownGoals() {
    let goals = Goals([
      Goal(type: .activeEnergyBurned, since: day("2025-06-01"), value: 400),
      Goal(type: .appleExerciseTime, since: day("2025-06-11"), value: 20),
    ])
    let rings = Rings(summary((300, nil), (31, nil), (12, 12)), goals: goals)
    #expect(rings.move?.goal == 400 && rings.move?.percent == 75)
    #expect(rings.exercise == nil)
    #expect(Rings(summary((300, 500), nil, nil), goals: goals).move?.goal == 500)
  }

  @Test("all zero without a Move goal is a watch that was never set up")
  func empty() {
    #expect(summary((0, 0), (0, 30), (0, 12)).isEmpty)
    #expect(!summary((0, 500), (0, 30), (0, 12)).isEmpty)
    #expect(!summary((1, nil), nil, nil).isEmpty)
  }

  @Test("a paused day makes the week paused, seven closed days make it perfect")
  func weeks() {
    let marks = StreakTests.marks
    #expect(WeekOutcome(marks("m m m m m m m"), isOver: true) == .perfect)
    #expect(WeekOutcome(marks("m m m x p m m"), isOver: true) == .paused)
    #expect(WeekOutcome(marks("m m m – m m m"), isOver: true) == .missed)
    #expect(WeekOutcome(marks("m m m o"), isOver: false) == .open)
    #expect(WeekOutcome(marks("m m x o"), isOver: false) == .missed)
    #expect(WeekOutcome(marks("m m m m w m m"), isOver: true) == .open)
  }

  @Test("awards are earned, counted and dated from the days as they stand")
  func awards() throws {
    let first = day("2025-06-02")
    let today = first + 37
    var steps: [CivilDay: Int] = [:]
    var rings: [CivilDay: Rings] = [:]
    var facts: [DayFact] = []
    for date in first...today {
      steps[date] = date == first + 20 ? 100 : 60_000
      rings[date] = Rings(summary((date == first + 3 ? 1600 : 500, 500), (30, 30), (12, 12)))
      facts.append(DayFact(shown: steps[date], stepsGoal: 10_000, rings: rings[date], paused: false))
    }
    let awards = Awards(
      facts: DayFacts(first: first, facts: facts), steps: steps, rings: rings, today: today, weekStart: 0
    ).earned
    let find = { (award: Award) in awards.first { $0.award == award } }
    #expect(find(.streak(.steps, days: 7))?.times == 2)
    #expect(find(.streak(.steps, days: 7))?.first == first + 6)
    #expect(find(.streak(.allRings, days: 30))?.first == first + 29)
    #expect(find(.perfectWeek(.steps))?.times == 4)
    #expect(find(.perfectWeek(.allRings))?.times == 5)
    #expect(find(.perfectMonth(.allRings)) == nil)
    #expect(find(.moveGoal(times: 3))?.first == first + 3)
    #expect(find(.moveGoal(times: 4)) == nil)
    #expect(find(.lifetime(millions: 1))?.first == first + 16)
    #expect(find(.lifetime(millions: 2)) != nil && find(.lifetime(millions: 5)) == nil)
    #expect(Awards.nextMilestone(after: 1000) == 1250 && Awards.nextMilestone(after: 1250) == 1500)
  }
}
