import Activity
import Archive
import Bytes

/// The elements of an Apple export that matter here, and their attributes.
enum AppleElement: Int {
  case record, activitySummary, metadataEntry, exportDate

  /// Records and summaries are numbered together, of whatever type and wherever they stand.
  static let interest: XMLInterest = {
    var interest = XMLInterest(root: "HealthData")
    let steps = XMLInterest.Condition(attribute: "type", value: "HKQuantityTypeIdentifierStepCount")
    interest.add("Record", counted: true, only: steps)
    interest.add("ActivitySummary", counted: true)
    interest.add("MetadataEntry")
    interest.add("ExportDate")
    return interest
  }()
}

extension XMLReader {
  mutating func text(_ name: StaticString) -> String? { attribute(name) { String($0) } }

  /// The value of an attribute without the blanks around it, cut for people to read; "" if there is none.
  mutating func detail(_ name: StaticString) -> String {
    attribute(name) { text in
      let range = Blanks.trimmed(text)
      return String(text.extracting(range)).cut(toBytes: Objection.longestDetail)
    } ?? ""
  }

  /// True if the attribute is missing or blank.
  mutating func isBlank(_ name: StaticString) -> Bool {
    attribute(name) { Blanks.trimmed($0).isEmpty } ?? true
  }

  /// Nil if the attribute is missing or cannot be read.
  mutating func instant(_ name: StaticString) -> Instant? { attribute(name) { Timestamp.read($0) } ?? nil }

  /// Nil if the attribute is missing or not written as a number.
  mutating func number(_ name: StaticString) -> Double? { attribute(name) { Decimal.read($0) } ?? nil }
}

/// A refusal that is not yet tied to a record.
struct Objection: Error {
  /// Bytes of what people are shown of a value that was refused.
  static let longestDetail = 120

  var reason: RefusalReason
  var detail: String

  init(_ reason: RefusalReason, _ detail: String = "") {
    self.reason = reason
    self.detail = detail
  }
}
