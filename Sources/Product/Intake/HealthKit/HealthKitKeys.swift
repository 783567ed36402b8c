import Activity
import Bytes
import Secrets

/// Keys of HealthKit's samples (merge.md 8.1): SHA-256 over the feed's name, a zero and the id, compared without regard to case.
/// Reuses its buffer from call to call.
struct HealthKitKeys {
  private var bytes = Array(Feed.healthKit.name.utf8) + [0]
  private let start = Feed.healthKit.name.utf8.count + 1

  mutating func key(of id: String) -> SampleKey {
    bytes.removeSubrange(start...)
    bytes.append(contentsOf: id.utf8)
    // HealthKit's ids are hexadecimal; lower case of other scripts takes the long way.
    if !bytes.lowerASCII(from: start) { bytes.replaceSubrange(start..., with: id.lowercased().utf8) }
    let prefix = SHA256.prefix(bytes)
    return SampleKey(high: prefix.high, low: prefix.low)
  }
}
