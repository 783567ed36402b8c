import Activity
import Templates

/// The card with today's steps: number, goal, hours.
struct TodaySteps: PageModel {
  let goal: String
  let settings: String
  let number: String
  let note: String
  let meter: GoalMeter?
  let hours: HourCard?

  init(_ input: TodayInput, usual: UsualDay?, words: Words) {
    let entry = input.entry
    let slots = input.hours[input.today] ?? []
    settings = Route.settings.address
    goal =
      entry.goal.map { words.text(TodayText.goal, ("n", words.number(rounded: $0))) } ?? words.text(TodayText.noGoal)
    guard let steps = entry.state.number else {
      number = words.none
      note = words.text(TodayText.unknown)
      (meter, hours) = (nil, nil)
      return
    }
    number = words.number(steps)
    note = Self.note(steps, goal: entry.goal, slots, words)
    meter = entry.goal.flatMap { goal in
      guard goal > 0 else { return nil }
      let percent = Int(exactly: (100 * Double(steps) / goal + 1e-6).rounded(.down)) ?? 0
      return GoalMeter(
        fraction: Double(steps) / goal,
        title: words.text(
          TodayText.meter, ("percent", words.percent(percent)), ("n", words.number(rounded: goal))))
    }
    hours = slots.isEmpty ? nil : HourCard(slots, input: input, usual: usual, words: words)
  }

  private static func note(_ steps: Int, goal: Double?, _ slots: [Slot], _ words: Words) -> String {
    guard let goal, goal > 0 else { return words.text(TodayText.noGoal) }
    guard Double(steps) >= goal else {
      return words.text(TodayText.toGo, ("n", words.number(rounded: (goal - Double(steps)).rounded(.up))))
    }
    return words.text(TodayText.goalReached, ("when", words.goalReached(slots, goal: goal) ?? ""))
  }

  static let fields = Fields<TodaySteps>(
    .text("goal", \.goal), .text("settings", \.settings), .text("number", \.number), .text("note", \.note),
    .optional("meter", \.meter), .optional("hours", \.hours))
}

extension GoalMeter: PageModel {
  static let fields = Fields<GoalMeter>(.drawing("picture", \.self))
}

/// Today by hour, beside the usual course of the same weekday.
struct HourCard: PageModel {
  let chart: BarChart
  let usual: String?
  let rows: [NamedValue]

  init(_ slots: [Slot], input: TodayInput, usual usualDay: UsualDay?, words: Words) {
    let passed = slots.filter { Int($0.start) <= input.elapsed }
    var chart = BarChart(
      id: "ht", title: words.text(HourText.title),
      description: Self.description(passed, hasUsual: usualDay != nil, words),
      columns: slots.map { slot in
        if Int(slot.start) > input.elapsed { return BarChart.Column(bar: .empty, title: "") }
        let isOver = Int(slot.start) + Int(slot.length) <= input.elapsed
        return BarChart.Column(bar: isOver ? .value(slot.share) : .partial(slot.share), title: words.column(slot))
      }, labels: hourLabels(slots), heightClass: "h-s")
    if let usualDay {
      chart.lines = [
        .usual(slots.map { usualDay.hours.indices.contains(Int($0.hour)) ? usualDay.hours[Int($0.hour)] : nil })
      ]
    }
    self.chart = chart
    usual = usualDay.map { _ in
      words.text(TodayText.usualWeekday, ("weekday", words.weekday(input.today.weekday)))
    }
    rows = passed.map { NamedValue(name: words.hours($0), value: words.number(shownSteps($0.share))) }
  }

  private static func description(_ slots: [Slot], hasUsual: Bool, _ words: Words) -> String {
    let sentences = [
      words.text(HourText.descriptionToday), words.busiest(slots) ?? words.text(HourText.nothing),
      hasUsual ? words.text(HourText.usualLine) : nil,
    ]
    return sentences.compactMap { $0 }.joined(separator: " ")
  }

  static let fields = Fields<HourCard>(.drawing("chart", \.chart), .text("usual", \.usual), .list("rows", \.rows))
}
