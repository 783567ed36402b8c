// rooms: Bytes Activity Archive Secrets Intake
import Activity
import Archive
import Intake

/// A phone's upload from its bytes to samples, in both formats. The first byte chooses the format; what every reader promises to the
/// server must hold: each thing has its item, every position points into its list, nothing that was taken is beyond the rules.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let format = input.first else { return 0 }
  let body = Array(input.dropFirst())
  let now = Instant(milliseconds: 1_796_000_000_000)
  do throws(UploadFault) {
    if format % 2 == 0 {
      let upload = try HealthKitReader.read(body, receivedAt: now)
      let named = upload.sampleItems.count + upload.summaryItems.count + upload.deletionItems.count
      checkSame(named + upload.refused.count + upload.ignored, upload.received, "every item is accounted for")
      look(at: upload, now)
    } else {
      let zones = ZoneHistory([], in: ZoneTable(files: [:]))
      let aggregation = [nil, "minutes", "hours", "days", "nonsense"][Int(format) / 2 % 5]
      look(at: try HealthAutoExportReader.read(body, aggregation: aggregation, zones: zones, receivedAt: now), now)
    }
  } catch {
    if case .badJSON(let offset) = error { check((0...body.count).contains(offset)) }
  }
  return 0
}

private func look(at upload: Upload, _ now: Instant) {
  let batch = upload.batch
  checkSame(batch.samples.count, upload.sampleItems.count, "samples and items")
  checkSame(batch.summaries.count, upload.summaryItems.count, "summaries and items")
  checkSame(batch.deletions.count, upload.deletionItems.count, "deletions and items")
  for sample in batch.samples {
    check(batch.sources.indices.contains(Int(sample.source)))
    check(sample.zone.map { batch.zones.indices.contains(Int($0)) } ?? true)
    check(sample.start <= sample.end && sample.end.milliseconds(since: sample.start) <= Sample.longest)
    check(sample.end <= now.advanced(milliseconds: 600_000))
    check(sample.count >= 0 && sample.count <= 1_000_000)
  }
  for sync in batch.syncs { check(batch.samples.indices.contains(sync.sample)) }
}
