import Activity
import Glibc
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
    let zones = ZoneTable { read(zoneinfo + "/" + $0) }
    return question.isFolder ? folder(question, zones) : file(question, zones)
  }

  private static func folder(_ question: PreviewQuestion, _ zones: ZoneTable) -> Int32 {
    do throws(CaseFolder.Fault) {
      write(try CaseFolder.answer(question.path, zoneTable: zones), to: STDOUT_FILENO)
      return 0
    } catch {
      switch error {
      case .config(let message): return complain("\(question.path): \(message)\n")
      case .format(let name):
        return complain("format \(name) cannot be previewed; known: \(CaseFolder.formats.joined(separator: ", "))\n")
      case .unreadable(let path, let errno): return complain("\(path): \(String(cString: strerror(errno)))\n")
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
      try preview.addAppleExport(name: name, path: question.path, receivedAt: question.receivedAt ?? now())
    } catch {
      guard case .unreadable(let errno) = error else { return complain("\(name): \(error)\n") }
      return complain("\(question.path): \(String(cString: strerror(errno)))\n")
    }
    if preview.fileErrors.contains(where: { $0.error == .notAHealthExport }) {
      return complain("\(name) is no Apple Health export (export.xml or export.zip), the only format read so far\n")
    }
    var wants = Preview.Wants()
    wants.weeks = true
    wants.overview = true
    wants.streakOn = question.streakOn
    write(preview.answer(wants), to: STDOUT_FILENO)
    return preview.fileErrors.contains { !$0.error.isWarning } ? 1 : 0
  }

  private static func complain(_ message: String) -> Int32 {
    write(Array(("stepwell preview: " + message).utf8), to: STDERR_FILENO)
    return 2
  }

  private static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
