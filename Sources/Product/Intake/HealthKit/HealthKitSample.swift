import Activity
import Archive
import Secrets

/// One quantity sample of HealthKit as it is read, before it is judged.
struct HealthKitSample {
  private(set) var id = ""
  private(set) var zone: String?
  private(set) var syncIdentifier: String?
  private(set) var syncVersion: Int64?
  /// True if the item is one of steps, or does not say what it is.
  private(set) var isSteps = true
  private var source: Int32?
  private var unit: String?
  private var isStepUnit = true
  private var count: Double?
  private var countText = ""
  private var start: Instant?
  private var startText = ""
  private var end: Instant?
  private var endText = ""
  private var recorded: Instant?
  private var recordedText: String?
  private var byHand = false

  static func read(
    _ json: inout JSONReader, after first: JSONReader.Token, _ sources: inout HealthKitSources
  ) throws(JSONError) -> HealthKitSample {
    var sample = HealthKitSample()
    try json.readFields(after: first) { (json) throws(JSONError) in try sample.readField(&json, &sources) }
    return sample
  }

  private mutating func readField(_ json: inout JSONReader, _ sources: inout HealthKitSources) throws(JSONError) {
    if json.isText("uuid") {
      id = try json.textValue() ?? ""
    } else if json.isText("type") {
      try readType(&json)
    } else if json.isText("start") {
      start = try json.instantValue()
      if start == nil { startText = json.detail }
    } else if json.isText("end") {
      end = try json.instantValue()
      if end == nil { endText = json.detail }
    } else if json.isText("recorded") {
      try readRecorded(&json)
    } else if json.isText("value") {
      count = try json.numberValue().value
      if count == nil { countText = json.detail }
    } else if json.isText("unit") {
      try readUnit(&json)
    } else if json.isText("source") {
      source = try sources.read(&json)
    } else if json.isText("metadata") {
      try readMetadata(&json)
    } else {
      try json.finishValue(after: try json.next())
    }
  }

  private mutating func readType(_ json: inout JSONReader) throws(JSONError) {
    let token = try json.next()
    if token == .string {
      isSteps = json.isText("HKQuantityTypeIdentifierStepCount") || json.isText("stepCount")
    } else {
      try json.finishValue(after: token)
    }
  }

  private mutating func readUnit(_ json: inout JSONReader) throws(JSONError) {
    let token = try json.next()
    if token == .null { return }
    if token == .string, json.isText("count") || json.withText(Judgement.isStepUnit) { return }
    isStepUnit = false
    unit = token == .string || token == .number ? json.detail : ""
    try json.finishValue(after: token)
  }

  private mutating func readRecorded(_ json: inout JSONReader) throws(JSONError) {
    let token = try json.next()
    if token == .null { return }
    if token == .string { recorded = json.withText { Timestamp.read($0) } }
    if recorded == nil { recordedText = token == .string || token == .number ? json.detail : "" }
    try json.finishValue(after: token)
  }

  private mutating func readMetadata(_ json: inout JSONReader) throws(JSONError) {
    let token = try json.next()
    guard token == .beginObject else { return try json.finishValue(after: token) }
    while try json.next() == .key {
      if json.isText("HKWasUserEntered") {
        byHand = try json.flagValue()
      } else if json.isText("HKTimeZone") {
        zone = try json.textValue()
      } else if json.isText("HKMetadataKeySyncIdentifier") {
        syncIdentifier = try json.textValue()
      } else if json.isText("HKMetadataKeySyncVersion") {
        syncVersion = try json.numberValue().value.flatMap { Int64(exactly: $0.rounded(.down)) }
      } else {
        try json.finishValue(after: try json.next())
      }
    }
  }

  /// The sample, or the first failing test in the order of merge.md 7. Its zone is set by the caller.
  func judged(
    receivedAt: Instant, _ sources: inout HealthKitSources, _ keys: inout HealthKitKeys
  ) throws(Objection) -> Sample {
    guard isStepUnit else { throw Objection(.badUnit, unit ?? "") }
    guard let source = byHand ? sources.manual() : source else { throw Objection(.noSource) }
    guard !id.isEmpty else { throw Objection(.noID) }
    guard let count else { throw Objection(.badNumber, countText) }
    guard let start else { throw Objection(.badDate, startText) }
    guard let end else { throw Objection(.badDate, endText) }
    if let recordedText { throw Objection(.badDate, recordedText) }
    if let fault = Judgement.times(start: start, end: end, receivedAt: receivedAt) { throw Objection(fault.reason) }
    if let reason = Judgement.steps(count) { throw Objection(reason) }
    return Sample(
      start: start, end: end, count: count, recorded: recorded, key: keys.key(of: id), source: source)
  }
}

/// HKDeletedObject.
struct HealthKitDeletion {
  private(set) var id = ""
  private(set) var start: Instant?

  static func read(_ json: inout JSONReader, after first: JSONReader.Token) throws(JSONError) -> HealthKitDeletion {
    var deleted = HealthKitDeletion()
    try json.readFields(after: first) { (json) throws(JSONError) in
      if json.isText("uuid") {
        deleted.id = try json.textValue() ?? ""
      } else if json.isText("start") {
        deleted.start = try json.instantValue()
      } else {
        try json.finishValue(after: try json.next())
      }
    }
    return deleted
  }
}
