import Activity
import People
import Storage
import Templates

/// The form for a file and the list of earlier ones.
struct ImportsPage: PageModel {
  let frame: Frame
  let form: String
  let action: String
  let devices: String
  let problem: Notice?
  let imports: [ImportItem]
  let hasImports: Bool

  init(
    frame: Frame, form: String, rows: [ImportRow], problem: UploadFault?, now: Instant, clock: PersonClock, words: Words
  ) {
    self.frame = frame
    self.form = form
    action = Route.imports.address
    devices = Route.devices.address
    self.problem = problem.flatMap { Self.notice($0, words) }
    imports = rows.map { ImportItem($0, now: now, clock: clock, words: words) }
    hasImports = !rows.isEmpty
  }

  private static func notice(_ fault: UploadFault, _ words: Words) -> Notice? {
    switch fault {
    case .another: Notice(words.text(UploadText.another), words.text(UploadText.anotherAdvice))
    case .tooLarge(let limit, let size?):
      Notice(
        words.text(UploadText.tooLarge),
        words.text(UploadText.tooLargeSized, ("size", words.size(size)), ("limit", words.size(limit))))
    case .tooLarge(let limit, nil):
      Notice(words.text(UploadText.tooLarge), words.text(UploadText.tooLargeAdvice, ("limit", words.size(limit))))
    case .diskFull: Notice(words.text(UploadText.diskFull), words.text(UploadText.diskFullAdvice))
    case .noFile: Notice(words.text(UploadText.noFile), words.text(UploadText.noFileAdvice))
    case .notAnExport: Notice(words.text(UploadText.notAnExport), words.text(UploadText.notAnExportAdvice))
    case .wrongForm: Notice(words.text(UploadText.wrongForm), words.text(UploadText.wrongFormAdvice))
    case .stale: Notice(words.text(SignInText.stale), words.text(SignInText.staleAdvice))
    case .cutOff: Notice(words.text(UploadText.cutOff), words.text(UploadText.cutOffAdvice))
    case .problem: nil
    }
  }

  static let fields = Fields<ImportsPage>(
    .part("frame", \.frame), .text("form", \.form), .text("action", \.action), .text("devices", \.devices),
    .optional("problem", \.problem), .list("imports", \.imports), .flag("hasImports", \.hasImports))
}

extension Notice {
  init(_ title: String, _ advice: String) { self.init(title: title, advice: advice) }
}

/// One import in a list.
struct ImportItem: PageModel {
  let name: String
  let address: String
  let summary: String
  let state: String
  let badge: String
  let isDone: Bool
  let isRunning: Bool
  let isFailed: Bool

  init(_ row: ImportRow, now: Instant, clock: PersonClock, words: Words) {
    name = row.name
    address = Route.importing(row.id).address
    summary = words.text(
      UploadText.summary, ("size", words.size(row.bytes)),
      ("when", words.when(row.ended ?? row.started, now: now, by: clock)))
    state = words.text(UploadText.of(row.state))
    isDone = row.state == .done
    isRunning = !row.state.isOver
    isFailed = row.state == .failed || row.state == .cancelled
    badge =
      switch row.state {
      case .done: "bd-ok"
      case .failed: "bd-warn"
      case .cancelled: "bd-off"
      case .received, .reading, .counting: "bd-wait"
      }
  }

  static let fields = Fields<ImportItem>(
    .text("name", \.name), .text("address", \.address), .text("summary", \.summary), .text("state", \.state),
    .text("badge", \.badge), .flag("isDone", \.isDone), .flag("isRunning", \.isRunning),
    .flag("isFailed", \.isFailed))
}

extension Words {
  /// `412 MB`, `5.2 GB`, in powers of ten as operating systems on phones print them.
  func size(_ bytes: Int64) -> String {
    let bytes = Double(bytes)
    if bytes < 1000 { return text(UploadText.bytes, ("n", number(rounded: bytes))) }
    if bytes < 999_500 { return text(UploadText.kilobytes, ("n", number(rounded: bytes / 1e3))) }
    if bytes < 999_500_000 { return text(UploadText.megabytes, ("n", tenths(bytes / 1e6))) }
    return text(UploadText.gigabytes, ("n", tenths(bytes / 1e9)))
  }

  /// One decimal below ten, none above.
  private func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    if tenths >= 100 || tenths % 10 == 0 { return number((tenths + 5) / 10) }
    return text(UploadText.decimal, ("whole", number(tenths / 10)), ("tenth", String(tenths % 10)))
  }
}
