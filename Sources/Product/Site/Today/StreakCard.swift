import Activity
import Templates

/// Texts of streaks.
package enum StreakText: String, TextKeys {
  case moveGoal = "streak.moveGoal"
  case moveMinutesGoal = "streak.moveMinutesGoal"
  case stepGoal = "streak.stepGoal"
  case inARow = "streak.inARow"
  case lastDays = "streak.lastDays"
  case met = "streak.met"
  case missed = "streak.missed"
  case paused = "streak.paused"
  case pending = "streak.pending"
  case open = "streak.open"
  case none = "streak.none"
  case waiting = "streak.waiting"
  case todayMet = "streak.todayMet"
  case todayMove = "streak.todayMove"
  case todaySteps = "streak.todaySteps"
  case todayPaused = "streak.todayPaused"
  case todayOpen = "streak.todayOpen"
  case longest = "streak.longest"
  case days = "streak.days"
  case noneYet = "streak.noneYet"
  case allRings = "streak.allRings"
  case thisWeek = "streak.thisWeek"
  case dot = "streak.dot"
}

/// Consecutive days that met a goal.
struct StreakCard: PageModel {
  let goal: String
  let number: String
  let unit: String
  let label: String
  let dots: [StreakDot]
  /// What today still needs, and what data is waited for.
  let note: String
  let waiting: String?
  let figures: [Figure]

  init(_ input: TodayInput, words: Words) {
    let streak = input.streak
    let minutes = input.entry.rings?.moveMode == .minutes
    goal = words.text(
      input.streakKind == .steps ? StreakText.stepGoal : minutes ? .moveMinutesGoal : .moveGoal)
    number = words.number(streak.length)
    unit = words.count(StreakText.inARow, streak.length)
    label = words.text(StreakText.lastDays, ("goal", goal), ("n", String(input.marks.count)))
    let first = input.today - (input.marks.count - 1)
    dots = input.marks.enumerated().map { StreakDot($0.element, on: first + $0.offset, words: words) }
    note = Self.note(input, words)
    waiting = streak.waitingSince.map {
      words.text(StreakText.waiting, ("date", words.date($0, as: .short)))
    }
    figures = [Self.longest(streak, input.today, words), Self.allRings(input.almanac, words)].compactMap { $0 }
  }

  private static func note(_ input: TodayInput, _ words: Words) -> String {
    switch input.marks.last {
    case .met: return words.text(StreakText.todayMet)
    case .paused: return words.text(StreakText.todayPaused)
    default: break
    }
    let entry = input.entry
    if input.streakKind == .steps, let goal = entry.goal, goal > 0 {
      let left = max(0, goal - Double(entry.state.number ?? 0)).rounded(.up)
      return words.text(
        StreakText.todaySteps, ("goal", words.number(rounded: goal)), ("left", words.number(rounded: left)))
    }
    guard let rings = entry.rings, let move = rings.move else { return words.text(StreakText.todayOpen) }
    return words.text(
      StreakText.todayMove, ("ring", words.ringName(.move, rings.moveMode)),
      ("goal", words.number(rounded: move.goal)), ("unit", words.ringUnit(.move, rings.moveMode)),
      ("left", words.number(rounded: max(0, move.goal - move.value).rounded(.up))))
  }

  private static func longest(_ streak: Streak, _ today: CivilDay, _ words: Words) -> Figure {
    guard let run = streak.longest else {
      return Figure(
        name: words.text(StreakText.longest), value: words.none, note: words.text(StreakText.noneYet))
    }
    return Figure(
      name: words.text(StreakText.longest), value: words.number(run.length),
      unit: words.count(StreakText.days, run.length),
      note: words.longRange(run.first...run.last, thisYear: today.year))
  }

  /// Finished days of this week with rings; nil when there is none.
  private static func allRings(_ almanac: Almanac, _ words: Words) -> Figure? {
    let week = Week(containing: almanac.today, start: almanac.weekStart)
    let days = almanac[week.days].filter { $0.day < almanac.today && $0.knownRings != nil }
    guard !days.isEmpty else { return nil }
    return Figure(
      name: words.text(StreakText.allRings),
      value: words.number(days.filter { $0.knownRings?.allClosed == true }.count),
      unit: words.ofDays(days.count), note: words.text(StreakText.thisWeek))
  }

  static let fields = Fields<StreakCard>(
    .text("goal", \.goal), .text("number", \.number), .text("unit", \.unit), .text("label", \.label),
    .list("dots", \.dots), .text("note", \.note), .text("waiting", \.waiting), .list("figures", \.figures))
}

/// One of the last days in the row of dots.
struct StreakDot: PageModel {
  /// Name of the look, of the stylesheet; nil for a met day.
  let look: String?
  let text: String

  init(_ mark: DayMark, on day: CivilDay, words: Words) {
    let key: StreakText
    (look, key) =
      switch mark {
      case .met: (nil, .met)
      case .missed: ("no", .missed)
      case .paused: ("pause", .paused)
      case .pending: ("wait", .pending)
      case .open: ("open", .open)
      case .none: ("none", .none)
      }
    text = words.text(
      StreakText.dot, ("date", words.date(day, as: .short)), ("state", words.text(key)))
  }

  static let fields = Fields<StreakDot>(.text("look", \.look), .text("text", \.text))
}
