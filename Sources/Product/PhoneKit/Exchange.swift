#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  /// A stretch of time that the server asks to be sent again.
  public struct Wanted: Decodable, Sendable, Equatable {
    public var type: String
    public var from: Date
    public var to: Date
  }

  /// An item that was neither stored nor known.
  public struct Item: Decodable, Sendable, Equatable {
    public var list: String?
    public var record: Int?
    public var id: String?
    public var result: String
    public var message: String?
  }

  /// The batch that it answers for.
  public var batch: String?
  public var received: Int?
  public var counts: [String: Int]?
  public var items: [Item]?
  public var wanted: [Wanted]?

  public static func read(_ body: Data) throws -> StoredReply {
    try InstantText.decoder().decode(StoredReply.self, from: body)
  }
}
