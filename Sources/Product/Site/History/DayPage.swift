import Activity
package import Templates

/// One finished day: rings, hours, which device counted what, goals, and how the number changed.
package struct DayPage: PageModel {
  let frame: Frame
  let title: String
  let heading: String
  let month: String
  let monthName: String
  let lead: String?
  let leadRest: String
  let pager: Pager
  let rings: RingCard
  let hours: DayHours?
  let goals: [NamedValue]
  let settings: String
  let devices: DeviceCard?
  /// When there is one device alone.
  let oneDevice: String?
  let changes: [ChangeRow]
  let hasChanges: Bool

  package init(frame: Frame, input: DayInput, words: Words) {
    let (entry, day) = (input.entry, input.entry.day)
    self.frame = frame
    title = words.date(day, as: .full)
    heading = words.date(day, as: .weekdayLong)
    month = Route.month(year: day.year, month: day.month).address
    monthName = words.date(day, as: .month)
    lead = entry.state.number.map { words.text(DayText.steps, ("steps", words.count(CountText.steps, $0))) }
    leadRest = DayPage.remarks(entry, hasPicture: input.hasPicture, words)
    pager = DayPage.pager(input, words)
    rings = RingCard(entry, note: nil, missing: .missing, words: words)
    hours = input.slots.isEmpty ? nil : DayHours(input, words: words)
    goals = DayPage.goals(input, words)
    settings = Route.settings.address
    devices = input.devices.count > 1 ? DeviceCard(input, words: words) : nil
    oneDevice =
      input.devices.count == 1 ? words.text(DayText.countedBy, ("device", input.devices[0].name)) : nil
    changes = input.changes.map { ChangeRow($0, today: input.today, words: words) }
    hasChanges = !changes.isEmpty
  }

  /// What the number stands on: whether it is final, whether the rings are closed.
  private static func remarks(_ entry: DayEntry, hasPicture: Bool, _ words: Words) -> String {
    var keys: [DayText] = []
    switch entry.state {
    case .partial: keys.append(.soFar)
    case .pending: keys.append(.pending)
    case .none, .before: keys.append(.none)
    case .zero: keys.append(.zero)
    case .value, .future: break
    }
    if entry.isBeingCounted { keys.append(.counting) }
    if entry.flags.contains(.incomplete) { keys.append(.incomplete) }
    if entry.flags.contains(.implausible) { keys.append(.implausible) }
    if entry.flags.contains(.manualPart) { keys.append(.manual) }
    if entry.isPaused { keys.append(.paused) } else if entry.knownRings?.allClosed == true { keys.append(.allClosed) }
    if !hasPicture { keys.append(.dense) }
    return keys.map { words.text($0) }.joined(separator: " ")
  }

  private static func pager(_ input: DayInput, _ words: Words) -> Pager {
    let day = input.entry.day
    let (before, after) = (day - 1, day + 1)
    return Pager(
      label: words.text(PagerText.day), current: words.date(day, as: .shortYear),
      previous: before >= (input.firstDay ?? day)
        ? Pager.Link(address: Route.day(before).address, name: words.date(before, as: .weekdayLong)) : nil,
      next: after > input.today
        ? nil
        : Pager.Link(
          address: after == input.today ? Route.today.address : Route.day(after).address,
          name: words.date(after, as: .weekdayLong)))
  }

  private static func goals(_ input: DayInput, _ words: Words) -> [NamedValue] {
    var rows: [NamedValue] = []
    if let goal = input.entry.goal {
      let since = input.goalSince.map { since in
        let date = words.date(since, as: .date)
        return input.goalBefore.map {
          words.text(DayText.sinceBefore, ("date", date), ("n", words.number(rounded: $0)))
        } ?? words.text(DayText.since, ("date", date))
      }
      rows.append(
        NamedValue(name: words.text(DayText.stepsName), value: words.number(rounded: goal), note: since))
    }
    guard let rings = input.entry.rings else { return rows }
    for kind in RingKind.allCases {
      guard let ring = rings[kind] else { continue }
      rows.append(
        NamedValue(
          name: words.ringName(kind, rings.moveMode),
          value: words.number(rounded: ring.goal) + " " + words.ringUnit(kind, rings.moveMode)))
    }
    return rows
  }

  package static let fields = Fields<DayPage>(
    .part("frame", \.frame), .text("title", \.title), .text("heading", \.heading), .text("month", \.month),
    .text("monthName", \.monthName), .text("lead", \.lead), .text("leadRest", \.leadRest), .part("pager", \.pager),
    .part("rings", \.rings), .optional("hours", \.hours), .list("goals", \.goals), .text("settings", \.settings),
    .optional("devices", \.devices), .text("oneDevice", \.oneDevice), .list("changes", \.changes),
    .flag("hasChanges", \.hasChanges))
}

/// Texts of the page of one day.
package enum DayText: String, TextKeys {
  case steps = "day.steps"
  case soFar = "day.soFar"
  case pending = "day.pending"
  case none = "day.none"
  case zero = "day.zero"
  case counting = "day.counting"
  case incomplete = "day.incomplete"
  case implausible = "day.implausible"
  case dense = "day.dense"
  case manual = "day.manual"
  case paused = "day.paused"
  case allClosed = "day.allClosed"
  case countedBy = "day.countedBy"
  case stepsName = "day.stepsName"
  case since = "day.since"
  case sinceBefore = "day.sinceBefore"
  case goalReached = "day.goalReached"
  case goalIs = "day.goalIs"
  case chartTitle = "day.chartTitle"
  case chartTable = "day.chartTable"
  case columnDevices = "day.columnDevices"
  case deviceSteps = "day.deviceSteps"
  case others = "day.others"
  case onlyName = "day.onlyName"
  case plus = "day.plus"
  case counted = "day.counted"
  case hidden = "day.hidden"
  case lane = "day.lane"
  case laneNone = "day.laneNone"
  case laneHidden = "day.laneHidden"
  case span = "day.span"
  case hiddenName = "day.hiddenName"
  case countedName = "day.countedName"
  case change = "day.change"
  case changeNone = "day.changeNone"
}

/// Texts of the history of a day's number.
package enum ChangeText: String, TextKeys {
  case late = "change.late"
  case merged = "change.merged"
  case zone = "change.zone"
  case moved = "change.moved"
  case corrected = "change.corrected"
  case deleted = "change.deleted"
}

/// One change of the day's number after it was over, in words.
struct ChangeRow: PageModel {
  let when: String
  let iso: String
  let text: String
  let reason: String

  init(_ change: DayChange, today: CivilDay, words: Words) {
    when = words.moment(change.at, today: today)
    iso = change.at.iso
    text =
      change.new.map {
        words.text(DayText.change, ("old", words.number(change.old)), ("new", words.number($0)))
      } ?? words.text(DayText.changeNone, ("old", words.number(change.old)))
    let key: ChangeText =
      switch change.reason {
      case .late: .late
      case .merged: .merged
      case .zone: .zone
      case .moved: .moved
      case .corrected: .corrected
      case .deleted: .deleted
      }
    reason = words.text(key)
  }

  static let fields = Fields<ChangeRow>(
    .text("when", \.when), .text("iso", \.iso), .text("text", \.text), .text("reason", \.reason))
}
