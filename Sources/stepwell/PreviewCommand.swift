import Activity
import Files
import Intake

/// `stepwell preview DIR` answers a case folder; `stepwell preview FILE --zone NAME` tells what an import of the file would
/// do. No database is touched. Exit status: 0 read, 1 the file was refused, 2 the question cannot be answered.
enum PreviewCommand {
  static let usage = """
    usage: stepwell preview DIR
           stepwell preview FILE --zone NAME [--week-start monday|saturday|sunday] [--streak-on YYYY-MM-DD]
                                 [--without-manual] [--received-at YYYY-MM-DDTHH:MM:SSZ]

    """

  static func run(_ arguments: [String], zoneinfo: String = "/usr/share/zoneinfo") -> Int32 {
    let question: PreviewQuestion
    do throws(PreviewQuestion.Fault) { question = try PreviewQuestion(arguments) } catch {
      return complain(error.message + "\n" + usage)
    }
    let zones = ZoneTable { try? Disk.read(zoneinfo + "/" + $0) }
    return question.isFolder ? folder(question, zones) : file(question, zones)
  }

  private static func folder(_ question: PreviewQuestion, _ zones: ZoneTable) -> Int32 {
    do throws(CaseFolder.Fault) {
      Disk.print(try CaseFolder.answer(question.path, zoneTable: zones))
      return 0
    } catch {
      switch error {
      case .config(let message): return complain("\(question.path): \(message)\n")
      case .format(let name):
        return complain("format \(name) cannot be previewed; known: \(CaseFolder.formats.joined(separator: ", "))\n")
      case .unreadable(let path, let errno): return complain("\(path): \(FileFault.reason(errno))\n")
      }
    }
  }

  private static func file(_ question: PreviewQuestion, _ zones: ZoneTable) -> Int32 {
    guard let zone = zones.zone(named: question.zone) else {
      return complain("\(question.zone) is no known time zone (say Europe/Berlin)\n")
    }
    var options = MergeOptions()
    options.includeManual = question.includeManual
    var preview = Preview(
      account: PreviewAccount(zones: ZoneHistory(zone), weekStart: question.weekStart, options: options),
      zoneTable: zones)
    let name = question.path.split(separator: "/").last.map(String.init) ?? question.path
    do throws(IntakeProblem) {
      try preview.addAppleExport(name: name, path: question.path, receivedAt: question.receivedAt ?? Clock.system.now())
    } catch {
      guard case .unreadable(let errno) = error else { return complain("\(name): \(error)\n") }
      return complain("\(question.path): \(FileFault.reason(errno))\n")
    }
    if preview.fileErrors.contains(where: { $0.error == .notAHealthExport }) {
      return complain("\(name) is no Apple Health export (export.xml or export.zip), the only format read so far\n")
    }
    var wants = Preview.Wants()
    wants.weeks = true
    wants.overview = true
    wants.streakOn = question.streakOn
    Disk.print(preview.answer(wants))
    return preview.fileErrors.contains { !$0.error.isWarning } ? 1 : 0
  }

  private static func complain(_ message: String) -> Int32 {
    Disk.print(Array(("stepwell preview: " + message).utf8), toErrors: true)
    return 2
  }
}
