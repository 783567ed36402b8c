package import Activity

extension Preview {
  /// What the answer holds beside days, rejected records and file errors.
  package struct Wants: Equatable, Sendable {
    package var weeks = false
    /// The day that is taken as today.
    package var streakOn: CivilDay?
    /// Counts and sources, for a person who reads it.
    package var overview = false

    package init() {}
  }

  /// The answer as JSON, in the words of `expected.json`, ending in a line break.
  package func answer(_ wants: Wants) -> [UInt8] {
    let days = days()
    var parts = [
      json("days", object(days.sorted { $0.key < $1.key }.map { (text($0.key.iso), day($0.value)) })),
      json("rejected", list(rejected.map(line))),
    ]
    if !fileErrors.isEmpty {
      let errors = fileErrors.map { object([(text("file"), text($0.file)), (text("error"), text($0.error.rawValue))]) }
      parts.append(json("fileErrors", list(errors)))
    }
    let summaries = summaries()
    if !summaries.isEmpty {
      parts.append(
        json("rings", object(summaries.sorted { $0.key < $1.key }.map { (text($0.key.iso), rings($0.value)) })))
    }
    if wants.weeks { parts.append(json("weeks", weeks(weeks(days), withRings: !summaries.isEmpty))) }
    if let today = wants.streakOn {
      let streaks = streaks(today: today)
      parts.append(json("streak", object([(text("move"), "\(streaks.move)"), (text("all"), "\(streaks.all)")])))
    }
    if wants.overview { parts += overview }
    return Array(("{\n " + parts.joined(separator: ",\n ") + "\n}\n").utf8)
  }

  private var overview: [String] {
    let refused = counts.refused.sorted { $0.key.rawValue < $1.key.rawValue }
    let numbers = [
      ("records", "\(counts.records)"), ("samples", "\(counts.samples - duplicates)"),
      ("duplicates", "\(duplicates)"), ("summaries", "\(counts.summaries)"),
      ("refused", object(refused.map { (text($0.key.rawValue), "\($0.value)") })),
    ]
    let sources = allSources.map { source in
      object([(text("key"), text(source.key)), (text("class"), text(String(describing: source.sourceClass)))])
    }
    return [json("counts", object(numbers.map { (text($0.0), $0.1) })), json("sources", list(sources))]
  }

  private func day(_ total: DayTotal) -> String {
    object([(text("steps"), "\(total.shown)"), (text("exact"), "\(total.exact)")])
  }

  private func line(_ file: String, _ refusal: Refusal) -> String {
    object([
      (text("file"), text(file)), (text("record"), "\(refusal.record)"),
      (text("reason"), text(refusal.reason.rawValue)), (text("detail"), text(refusal.detail)),
    ])
  }

  private func rings(_ summary: ActivitySummary) -> String {
    object([
      (text("moveMode"), text(summary.moveMode == .energy ? "energy" : "minutes")),
      (text("paused"), "\(summary.paused)"),
      (text("move"), ring(summary.move)), (text("exercise"), ring(summary.exercise)),
      (text("stand"), ring(summary.stand)),
    ])
  }

  private func ring(_ delivered: RingValue?) -> String {
    guard let delivered else { return "null" }
    let ring = Ring(delivered)
    return object([
      (text("value"), "\(delivered.value)"), (text("goal"), delivered.goal.map { "\($0)" } ?? "null"),
      (text("percent"), ring.map { "\($0.percent)" } ?? "null"),
      (text("closed"), ring.map { "\($0.closed)" } ?? "null"),
    ])
  }

  private func weeks(_ weeks: [Week: PreviewWeek], withRings: Bool) -> String {
    object(
      weeks.sorted { $0.key < $1.key }.map { week, sums in
        var parts = [
          (text("steps"), sums.steps.map { "\($0)" } ?? "null"), (text("daysWithSteps"), "\(sums.daysWithSteps)"),
        ]
        if withRings { parts.append((text("daysAllClosed"), "\(sums.daysAllClosed)")) }
        return (text(week.first.iso), object(parts))
      })
  }

  // MARK: JSON

  private func json(_ key: String, _ value: String) -> String { text(key) + ": " + value }

  private func object(_ pairs: [(key: String, value: String)]) -> String {
    "{" + pairs.map { $0.key + ": " + $0.value }.joined(separator: ", ") + "}"
  }

  private func list(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }

  private func text(_ string: String) -> String {
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
