package import Activity
package import Archive

/// Reads an Apple Health export slice by slice, on a worker thread, in constant memory.
///
///     let reader = try AppleExportReader(path: path, receivedAt: now)
///     while let slice = try reader.next() { … }
///
/// Slices come in the order of the file; `sources` and `zones` of a slice hold those of the slices before it too. A repeated
/// record comes again with the same key. Of several summaries of a day the last one stands. Not Sendable.
package final class AppleExportReader {
  /// Refused records that are listed; further ones are only counted.
  package static let mostRefusals = 10_000
  /// Without samples a slice ends after this many bytes of the document, so that progress is seen, a cancellation is heard and
  /// the lease of the import is renewed.
  package static let bytesPerSlice: Int64 = 8 << 20

  private let source: ByteSource
  private let receivedAt: Instant
  private let sliceSize: Int
  private var xml: XMLReader
  private var sources = SourceTable()
  private var zones = ZoneNames()
  private var fingerprint = Fingerprint()
  private var scratch: [UInt8] = []
  private var held: Held?
  private var listed = 0
  private var over = false
  /// The last slice is out.
  private var drained = false

  package private(set) var counts = IntakeCounts()
  /// When the phone wrote the export, if it says so.
  package private(set) var exportedAt: Instant?
  /// Known after the last slice: the file ended before its data did. Then it adds but proves no absence.
  package private(set) var isTruncated = false

  /// A record whose children are still being read.
  private enum Held {
    case step(StepRecord)
    case refused(Objection)
  }

  /// Finds the health data in the file at `path`, zipped or not.
  package convenience init(
    path: String, receivedAt: Instant, sliceSize: Int = 1000, limits: ZipLimits = ZipLimits()
  ) throws(IntakeProblem) {
    self.init(try AppleExport.open(path, limits: limits), receivedAt: receivedAt, sliceSize: sliceSize)
  }

  /// Reads a document that was already found.
  package init(_ source: ByteSource, receivedAt: Instant, sliceSize: Int = 1000) {
    self.source = source
    self.receivedAt = receivedAt
    self.sliceSize = max(1, sliceSize)
    xml = XMLReader(source, for: AppleElement.interest)
  }

  /// Bytes of the file that were read, and all of them: of a zip file the packed ones.
  package var progress: (read: Int64, of: Int64) { (source.filePosition, source.fileBytes) }

  /// The next slice; nil after the last one. A slice may be empty. Throws if the whole file is to be refused.
  package func next() throws(IntakeProblem) -> Batch? {
    guard !drained else { return nil }
    var slice = Batch(feed: .apple)
    let end = xml.position + AppleExportReader.bytesPerSlice
    do throws(ArchiveError) {
      while !over, size(slice) < sliceSize, xml.position < end {
        take(try xml.next(), into: &slice)
      }
      if over { try drain() }
    } catch { throw AppleExport.problem(error) }
    if drained, isTruncated { slice.fileErrors.append(.truncated) }
    slice.sources = sources.sources
    slice.zones = zones.names
    counts.records = xml.number
    return slice
  }

  private func size(_ slice: Batch) -> Int { slice.samples.count + slice.summaries.count + slice.refused.count }

  private func take(_ event: XMLEvent, into slice: inout Batch) {
    switch event {
    case .start(AppleElement.record.rawValue, let empty):
      release(into: &slice)
      held = readRecord()
      heldNumber = xml.number
      if empty { release(into: &slice) }
    case .end(AppleElement.record.rawValue):
      release(into: &slice)
    case .start(AppleElement.metadataEntry.rawValue, _):
      guard xml.number == heldNumber, case .step(var record) = held else { return }
      record.read(metadata: &xml)
      held = .step(record)
    case .start(AppleElement.activitySummary.rawValue, _):
      release(into: &slice)
      readSummary(into: &slice)
    case .start(AppleElement.exportDate.rawValue, _):
      exportedAt = exportedAt ?? xml.instant("value")
    case .finished(let whole):
      if whole { release(into: &slice) }
      over = true
      isTruncated = !whole
    default: break
    }
  }

  private var heldNumber = 0

  private func readRecord() -> Held {
    do throws(Objection) {
      return .step(try StepRecord(&xml, &sources, scratch: &scratch, receivedAt: receivedAt))
    } catch { return .refused(error) }
  }

  /// The record that was being read is complete.
  private func release(into slice: inout Batch) {
    guard let complete = held else { return }
    held = nil
    switch complete {
    case .refused(let objection): refuse(objection, heldNumber, into: &slice)
    case .step(let record):
      if let sample = record.sample(&sources, &zones, &fingerprint) {
        slice.samples.append(sample)
        counts.samples += 1
      } else {
        refuse(Objection(.noSource, "more sources than a person can have"), heldNumber, into: &slice)
      }
    }
  }

  private func readSummary(into slice: inout Batch) {
    do throws(Objection) {
      let summary = try SummaryRecord.read(&xml, receivedAt: receivedAt)
      slice.summaries.removeAll { $0.day == summary.day }
      slice.summaries.append(summary)
      counts.summaries += 1
    } catch { refuse(error, xml.number, into: &slice) }
  }

  private func refuse(_ objection: Objection, _ record: Int, into slice: inout Batch) {
    counts.refused[objection.reason, default: 0] += 1
    guard listed < AppleExportReader.mostRefusals else {
      slice.unlisted += 1
      return
    }
    listed += 1
    slice.refused.append(Refusal(record: record, reason: objection.reason, detail: objection.detail))
  }

  /// Reads on behind the data, so that a checksum that does not match is noticed.
  private func drain() throws(ArchiveError) {
    if isTruncated { return drained = true }
    guard let isWhole = try xml.drain() else { return }
    isTruncated = !isWhole
    drained = true
  }
}
