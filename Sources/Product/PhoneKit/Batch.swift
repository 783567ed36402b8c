public import Foundation

/// What one request carries. Its id is made once, before the first try, so that a repeat is recognised by the server.
public struct UploadBatch: Codable, Sendable, Equatable {
  public var batch: String
  public var zone: String
  public var asked: [AskedInterval]
  public var added: [HealthSample]
  public var deleted: [HealthDeletion]
  public var activitySummaries: [HealthActivitySummary]

  /// The most items that the server takes in one batch.
  public static let largest = 10_000

  public init(id: String, zone: String, changes: HealthChanges) {
    batch = id
    self.zone = zone
    asked = changes.asked
    added = changes.added
    deleted = changes.deleted
    activitySummaries = changes.activitySummaries
  }

  public var count: Int { added.count + deleted.count + activitySummaries.count }

  /// The body of `POST /api/batches`: ISO 8601 instants in UTC with milliseconds.
  public func body() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Self.instant))
    }
    return try encoder.encode(self)
  }

  /// Two batches of about half the items, with ids of their own; nil if it cannot be cut.
  public func halves(ids: (String, String)) -> (UploadBatch, UploadBatch)? {
    guard count > 1 else { return nil }
    var first = self
    var second = self
    first.batch = ids.0
    second.batch = ids.1
    (first.added, second.added) = Self.cut(added)
    (first.deleted, second.deleted) = Self.cut(deleted)
    (first.activitySummaries, second.activitySummaries) = Self.cut(activitySummaries)
    if first.count == 0 || second.count == 0 { return cutUnevenly(first, second) }
    first.asked = []  // complete only when both halves are there
    return (first, second)
  }

  private static let instant = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func cut<T>(_ items: [T]) -> ([T], [T]) {
    let half = items.count / 2
    return (Array(items.prefix(half)), Array(items.dropFirst(half)))
  }

  /// One item of each kind: halving each kind put everything on one side.
  private func cutUnevenly(_ first: UploadBatch, _ second: UploadBatch) -> (UploadBatch, UploadBatch) {
    var (one, two) = (first, second)
    one.asked = []
    if !added.isEmpty {
      one.added = added
      two.added = []
    } else {
      one.deleted = deleted
      two.deleted = []
    }
    return (one, two)
  }
}

/// One HTTP request to a Stepwell server; the address is the server's base address plus `path`.
public struct UploadRequest: Sendable, Equatable {
  public var method: String
  public var path: String
  public var fields: [String: String]
  public var body: Data
}

/// What the server answered.
public struct UploadReply: Sendable, Equatable {
  public var status: Int
  /// Seconds of `Retry-After`, if it was sent.
  public var retryAfter: TimeInterval?
  public var body: Data

  public init(status: Int, retryAfter: TimeInterval? = nil, body: Data = Data()) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// The server's answer to a stored batch, as far as a phone acts on it.
public struct StoredReply: Decodable, Sendable, Equatable {
  public struct Wanted: Decodable, Sendable, Equatable {
    public var type: String
    public var from: Date
    public var to: Date
  }

  public struct Item: Decodable, Sendable, Equatable {
    public var list: String?
    public var record: Int?
    public var id: String?
    public var result: String
    public var message: String?
  }

  public var received: Int?
  public var counts: [String: Int]?
  public var items: [Item]?
  public var wanted: [Wanted]?

  public static func read(_ body: Data) throws -> StoredReply {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      for fraction in [true, false] {
        if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)) {
          return date
        }
      }
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an instant: \(text)"))
    }
    return try decoder.decode(StoredReply.self, from: body)
  }
}
