import Activity
import People
import Storage
import Templates

/// One import: how far it is, or what came of it.
struct ImportPage: PageModel {
  let frame: Frame
  let form: String
  let title: String
  let lead: String
  let heading: String
  let note: String?
  let problem: Notice?
  let warning: Notice?
  let steps: [ImportStep]
  let isRunning: Bool
  let again: LookAgain
  let foundHeading: String
  let found: [Fact]
  let hasFound: Bool
  let refused: [RefusedRecord]
  let hasRefused: Bool
  let refusedHeading: String
  let moreRefused: String?
  let address: String
  let cancellation: String
  let imports: String
  let today: String
  let history: String

  init(
    frame: Frame, form: String, report: ImportReport, again: LookAgain, now: Instant, clock: PersonClock, words: Words
  ) {
    self.again = again
    let row = report.row
    self.frame = frame
    self.form = form
    isRunning = !row.state.isOver
    heading = words.text(UploadText.heading(row.state))
    title = heading
    lead = words.text(
      UploadText.lead, ("name", row.name), ("size", words.size(row.bytes)),
      ("when", words.when(row.started, now: now, by: clock)))
    note = row.ended.map { words.text(UploadText.ended, ("when", words.when($0, now: now, by: clock))) }
    let fault = row.problem.map { UploadText.fault($0) }
    let notice = fault.map { Notice(words.text($0.title), words.text($0.advice)) }
    problem = row.state == .failed ? Notice(failureOf: row, words) : nil
    warning = row.state == .failed ? nil : notice
    steps = ImportStep.all(of: row, words: words)
    found = Fact.of(row.counts, words: words)
    hasFound = !found.isEmpty
    foundHeading = words.text(isRunning ? UploadText.foundSoFar : .found)
    refused = report.refused.map { RefusedRecord($0, words: words) }
    hasRefused = !refused.isEmpty
    refusedHeading = words.count(UploadText.refusedRecords, row.counts.refused)
    let more = row.counts.refused - report.refused.count
    moreRefused = more > 0 ? words.count(UploadText.moreRefused, more) : nil
    address = Route.importing(row.id).address
    cancellation = Route.importCancellation(row.id).address
    imports = Route.imports.address
    today = Route.today.address
    history = Route.history(from: nil, to: nil).address
  }

  static let fields = Fields<ImportPage>(
    .part("frame", \.frame), .text("form", \.form), .text("title", \.title), .text("lead", \.lead),
    .text("heading", \.heading), .text("note", \.note), .optional("problem", \.problem),
    .optional("warning", \.warning), .list("steps", \.steps), .flag("isRunning", \.isRunning),
    .part("again", \.again),
    .text("foundHeading", \.foundHeading), .list("found", \.found), .flag("hasFound", \.hasFound),
    .list("refused", \.refused), .flag("hasRefused", \.hasRefused), .text("refusedHeading", \.refusedHeading),
    .text("moreRefused", \.moreRefused), .text("address", \.address), .text("cancellation", \.cancellation),
    .text("imports", \.imports), .text("today", \.today), .text("history", \.history))
}

extension Notice {
  /// What was wrong, what to do, and what became of the part that was read before.
  fileprivate init(failureOf row: ImportRow, _ words: Words) {
    let fault = UploadText.fault(row.problem ?? "")
    var advice = [fault.advice, row.hasContent ? .partKept : .nothingStored]
    // A whole file had its sweep before something else broke.
    if row.hasContent, row.counts.removed == 0 { advice.append(.nothingRemoved) }
    self.init(words.text(fault.title), advice.map { words.text($0) }.joined(separator: " "))
  }
}

/// One of the stations that a file passes: uploaded, read, counted, done.
struct ImportStep: PageModel {
  let number: String
  let name: String
  let note: String?
  let isDone: Bool
  let isCurrent: Bool
  let progress: Progress?

  static func all(of row: ImportRow, words: Words) -> [ImportStep] {
    let station =
      switch row.state {
      case .received, .reading: 1
      case .counting: 2
      case .done: 4
      case .failed, .cancelled: row.counts.days > 0 && row.position >= row.bytes ? 2 : 1
      }
    let names = [UploadText.uploaded, .reading, .countingDays, .done]
    return names.enumerated().map { place, name in
      let isCurrent = place == station && !row.state.isOver
      return ImportStep(
        number: String(place + 1), name: words.text(name), note: place == 0 ? words.size(row.bytes) : nil,
        isDone: place < station, isCurrent: isCurrent, progress: isCurrent ? Progress(row, words: words) : nil)
    }
  }

  static let fields = Fields<ImportStep>(
    .text("number", \.number), .text("name", \.name), .text("note", \.note), .flag("isDone", \.isDone),
    .flag("isCurrent", \.isCurrent), .optional("progress", \.progress))
}

/// How far the running step is.
struct Progress: PageModel {
  let percent: String
  let words: String
  let detail: String

  init(_ row: ImportRow, words: Words) {
    let isReading = row.state != .counting
    let (part, whole) =
      isReading ? (Double(row.position), Double(row.bytes)) : (Double(row.counts.daysCounted), Double(row.counts.days))
    let share = whole > 0 ? min(100, max(0, Int((100 * part / whole).rounded(.down)))) : 0
    percent = String(share)
    self.words = words.percent(share)
    detail =
      isReading
      ? words.text(UploadText.readSoFar, ("part", words.size(row.position)), ("whole", words.size(row.bytes)))
      : words.text(
        UploadText.countedSoFar, ("part", words.number(row.counts.daysCounted)),
        ("whole", words.number(row.counts.days)))
  }

  static let fields = Fields<Progress>(.text("percent", \.percent), .text("words", \.words), .text("detail", \.detail))
}

/// A name and a value of what an import brought.
struct Fact: PageModel {
  let name: String
  let value: String

  static func of(_ counts: ImportCounts, words: Words) -> [Fact] {
    let all: [(UploadText, Int)] = [
      (.factStored, counts.stored), (.factDuplicate, counts.duplicate), (.factSummaries, counts.summaries),
      (.factDays, counts.days), (.factRemoved, counts.removed), (.factRefused, counts.refused),
    ]
    return all.filter { $0.1 > 0 }.map { Fact(name: words.text($0.0), value: words.number($0.1)) }
  }

  static let fields = Fields<Fact>(.text("name", \.name), .text("value", \.value))
}

/// One record that was not taken, with the reason in words.
struct RefusedRecord: PageModel {
  let record: String
  let reason: String
  let detail: String

  init(_ refusal: Refusal, words: Words) {
    record = words.number(refusal.record)
    reason = words.text(RefusalText.of(refusal.reason))
    detail = refusal.detail
  }

  static let fields = Fields<RefusedRecord>(
    .text("record", \.record), .text("reason", \.reason), .text("detail", \.detail))
}
