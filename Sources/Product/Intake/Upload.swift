package import Activity
import Archive

/// What a phone sent in one request, whatever its format: the batch, and what the answer needs to speak of single items.
package struct Upload: Sendable {
  /// The lists of an upload; records are counted from 1 in each.
  package enum List: Int16, Sendable {
    case added, deleted, activitySummaries
    package var name: String {
      switch self {
      case .added: "added"
      case .deleted: "deleted"
      case .activitySummaries: "activitySummaries"
      }
    }
  }

  /// One item and the id it came with; `id` is empty where there was none.
  package struct Item: Hashable, Sendable {
    package var list: List
    package var record: Int
    package var id: String
  }

  /// An item that was not taken, by its place in the upload.
  package struct Refused: Hashable, Sendable {
    package var item: Item
    package var reason: RefusalReason
    package var detail: String
  }

  /// A stretch of time that the phone was asked about.
  package struct Asked: Hashable, Sendable {
    package var type: DataType
    package var interval: Range<Instant>
    package var complete: Bool
  }

  /// `samples[i]` came as `sampleItems[i]`, `summaries[i]` as `summaryItems[i]`, `deletions[i]` as `deletionItems[i]`. Its
  /// `refused` is empty: see `refused` here.
  package var batch: Batch
  /// The phone's own id of this batch, lower-case.
  package var id: String?
  /// IANA name of the zone that the phone is in.
  package var zone: String?
  package var asked: [Asked] = []
  package var sampleItems: [Item] = []
  package var summaryItems: [Item] = []
  package var deletionItems: [Item] = []
  package var refused: [Refused] = []
  /// Items of types that are not stored; they are counted and named nowhere.
  package var ignored = 0
  /// How many items each list had.
  package var added = 0
  package var deleted = 0
  package var summaries = 0

  package init(feed: Feed) { batch = Batch(feed: feed) }

  package var received: Int { added + deleted + summaries }
}

/// Why a whole upload cannot be read.
package enum UploadFault: Error, Hashable, Sendable {
  /// Not the JSON of RFC 8259; the offset counts bytes of the unpacked body.
  case badJSON(offset: Int)
  /// JSON, but not of this format; `what` names the key or says what is missing.
  case badShape(what: String)
  case tooManyItems(limit: Int)
  case textTooLong(limit: Int)

  init(_ error: JSONError, length: Int) {
    switch error {
    case .unexpected(let offset): self = .badJSON(offset: offset)
    case .endedEarly: self = .badJSON(offset: length)
    case .tooDeep(let limit): self = .badShape(what: "nested deeper than \(limit)")
    case .stringTooLong(let limit): self = .textTooLong(limit: limit)
    }
  }
}
