import Activity
import Bytes

/// What the Health app on the person's phone would export now.
extension Life {
  /// The whole `export.zip`; nil when zlib had no memory.
  package func exportZip() -> [UInt8]? {
    let local = now.milliseconds &+ Int64(history.offset(at: now)) * 1000
    let seconds = ((local / 1000) % 86_400 + 86_400) % 86_400
    let (year, month, day) = today.parts
    let date = UInt32(truncatingIfNeeded: ((year - 1980) << 9) | (month << 5) | day)
    let time = UInt32(
      truncatingIfNeeded: ((seconds / 3600) << 11) | (((seconds / 60) % 60) << 5) | ((seconds % 60) / 2))
    var zip = ZipWriter(stamp: date << 16 | time)
    guard zip.add("apple_health_export/export_cda.xml", Array(HealthExportText.document.utf8)),
      zip.add("apple_health_export/export.xml", exportXML())
    else { return nil }
    return zip.finish()
  }

  /// The data file alone.
  package func exportXML() -> [UInt8] {
    var writer = HealthExportWriter(self)
    writer.writeAll()
    return writer.bytes
  }
}

/// Writes the elements of an export in the order of the Health app: type by type, then the rings.
private struct HealthExportWriter {
  private let life: Life
  private let walks: [Walk]
  /// Dates are written with the offset of the phone at the time of export.
  private let zone: ZoneRules
  private var heads: [[UInt8]] = []
  var bytes: [UInt8] = []

  init(_ life: Life) {
    self.life = life
    walks = life.walks(heldAt: life.now)
    zone = life.history.zone(at: life.now)
    bytes.reserveCapacity(walks.count * 900 + 4096)
    heads = Device.allCases.map { device in
      var head: [UInt8] = []
      head.append(utf8: " sourceName=\"")
      head.append(escaped: device.sourceName(of: life.scenario.owner))
      head.append(utf8: "\" sourceVersion=\"\(device.sourceVersion)\"")
      if let description = device.description {
        head.append(utf8: " device=\"")
        head.append(escaped: description)
        head.append(utf8: "\"")
      }
      return head
    }
  }

  mutating func writeAll() {
    bytes.append(utf8: HealthExportText.head)
    bytes.append(utf8: "<HealthData locale=\"en_DE\">\n <ExportDate value=\"")
    date(life.now)
    bytes.append(utf8: "\"/>\n" + HealthExportText.me)
    writeHeartRates()
    for walk in walks { writeSteps(walk) }
    writeDistances()
    writeEnergy()
    writeStandHours()
    for summary in life.summaries { write(summary) }
    bytes.append(utf8: "</HealthData>\n")
  }

  private mutating func writeSteps(_ walk: Walk) {
    open("HKQuantityTypeIdentifierStepCount", walk.device, "count")
    dates(walk)
    bytes.append(utf8: " value=\"")
    bytes.append(decimal: walk.count)
    if walk.device == .hand {
      bytes.append(utf8: "\">\n  <MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>\n </Record>\n")
    } else {
      bytes.append(utf8: "\"/>\n")
    }
  }

  private mutating func writeHeartRates() {
    for (number, walk) in walks.enumerated() where walk.device == .watch && number % 4 == 0 {
      open("HKQuantityTypeIdentifierHeartRate", .watch, "count/min")
      dates(walk)
      bytes.append(utf8: " value=\"")
      bytes.append(decimal: 78 + walk.count % 57)
      bytes.append(
        utf8: "\">\n  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"2\"/>\n </Record>\n")
    }
  }

  private mutating func writeDistances() {
    for (number, walk) in walks.enumerated() where walk.device == .phone && number % 3 == 0 {
      open("HKQuantityTypeIdentifierDistanceWalkingRunning", .phone, "km")
      dates(walk)
      value(thousandths: walk.count * 72 / 100)
      bytes.append(utf8: "/>\n")
    }
  }

  private mutating func writeEnergy() {
    for (number, walk) in walks.enumerated() where walk.device == .watch && number % 3 == 0 {
      open("HKQuantityTypeIdentifierActiveEnergyBurned", .watch, "Cal")
      dates(walk)
      value(thousandths: walk.count * 43)
      bytes.append(utf8: "/>\n")
    }
  }

  private mutating func writeStandHours() {
    for summary in life.summaries where life.scenario.hasWatch {
      let morning = life.history.firstInstant(of: summary.day).advanced(hours: 7)
      for hour in 0..<Int(summary.stand?.value ?? 0) {
        let start = morning.advanced(hours: hour)
        let end = start.advanced(hours: 1)
        if end > life.now { break }
        open("HKCategoryTypeIdentifierAppleStandHour", .watch, nil)
        dates(created: end, start, end)
        bytes.append(utf8: " value=\"HKCategoryValueAppleStandHourStood\"/>\n")
      }
    }
  }

  private mutating func write(_ summary: ActivitySummary) {
    bytes.append(utf8: " <ActivitySummary dateComponents=\"\(summary.day.iso)\"")
    let minutes = summary.moveMode == .minutes
    let move = summary.move ?? RingValue(value: 0, goal: 0)
    attribute("activeEnergyBurned", minutes ? move.value * 4 : move.value)
    attribute("activeEnergyBurnedGoal", minutes ? 0 : move.goal ?? 0)
    bytes.append(utf8: " activeEnergyBurnedUnit=\"Cal\"")
    attribute("appleMoveTime", minutes ? move.value.rounded(.down) : 0)
    attribute("appleMoveTimeGoal", minutes ? move.goal ?? 0 : 0)
    attribute("appleExerciseTime", summary.exercise?.value ?? 0)
    attribute("appleExerciseTimeGoal", summary.exercise?.goal ?? 0)
    attribute("appleStandHours", summary.stand?.value ?? 0)
    attribute("appleStandHoursGoal", summary.stand?.goal ?? 0)
    bytes.append(utf8: "/>\n")
  }

  private mutating func open(_ type: StaticString, _ device: Device, _ unit: String?) {
    bytes.append(utf8: " <Record type=\"")
    bytes.append(type)
    bytes.append(utf8: "\"")
    bytes += heads[device.rawValue]
    if let unit { bytes.append(utf8: " unit=\"\(unit)\"") }
  }

  private mutating func dates(_ walk: Walk) { dates(created: walk.recorded, walk.start, walk.end) }

  private mutating func dates(created: Instant, _ start: Instant, _ end: Instant) {
    bytes.append(utf8: " creationDate=\"")
    date(created)
    bytes.append(utf8: "\" startDate=\"")
    date(start)
    bytes.append(utf8: "\" endDate=\"")
    date(end)
    bytes.append(utf8: "\"")
  }

  /// `2025-06-10 08:00:00 +0200`
  private mutating func date(_ instant: Instant) {
    let offset = Int64(zone.offset(at: instant.seconds))
    let day = zone.day(at: instant)
    let seconds = Int(instant.seconds &+ offset &- Int64(day.number) &* 86_400)
    let (year, month, number) = day.parts
    bytes.append(padded: year, width: 4)
    bytes.append(utf8: "-")
    bytes.append(padded: month, width: 2)
    bytes.append(utf8: "-")
    bytes.append(padded: number, width: 2)
    bytes.append(utf8: " ")
    bytes.append(padded: seconds / 3600, width: 2)
    bytes.append(utf8: ":")
    bytes.append(padded: seconds / 60 % 60, width: 2)
    bytes.append(utf8: ":")
    bytes.append(padded: seconds % 60, width: 2)
    bytes.append(utf8: offset < 0 ? " -" : " +")
    bytes.append(padded: Int(abs(offset)) / 3600, width: 2)
    bytes.append(padded: Int(abs(offset)) / 60 % 60, width: 2)
  }

  private mutating func attribute(_ name: StaticString, _ value: Double) {
    bytes.append(utf8: " ")
    bytes.append(name)
    bytes.append(utf8: "=\"")
    number(thousandths: Int((value * 1000).rounded()))
    bytes.append(utf8: "\"")
  }

  private mutating func value(thousandths: Int) {
    bytes.append(utf8: " value=\"")
    number(thousandths: thousandths)
    bytes.append(utf8: "\"")
  }

  private mutating func number(thousandths: Int) {
    bytes.append(decimal: thousandths / 1000)
    if thousandths % 1000 != 0 {
      bytes.append(utf8: ".")
      bytes.append(padded: thousandths % 1000, width: 3)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(escaped text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append(utf8: "&amp;")
      case UInt8(ascii: "<"): append(utf8: "&lt;")
      case UInt8(ascii: ">"): append(utf8: "&gt;")
      case UInt8(ascii: "\""): append(utf8: "&quot;")
      default: append(byte)
      }
    }
  }
}
