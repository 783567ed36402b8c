package import Activity
import Archive

/// Reads what the iOS app Health Auto Export sends (formats.md b): totals of the phone over buckets of time, which already contain
/// everything the phone knows (merge.md 3.1).
///
/// `data.metrics[]` with `name`, `units` and `data[]` of `date` and `qty`. Only `step_count` is taken; the points of other metrics are
/// counted and left alone. Records are numbered over all points in the order of the text.
package struct HealthAutoExportReader {
  /// Points of all metrics together.
  package static let mostItems = 1_000_000
  private static let longestText = 1024

  private let bucket: Bucket
  private let receivedAt: Instant
  private var json: JSONReader
  private var upload = Upload(feed: .healthAutoExport)
  private var fingerprint = Fingerprint()
  private var fault: UploadFault?

  /// `aggregation` is the header `automation-aggregation`; `zones` decide where a day ends.
  package static func read(
    _ body: [UInt8], aggregation: String?, zones: ZoneHistory, receivedAt: Instant
  ) throws(UploadFault) -> Upload {
    var reader = HealthAutoExportReader(
      bucket: Bucket(aggregation: aggregation, zones: zones), receivedAt: receivedAt,
      json: JSONReader(whole: body, longestString: longestText))
    do throws(JSONError) { try reader.readBody() } catch {
      throw reader.fault ?? UploadFault(error, length: body.count)
    }
    if let fault = reader.fault { throw fault }
    reader.upload.batch.sources = [reader.source]
    return reader.upload
  }

  private init(bucket: Bucket, receivedAt: Instant, json: JSONReader) {
    self.bucket = bucket
    self.receivedAt = receivedAt
    self.json = json
  }

  private let source = Source(key: "merged:hae", sourceClass: .merged, device: "Health Auto Export")

  private mutating func readBody() throws(JSONError) {
    guard try json.next() == .beginObject else { return fault = .badShape(what: "the body is not an object") }
    var hasData = false
    while fault == nil, try json.next() == .key {
      if json.isText("data") {
        hasData = true
        try readData()
      } else {
        try json.finishValue(after: try json.next())
      }
    }
    guard fault == nil else { return }
    if !hasData { fault = .badShape(what: "data is missing") }
    _ = try json.next()
  }

  private mutating func readData() throws(JSONError) {
    let first = try json.next()
    guard first == .beginObject || first == .null else { return fault = .badShape(what: "data is not an object") }
    guard first == .beginObject else { return }
    while fault == nil, try json.next() == .key {
      guard json.isText("metrics") else {
        try json.finishValue(after: try json.next())
        continue
      }
      let token = try json.next()
      guard token == .beginArray else {
        try json.finishValue(after: token)
        continue
      }
      while fault == nil, case let metric = try json.next(), metric != .endArray { try readMetric(metric) }
    }
  }

  /// Keys come in any order, so the points are read when the name is known.
  private mutating func readMetric(_ first: JSONReader.Token) throws(JSONError) {
    guard first == .beginObject else { return try json.finishValue(after: first) }
    var name = ""
    var unit: String?
    var points: JSONReader?
    while try json.next() == .key {
      if json.isText("name") {
        name = try json.textValue() ?? ""
      } else if json.isText("units") {
        unit = try json.textValue()
      } else if json.isText("data") {
        let token = try json.next()
        let start = json.offset - 1
        try json.finishValue(after: token)
        if token == .beginArray { points = json.part(start..<json.offset) }
      } else {
        try json.finishValue(after: try json.next())
      }
    }
    guard var points else { return }
    _ = try points.next()
    while fault == nil, case let point = try points.next(), point != .endArray {
      guard upload.added < HealthAutoExportReader.mostItems else {
        return fault = .tooManyItems(limit: HealthAutoExportReader.mostItems)
      }
      upload.added += 1
      if name == "step_count" {
        try readPoint(&points, point, unit: unit)
      } else {
        upload.ignored += 1
        try points.finishValue(after: point)
      }
    }
  }

  private mutating func readPoint(
    _ points: inout JSONReader, _ first: JSONReader.Token, unit: String?
  ) throws(JSONError) {
    var (date, dateText): (BucketDate?, String) = (nil, "")
    var (count, countText): (Double?, String) = (nil, "")
    try points.readFields(after: first) { (json) throws(JSONError) in
      if json.isText("date") {
        let token = try json.next()
        guard token == .string else { return try json.finishValue(after: token) }
        (date, dateText) = (json.withText { BucketDate($0) }, json.detail)
      } else if json.isText("qty") {
        count = try json.numberValue().value
        countText = json.detail
      } else {
        try json.finishValue(after: try json.next())
      }
    }
    let item = Upload.Item(list: .added, record: upload.added, id: dateText)
    do throws(Objection) {
      guard Judgement.isStepUnit(Array((unit ?? "").utf8).span) else { throw Objection(.badUnit, unit ?? "") }
      guard let count else { throw Objection(.badNumber, countText) }
      guard let date else { throw Objection(.badDate, dateText) }
      upload.batch.samples.append(try sample(date, count))
      upload.sampleItems.append(item)
    } catch { upload.refused.append(Upload.Refused(item: item, reason: error.reason, detail: error.detail)) }
  }

  /// The end of a bucket is implied, so it is cut at receipt instead of being refused; the start is the phone's own.
  private mutating func sample(_ date: BucketDate, _ count: Double) throws(Objection) -> Sample {
    guard let (start, whole) = bucket.interval(date) else { throw Objection(.bucketTooLong) }
    let end = min(whole, max(start, receivedAt))
    if let fault = Judgement.times(start: start, end: end, receivedAt: receivedAt) { throw Objection(fault.reason) }
    if let reason = Judgement.steps(count) { throw Objection(reason) }
    return Sample(
      start: start, end: end, count: count, recorded: receivedAt,
      key: fingerprint.bucketKey(feed: .healthAutoExport, source: source.key, type: .stepCount, start: start, end: end),
      source: 0)
  }
}
