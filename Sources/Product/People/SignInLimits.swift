package import Activity

/// How many sign-ins one key (a folded login, or an address) may try: five a minute, ten at once, then a delay that
/// grows with each further try and is never a lock for good (security.md). One value per node, kept in memory.
package struct SignInLimits: Sendable {
  private struct Bucket {
    var tokens: Double
    var refusals: Int
    var at: Int64
    /// Nothing is tried before; tries meanwhile do not push it further, so that nobody can be locked out for good.
    var closedUntil: Int64
  }

  private var buckets: [String: Bucket] = [:]
  private let perMinute: Double
  private let burst: Double
  private let keysKept: Int

  package init(perMinute: Double = 5, burst: Double = 10, keysKept: Int = 10_000) {
    self.perMinute = perMinute
    self.burst = burst
    self.keysKept = keysKept
  }

  /// How many keys are remembered.
  package var count: Int { buckets.count }

  /// Takes one try for `key`. Nil: go on. Else the milliseconds to wait before the next try can succeed.
  package mutating func wait(for key: String, at now: Instant) -> Int64? {
    if buckets.count >= keysKept { forgetOld(at: now.milliseconds) }
    var bucket = buckets[key] ?? Bucket(tokens: burst, refusals: 0, at: now.milliseconds, closedUntil: 0)
    let passed = Double(max(0, now.milliseconds - bucket.at))
    bucket.tokens = min(burst, bucket.tokens + passed * perMinute / 60_000)
    bucket.at = now.milliseconds
    defer { buckets[key] = bucket }
    guard bucket.closedUntil <= now.milliseconds else { return bucket.closedUntil - now.milliseconds }
    guard bucket.tokens < 1 else {
      bucket.tokens -= 1
      if bucket.tokens >= burst / 2 { bucket.refusals = 0 }
      return nil
    }
    bucket.refusals += 1
    let refill = (1 - bucket.tokens) * 60_000 / perMinute
    let growth = min(60_000, 1_000 * Double(UInt64(1) << UInt64(min(bucket.refusals, 10))))
    let delay = Int64(max(refill, growth).rounded(.up))
    bucket.closedUntil = now.milliseconds + delay
    return delay
  }

  /// A sign-in that worked clears its key.
  package mutating func succeeded(_ key: String) { buckets[key] = nil }

  /// Full buckets hold nothing; when all are busy the oldest half goes, so that memory stays bounded under attack.
  private mutating func forgetOld(at now: Int64) {
    let minutesToFill = burst / perMinute
    buckets = buckets.filter { Double(now - $0.value.at) < minutesToFill * 60_000 }
    guard buckets.count >= keysKept else { return }
    let oldest = buckets.sorted { $0.value.at < $1.value.at }.prefix(keysKept / 2)
    for (key, _) in oldest { buckets[key] = nil }
  }
}
