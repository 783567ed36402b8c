#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How long to wait before the next try: doubles from one second to fifteen minutes, with a random share so that phones of one family do not
/// come at the same moment. What the server asks for by `Retry-After` is the least.
public struct Backoff: Sendable, Equatable {
  public static let longest: TimeInterval = 900
  public private(set) var failures = 0

  public init() {}

  /// `random` is in 0..<1.
  public mutating func wait(after retryAfter: TimeInterval?, random: Double) -> TimeInterval {
    let full = min(Self.longest, TimeInterval(1 << min(failures, 10)))
    failures += 1
    return max(retryAfter ?? 0, full / 2 + full / 2 * random)
  }

  public mutating func succeeded() { failures = 0 }
}
