import Activity
import Archive

/// A step record between its start tag and its end: whether it was typed by hand is said by its children.
struct StepRecord {
  private let source: SourceTable.Named
  private let count: Double
  private let start: Instant
  private let end: Instant
  private let recorded: Instant
  private var byHand = false
  private var zone: String?

  /// Reads and judges the attributes; the first failing test in the order of merge.md 7 is thrown.
  init(
    _ xml: inout XMLReader, _ sources: inout SourceTable, scratch: inout [UInt8], receivedAt: Instant
  ) throws(Objection) {
    try StepRecord.checkUnit(&xml)
    source = try StepRecord.source(&xml, &sources, &scratch)
    guard let count = xml.number("value") else { throw Objection(.badNumber, xml.detail("value")) }
    guard let start = xml.instant("startDate") else { throw Objection(.badDate, xml.detail("startDate")) }
    guard let end = xml.instant("endDate") else { throw Objection(.badDate, xml.detail("endDate")) }
    if let recorded = xml.instant("creationDate") {
      self.recorded = recorded
    } else {
      guard xml.isBlank("creationDate") else { throw Objection(.badDate, xml.detail("creationDate")) }
      recorded = end
    }
    (self.count, self.start, self.end) = (count, start, end)
    try checkTimes(&xml, receivedAt)
    if let reason = Judgement.steps(count) { throw Objection(reason, xml.detail("value")) }
  }

  private static func checkUnit(_ xml: inout XMLReader) throws(Objection) {
    guard xml.attribute("unit", Judgement.isStepUnit) ?? true else { throw Objection(.badUnit, xml.detail("unit")) }
  }

  private static func source(
    _ xml: inout XMLReader, _ sources: inout SourceTable, _ scratch: inout [UInt8]
  ) throws(Objection) -> SourceTable.Named {
    scratch.removeAll(keepingCapacity: true)
    guard xml.appendRaw("sourceName", to: &scratch) else { throw Objection(.noSource) }
    scratch.append(0)
    _ = xml.appendRaw("sourceVersion", to: &scratch)
    scratch.append(0)
    xml.appendDevice(to: &scratch)
    let named: SourceTable.Named
    if let known = sources.cached(scratch) {
      named = known
    } else {
      let name = xml.attribute("sourceName") { $0.count > SourceName.longest ? nil : SourceName.normal($0) } ?? nil
      guard let name else { throw Objection(.noSource, xml.detail("sourceName")) }
      named = sources.remember(
        scratch, name: name, version: xml.text("sourceVersion") ?? "", device: xml.text("device") ?? "")
    }
    guard !named.name.isEmpty else { throw Objection(.noSource) }
    return named
  }

  private func checkTimes(_ xml: inout XMLReader, _ receivedAt: Instant) throws(Objection) {
    guard let fault = Judgement.times(start: start, end: end, receivedAt: receivedAt) else { return }
    throw Objection(fault.reason, xml.detail(fault.isStart ? "startDate" : "endDate"))
  }

  /// Takes notice of a `MetadataEntry` inside the record.
  mutating func read(metadata xml: inout XMLReader) {
    switch xml.detail("key") {
    case "HKWasUserEntered": byHand = ["1", "yes", "true"].contains(xml.detail("value").lowercased())
    case "HKTimeZone": zone = xml.detail("value")
    default: break
    }
  }

  /// The finished sample; nil if the file has more sources than a person can have.
  func sample(
    _ sources: inout SourceTable, _ zones: inout ZoneNames, _ fingerprint: inout Fingerprint
  ) -> Sample? {
    let counted = byHand ? Source(key: "manual", sourceClass: .manual, device: "") : source.source
    guard let index = sources.index(of: counted) else { return nil }
    var sample = Sample(
      start: start, end: end, count: count, recorded: recorded, key: SampleKey(high: 0, low: 0), source: index,
      zone: zone.flatMap { zones.index(of: $0) })
    sample.key = fingerprint.key(feed: .apple, source: counted.key, sample: sample)
    return sample
  }
}

extension XMLReader {
  /// The device without its address, which differs from record to record: all from the first comma on.
  fileprivate mutating func appendDevice(to bytes: inout [UInt8]) {
    let start = bytes.count
    guard appendRaw("device", to: &bytes) else { return }
    guard let comma = bytes[start...].firstIndex(of: UInt8(ascii: ",")) else { return }
    bytes.removeSubrange(start..<comma)
  }
}
