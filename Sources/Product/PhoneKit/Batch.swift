#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
      try container.encode(InstantText.write(date))
    }
    return try encoder.encode(self)
  }

  /// What `body` wrote.
  public static func read(_ body: Data) throws -> UploadBatch {
    try InstantText.decoder().decode(UploadBatch.self, from: body)
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
