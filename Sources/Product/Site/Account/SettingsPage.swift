import Activity
import Consent
import People
import Storage
import Templates

struct SettingsPage: PageModel {
  /// What was saved just now, as it stands in the address.
  enum Saved: String {
    case name, goals, display, sources, manual, pause, pauseRemoved = "pause-removed", password
  }

  let frame: Frame
  let form: String
  let saved: String?
  let counting: String?
  let problem: String?
  let stepGoal: Entry
  let zones: [Choice]
  let weekStarts: [Choice]
  let themes: [Choice]
  let sources: [SourceRow]
  let hasSources: Bool
  let hasOwnOrder: Bool
  let countsManual: Bool
  let name: Entry
  let login: String
  let sessionCount: String
  let pauses: [PauseRow]
  let hasPauses: Bool
  let pauseFrom: String
  let pauseTo: String
  let pauseProblem: String?
  let links = SettingsLinks()

  init(
    frame: Frame, form: String, opened: Opened<SettingsRows>, entries: SettingsEntries, saved: Saved?,
    today: CivilDay, zones offered: [String], words: Words
  ) {
    let (settings, rows) = (opened.settings, opened.value)
    self.frame = frame
    self.form = form
    self.saved = saved.map { words.text(SettingsText.of($0)) }
    counting = rows.staleDays > 0 ? words.count(SettingsText.counting, rows.staleDays) : nil
    problem = entries.fault.map { _ in words.text(SettingsText.notSaved) }
    let goal = rows.goals.daily(.stepCount, on: today) ?? Goals.defaultSteps
    stepGoal = Entry(
      value: entries.stepGoal ?? words.number(rounded: goal),
      problem: entries.fault == .stepGoal ? words.text(SettingsText.badGoal) : nil)
    let names = offered.contains(settings.zone) ? offered : [settings.zone] + offered
    zones = names.map { Choice(value: $0, label: $0, isChosen: $0 == settings.zone) }
    weekStarts = WeekStart.choices(chosen: settings.weekStart, words: words)
    themes = [(Theme.system, SettingsText.themeSystem), (.light, .themeLight), (.dark, .themeDark)].map {
      Choice(value: String($0.0.rawValue), label: words.text($0.1), isChosen: $0.0 == settings.theme)
    }
    let ordered = SourceOrder.distinct(rows.sources)
    sources = ordered.indices.map { SourceRow(ordered, $0, form: form, words: words) }
    hasSources = !ordered.isEmpty
    hasOwnOrder = ordered.contains { $0.position != nil }
    countsManual = settings.includeManual
    name = Entry(
      value: entries.name ?? settings.displayName,
      problem: entries.fault == .name ? words.text(SetUpText.badName) : nil)
    login = words.text(SettingsText.login, ("login", rows.login))
    sessionCount = words.count(SettingsText.sessions, rows.sessions.count)
    pauses = rows.pauses.map { PauseRow($0, today: today, form: form, words: words) }
    hasPauses = !pauses.isEmpty
    pauseFrom = entries.pause.from ?? today.iso
    pauseTo = entries.pause.to ?? today.iso
    pauseProblem =
      switch entries.fault {
      case .pause: words.text(SettingsText.badPause)
      case .pauseOverlaps: words.text(SettingsText.pauseOverlaps)
      default: nil
      }
  }

  static let fields = Fields<SettingsPage>(
    .part("frame", \.frame), .text("form", \.form), .text("saved", \.saved), .text("counting", \.counting),
    .text("problem", \.problem), .part("stepGoal", \.stepGoal), .list("zones", \.zones),
    .list("weekStarts", \.weekStarts), .list("themes", \.themes), .list("sources", \.sources),
    .flag("hasSources", \.hasSources), .flag("hasOwnOrder", \.hasOwnOrder), .flag("countsManual", \.countsManual),
    .part("name", \.name), .text("login", \.login), .text("sessionCount", \.sessionCount),
    .list("pauses", \.pauses), .flag("hasPauses", \.hasPauses), .text("pauseFrom", \.pauseFrom),
    .text("pauseTo", \.pauseTo), .text("pauseProblem", \.pauseProblem), .part("to", \.links))
}

/// Where the forms and links of the page lead.
struct SettingsLinks: PageModel {
  let name = Route.nameSettings.address
  let display = Route.displaySettings.address
  let goals = Route.goalSettings.address
  let sources = Route.sourceOrder.address
  let manual = Route.manualEntries.address
  let pauses = Route.pauses.address
  let password = Route.password.address
  let sessions = Route.sessions.address
  let signOut = Route.signOut.address

  static let fields = Fields<SettingsLinks>(
    .text("name", \.name), .text("display", \.display), .text("goals", \.goals), .text("sources", \.sources),
    .text("manual", \.manual), .text("pauses", \.pauses), .text("password", \.password),
    .text("sessions", \.sessions), .text("signOut", \.signOut))
}

/// One source in the order in which sources win.
struct SourceRow: PageModel {
  let key: String
  let name: String
  let kind: String
  let isWatch: Bool
  let isPhone: Bool
  let isOther: Bool
  let canRise: Bool
  let canSink: Bool
  let up: String
  let down: String

  init(_ ordered: [StoredSource], _ place: Int, form: String, words: Words) {
    let source = ordered[place].source
    key = source.key
    name = source.shownName(words)
    kind = source.shownKind(words)
    isWatch = source.sourceClass == .watch
    isPhone = source.sourceClass == .phone
    isOther = !isWatch && !isPhone
    canRise = place > 0
    canSink = place < ordered.count - 1
    up = words.text(SettingsText.moveUp, ("name", name))
    down = words.text(SettingsText.moveDown, ("name", name))
  }

  static let fields = Fields<SourceRow>(
    .text("key", \.key), .text("name", \.name), .text("kind", \.kind), .flag("isWatch", \.isWatch),
    .flag("isPhone", \.isPhone), .flag("isOther", \.isOther), .flag("canRise", \.canRise),
    .flag("canSink", \.canSink), .text("up", \.up), .text("down", \.down))
}

/// One pause with the form that takes it back.
struct PauseRow: PageModel {
  let period: String
  let length: String
  let removal: String

  init(_ pause: Pause, today: CivilDay, form: String, words: Words) {
    period = words.longRange(pause.days, thisYear: today.year)
    length = words.count(SettingsText.days, pause.days.upperBound - pause.days.lowerBound + 1)
    removal = Route.pauseRemoval(pause.days.lowerBound).address
  }

  static let fields = Fields<PauseRow>(
    .text("period", \.period), .text("length", \.length), .text("removal", \.removal))
}

enum SettingsText: String, TextKeys {
  case savedName = "settings.savedName", savedGoals = "settings.savedGoals", savedDisplay = "settings.savedDisplay"
  case savedSources = "settings.savedSources", savedManual = "settings.savedManual"
  case savedPause = "settings.savedPause", savedPauseRemoved = "settings.savedPauseRemoved"
  case savedPassword = "settings.savedPassword"
  case notSaved = "settings.notSaved"
  case counting = "settings.counting"
  case badGoal = "settings.badGoal"
  case badPause = "settings.badPause"
  case pauseOverlaps = "settings.pauseOverlaps"
  case themeSystem = "settings.themeSystem", themeLight = "settings.themeLight", themeDark = "settings.themeDark"
  case login = "settings.login"
  case sessions = "settings.sessions"
  case days = "settings.days"
  case moveUp = "settings.moveUp", moveDown = "settings.moveDown"

  static func of(_ saved: SettingsPage.Saved) -> SettingsText {
    switch saved {
    case .name: .savedName
    case .goals: .savedGoals
    case .display: .savedDisplay
    case .sources: .savedSources
    case .manual: .savedManual
    case .pause: .savedPause
    case .pauseRemoved: .savedPauseRemoved
    case .password: .savedPassword
    }
  }
}
