package import Activity
package import Templates

/// Today: what is known so far, this week, the streak.
package struct TodayPage: PageModel {
  let frame: Frame
  let live: LiveMark
  /// Nil on a page that is no answer to a request.
  let again: LookAgain?
  /// `8,432 steps`; nil when nothing is known yet.
  let lead: String?
  let leadRest: String
  let pager: Pager
  let notice: SilenceNotice?
  let rings: RingCard
  let steps: TodaySteps
  let updates: [UpdateRow]
  let hasUpdates: Bool
  let devices: String
  let today: String
  let week: WeekStrip
  let streak: StreakCard

  package init(
    frame: Frame, input: TodayInput, live: LiveMark? = nil, again: LookAgain? = nil, words: Words
  ) {
    self.frame = frame
    self.live = live ?? LiveMark(address: "", tag: "", date: input.today.iso)
    self.again = again
    let entry = input.entry
    let usual = UsualDay(input)
    if let number = entry.state.number {
      lead = words.count(CountText.steps, number)
      leadRest =
        usual.map { words.text(TodayText.usual, ("n", words.number($0.steps(at: input.now)))) }
        ?? words.text(TodayText.soFar)
    } else {
      lead = nil
      leadRest =
        input.known.map { words.text(TodayText.noneSince, ("when", words.moment($0, today: input.today))) }
        ?? words.text(TodayText.noneYet)
    }
    pager = Pager(
      label: words.text(PagerText.day), current: words.date(input.today, as: .shortYear),
      previous: input.today <= (input.almanac.firstDay ?? input.today)
        ? nil
        : Pager.Link(
          address: Route.day(input.today - 1).address, name: words.date(input.today - 1, as: .weekdayLong)), next: nil)
    notice = SilenceNotice(input, words: words)
    rings = RingCard(
      entry, note: words.text(entry.knownRings == nil ? TodayText.noData : .upTo, ("time", input.now.clock)),
      missing: .missingToday, words: words)
    steps = TodaySteps(input, usual: usual, words: words)
    updates = input.updates.map { UpdateRow($0, today: input.today, words: words) }
    hasUpdates = !updates.isEmpty
    devices = Route.devices.address
    today = Route.today.address
    week = WeekStrip(input.almanac, words: words)
    streak = StreakCard(input, words: words)
  }

  package static let fields = Fields<TodayPage>(
    .part("frame", \.frame), .part("live", \.live), .optional("again", \.again), .text("lead", \.lead),
    .text("leadRest", \.leadRest), .part("pager", \.pager),
    .optional("notice", \.notice), .part("rings", \.rings), .part("steps", \.steps), .list("updates", \.updates),
    .flag("hasUpdates", \.hasUpdates), .text("devices", \.devices), .text("today", \.today),
    .part("week", \.week), .part("streak", \.streak))
}

/// What the script needs to hear of changes: where, and what the page shows already.
package struct LiveMark: PageModel {
  let address: String
  let tag: String
  let date: String

  package static let fields = Fields<LiveMark>(.text("address", \.address), .text("tag", \.tag), .text("date", \.date))
}

/// Today before anything has arrived: the two ways in.
package struct EmptyTodayPage: PageModel {
  let frame: Frame
  let live: LiveMark
  let welcome: String
  let pager: Pager
  let imports: String
  let devices: String

  package init(frame: Frame, name: String, today: CivilDay, live: LiveMark? = nil, words: Words) {
    self.frame = frame
    self.live = live ?? LiveMark(address: "", tag: "", date: today.iso)
    welcome = words.text(TodayText.welcome, ("name", name))
    pager = Pager(
      label: words.text(PagerText.day), current: words.date(today, as: .shortYear), previous: nil, next: nil)
    imports = Route.imports.address
    devices = Route.devices.address
  }

  package static let fields = Fields<EmptyTodayPage>(
    .part("frame", \.frame), .part("live", \.live), .text("welcome", \.welcome), .part("pager", \.pager),
    .text("imports", \.imports),
    .text("devices", \.devices))
}

/// Nothing has come for longer than devices are ever silent.
struct SilenceNotice: PageModel {
  let title: String
  let advice: String
  let address: String

  /// Nil while the newest data is not older than twelve hours.
  init?(_ input: TodayInput, words: Words) {
    guard let age = input.updates.map(\.age).min(), age > 12 * 3_600_000, input.entry.state.number == nil else {
      return nil
    }
    let hours = Int(exactly: age / 3_600_000) ?? 0
    title =
      hours < 48 ? words.count(TodayText.silentHours, hours) : words.count(TodayText.silentDays, hours / 24)
    advice = words.text(TodayText.silentAdvice)
    address = Route.imports.address
  }

  static let fields = Fields<SilenceNotice>(
    .text("title", \.title), .text("advice", \.advice), .text("address", \.address))
}

/// What brought data, and when.
struct UpdateRow: PageModel {
  let name: String
  let note: String
  let ago: String
  let iso: String
  /// Beside "3 min ago"; older times say it themselves.
  let clock: String?
  let isPhone: Bool
  let isWatch: Bool
  let isFile: Bool

  init(_ update: TodayInput.Update, today: CivilDay, words: Words) {
    name = update.name
    note = update.note
    ago = words.ago(update.age, at: update.at, today: today)
    iso = update.at.iso
    clock = update.age <= 3_600_000 ? update.at.clock : nil
    isPhone = update.kind == .phone
    isWatch = update.kind == .watch
    isFile = update.kind == .file
  }

  static let fields = Fields<UpdateRow>(
    .text("name", \.name), .text("note", \.note), .text("ago", \.ago), .text("iso", \.iso), .text("clock", \.clock),
    .flag("isPhone", \.isPhone), .flag("isWatch", \.isWatch), .flag("isFile", \.isFile))
}

/// Texts of Today.
package enum TodayText: String, TextKeys {
  case usual = "today.usual"
  case soFar = "today.soFar"
  case noneSince = "today.noneSince"
  case noneYet = "today.noneYet"
  case noData = "today.noData"
  case upTo = "today.upTo"
  case upload = "today.upload"
  case welcome = "today.welcome"
  case silentHours = "today.silentHours"
  case silentDays = "today.silentDays"
  case silentAdvice = "today.silentAdvice"
  case goal = "today.goal"
  case noGoal = "today.noGoal"
  case toGo = "today.toGo"
  case goalReached = "today.goalReached"
  case unknown = "today.unknown"
  case meter = "today.meter"
  case usualWeekday = "today.usualWeekday"
}

/// Texts of the links to the period before and after.
package enum PagerText: String, TextKeys {
  case day = "pager.day"
  case week = "pager.week"
  case month = "pager.month"
  case year = "pager.year"
}
