import Activity
import Bytes
import Intake
import Storage

/// What a device is told of its upload (decisions.md "Upload JSON"). The bytes are kept with the batch: the same batch gets
/// them again.
struct UploadAnswer {
  /// More than a native batch can hold; an export of other formats has its first ones named.
  private static let mostItems = 10_000

  let bytes: [UInt8]

  private struct Item {
    let list: String
    let record: Int
    let id: String
    let result: String
    let message: String
  }

  init(_ upload: Intake.Upload, _ outcome: UploadOutcome, id: String, isKnownZone: Bool, words: Words) {
    var counts: [String: Int] = [:]
    var items: [Item] = []
    func note(_ item: Intake.Upload.Item, _ result: String, _ message: ApiText?) {
      counts[result, default: 0] += 1
      guard let message, items.count < Self.mostItems else { return }
      items.append(
        Item(list: item.list.name, record: item.record, id: item.id, result: result, message: words.text(message)))
    }
    // Most are stored, and those are named nowhere.
    var stored = 0
    for (item, result) in zip(upload.sampleItems, outcome.results) {
      if case .stored = result { stored += 1 } else { note(item, result.rawValue, ApiText.of(result)) }
    }
    if stored > 0 { counts[SampleResult.stored.rawValue] = stored }
    let mayDelete = outcome.types.contains(.stepCount)
    for (place, item) in upload.deletionItems.enumerated() {
      let result = mayDelete && outcome.deletions.indices.contains(place) ? outcome.deletions[place] : .consentMissing
      note(item, result.rawValue, ApiText.of(result))
    }
    let hasRings = outcome.types.contains(.activitySummary)
    for item in upload.summaryItems {
      note(item, hasRings ? "stored" : "consent_missing", hasRings ? nil : .consentMissing)
    }
    for refused in upload.refused {
      counts[refused.reason.rawValue, default: 0] += 1
      guard items.count < Self.mostItems else { continue }
      items.append(
        Item(
          list: refused.item.list.name, record: refused.item.record, id: refused.item.id,
          result: refused.reason.rawValue, message: words.text(RefusalText.of(refused.reason))))
    }
    if upload.ignored > 0 { counts["ignored"] = upload.ignored }
    if !isKnownZone {
      items.append(
        Item(
          list: "zone", record: 1, id: upload.zone ?? "", result: RefusalReason.badZone.rawValue,
          message: words.text(RefusalText.badZone)))
    }
    bytes = Self.bytes(upload, outcome, id: id, counts: counts, items: items)
  }

  private static func bytes(
    _ upload: Intake.Upload, _ outcome: UploadOutcome, id: String, counts: [String: Int], items: [Item]
  ) -> [UInt8] {
    var out: [UInt8] = []
    out.append("{\"batch\":")
    out.append(jsonString: id)
    out.append(",\"received\":")
    out.append(decimal: upload.received)
    out.append(",\"counts\":{")
    out.append(joined: counts.sorted { $0.key < $1.key }) { out, count in
      out.append(jsonString: count.key)
      out.append(":")
      out.append(decimal: count.value)
    }
    out.append("},\"items\":[")
    out.append(joined: items) { out, item in
      out.append("{\"list\":")
      out.append(jsonString: item.list)
      out.append(",\"record\":")
      out.append(decimal: item.record)
      out.append(",\"id\":")
      out.append(jsonString: item.id)
      out.append(",\"result\":")
      out.append(jsonString: item.result)
      out.append(",\"message\":")
      out.append(jsonString: item.message)
      out.append("}")
    }
    out.append("],\"coveredThrough\":{")
    let covered = outcome.coverage.filter { outcome.types.contains($0.key) }.sorted {
      $0.key.rawValue < $1.key.rawValue
    }
    out.append(joined: covered.compactMap { type, coverage in coverage.through.map { (type, $0) } }) { out, entry in
      out.append(jsonString: entry.0.name)
      out.append(":")
      out.append(jsonString: entry.1.iso)
    }
    out.append("},\"wanted\":[")
    let wanted = covered.flatMap { type, coverage in gaps(of: type, coverage, upload).map { (type, $0) } }
    out.append(joined: wanted.prefix(100)) { out, entry in
      out.append("{\"type\":")
      out.append(jsonString: entry.0.name)
      out.append(",\"from\":")
      out.append(jsonString: entry.1.lowerBound.iso)
      out.append(",\"to\":")
      out.append(jsonString: entry.1.upperBound.iso)
      out.append("}")
    }
    out.append("]}")
    return out
  }

  /// What lies between the first and the last stretch that was declared complete or asked about, and was never declared.
  private static func gaps(of type: DataType, _ coverage: Coverage, _ upload: Intake.Upload) -> [Range<Instant>] {
    let known = coverage.complete + upload.asked.filter { $0.type == type }.map(\.interval)
    guard let from = known.map(\.lowerBound).min(), let to = known.map(\.upperBound).max(), from < to else { return [] }
    return coverage.missing(in: from..<to)
  }
}

extension [UInt8] {
  /// Elements with commas between them.
  fileprivate mutating func append<Elements: Sequence>(
    joined elements: Elements, _ write: (inout [UInt8], Elements.Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if !isFirst { append(",") }
      isFirst = false
      write(&self, element)
    }
  }
}

/// Why an item of an upload was not stored as it came, in words.
enum ApiText: String, TextKeys {
  case replaced = "uploads.replaced", older = "uploads.older", deleted = "uploads.deleted"
  case consentMissing = "uploads.consentMissing"

  static func of(_ result: SampleResult) -> ApiText? {
    switch result {
    case .stored, .duplicate: nil
    case .replaced: .replaced
    case .older: .older
    case .deleted: .deleted
    case .consentMissing: .consentMissing
    }
  }
}
