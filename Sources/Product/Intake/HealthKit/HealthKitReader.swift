package import Activity
import Archive

/// Reads the body of `POST /api/batches`: HealthKit's objects as PhoneKit sends them (formats.md e, decisions.md "Upload JSON").
///
/// Keys come in any order and unknown ones are passed over. Each item is taken or refused by itself; only text that is no JSON,
/// a body without any list, or too many items refuse the whole. Nothing is kept from call to call.
package struct HealthKitReader {
  /// Items of all lists together.
  package static let mostItems = 10_000
  private static let longestText = 1024
  /// Bytes of about the shortest sample that phones write: how many may be in a body of a length.
  private static let shortestSample = 250

  private let receivedAt: Instant
  private var json: JSONReader
  private var upload = Upload(feed: .healthKit)
  private var sources = HealthKitSources()
  private var keys = HealthKitKeys()
  private var zones = ZoneNames()
  private var hasList = false

  /// `body` is the whole text, unpacked.
  package static func read(_ body: [UInt8], receivedAt: Instant) throws(UploadFault) -> Upload {
    var reader = HealthKitReader(
      receivedAt: receivedAt, json: JSONReader(whole: body, longestString: longestText), length: body.count)
    do throws(JSONError) { try reader.readBody() } catch {
      throw reader.fault ?? UploadFault(error, length: body.count)
    }
    if let fault = reader.fault { throw fault }
    guard reader.hasList else { throw .badShape(what: "one of added, deleted, activitySummaries, asked is needed") }
    reader.upload.batch.sources = reader.sources.sources
    reader.upload.batch.zones = reader.zones.names
    return reader.upload
  }

  private init(receivedAt: Instant, json: JSONReader, length: Int) {
    self.receivedAt = receivedAt
    self.json = json
    let room = min(length / HealthKitReader.shortestSample, HealthKitReader.mostItems)
    upload.batch.samples.reserveCapacity(room)
    upload.sampleItems.reserveCapacity(room)
  }

  /// Set where the text is JSON but cannot be used; reading stops there.
  private var fault: UploadFault?

  private mutating func readBody() throws(JSONError) {
    guard try json.next() == .beginObject else { return fault = .badShape(what: "the body is not an object") }
    while fault == nil, try json.next() == .key {
      if json.isText("added") {
        try readList("added") { (reader, first) throws(JSONError) in try reader.readAdded(first) }
      } else if json.isText("deleted") {
        try readList("deleted") { (reader, first) throws(JSONError) in try reader.readDeleted(first) }
      } else if json.isText("activitySummaries") {
        try readList("activitySummaries") { (reader, first) throws(JSONError) in try reader.readSummary(first) }
      } else if json.isText("asked") {
        try readList("asked") { (reader, first) throws(JSONError) in try reader.readAsked(first) }
      } else if json.isText("batch") {
        upload.id = try readText()?.lowercased()
      } else if json.isText("zone") {
        upload.zone = try readText()
      } else {
        try skipValue()
      }
    }
    if fault == nil { _ = try json.next() }
  }

  /// Calls `item` with the first token of each item, which must take the rest.
  private mutating func readList(
    _ name: String, _ item: (inout HealthKitReader, JSONReader.Token) throws(JSONError) -> Void
  ) throws(JSONError) {
    switch try json.next() {
    case .null: return
    case .beginArray: hasList = true
    default: return fault = .badShape(what: "\(name) is not a list")
    }
    while fault == nil {
      let first = try json.next()
      if first == .endArray { return }
      guard upload.received < HealthKitReader.mostItems else {
        return fault = .tooManyItems(limit: HealthKitReader.mostItems)
      }
      try item(&self, first)
    }
  }

  private mutating func readText() throws(JSONError) -> String? {
    let token = try json.next()
    if token == .string || token == .number { return json.string() }
    try json.finishValue(after: token)
    return nil
  }

  private mutating func skipValue() throws(JSONError) { try json.finishValue(after: try json.next()) }

  // MARK: items

  private mutating func readAdded(_ first: JSONReader.Token) throws(JSONError) {
    upload.added += 1
    let draft = try HealthKitSample.read(&json, after: first, &sources)
    guard draft.isSteps else { return upload.ignored += 1 }
    let item = Upload.Item(list: .added, record: upload.added, id: draft.id)
    do throws(Objection) {
      var sample = try draft.judged(receivedAt: receivedAt, &sources, &keys)
      sample.zone = draft.zone.flatMap { zones.index(of: $0) }
      if let identifier = draft.syncIdentifier, let version = draft.syncVersion {
        upload.batch.syncs.append(
          SyncVersion(sample: upload.batch.samples.count, identifier: identifier, version: version))
      }
      upload.batch.samples.append(sample)
      upload.sampleItems.append(item)
    } catch { refuse(item, error) }
  }

  private mutating func readDeleted(_ first: JSONReader.Token) throws(JSONError) {
    upload.deleted += 1
    let deleted = try HealthKitDeletion.read(&json, after: first)
    let item = Upload.Item(list: .deleted, record: upload.deleted, id: deleted.id)
    guard !deleted.id.isEmpty else { return refuse(item, Objection(.noID)) }
    upload.batch.deletions.append(Deletion(key: keys.key(of: deleted.id), start: deleted.start))
    upload.deletionItems.append(item)
  }

  private mutating func readSummary(_ first: JSONReader.Token) throws(JSONError) {
    upload.summaries += 1
    let summary = try HealthKitSummary.read(&json, after: first)
    let item = Upload.Item(list: .activitySummaries, record: upload.summaries, id: summary.draft.dayText)
    do throws(Objection) {
      if let objection = summary.objection { throw objection }
      upload.batch.summaries.append(try summary.draft.judged(receivedAt: receivedAt))
      upload.summaryItems.append(item)
    } catch { refuse(item, error) }
  }

  /// A stretch that cannot be read declares nothing: the server asks again.
  private mutating func readAsked(_ first: JSONReader.Token) throws(JSONError) {
    var type: DataType?
    var from: Instant?
    var to: Instant?
    var complete = false
    try json.readFields(after: first) { (json) throws(JSONError) in
      if json.isText("type") {
        type = try json.textValue().flatMap { DataType(healthKit: $0) }
      } else if json.isText("from") {
        from = try json.instantValue()
      } else if json.isText("to") {
        to = try json.instantValue()
      } else if json.isText("complete") {
        complete = try json.next() == .yes
      } else {
        try json.finishValue(after: try json.next())
      }
    }
    guard let type, let from, let to, from < to else { return }
    upload.asked.append(Upload.Asked(type: type, interval: from..<to, complete: complete))
  }

  private mutating func refuse(_ item: Upload.Item, _ objection: Objection) {
    upload.refused.append(Upload.Refused(item: item, reason: objection.reason, detail: objection.detail))
  }
}

extension DataType {
  /// `stepCount` or HealthKit's full identifier of it.
  init?(healthKit name: some StringProtocol) {
    for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"] where name.hasPrefix(prefix) {
      guard let first = name.dropFirst(prefix.count).first else { return nil }
      self.init(named: first.lowercased() + name.dropFirst(prefix.count + 1))
      return
    }
    self.init(named: name)
  }
}
