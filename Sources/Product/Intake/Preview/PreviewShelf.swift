import Activity

/// The samples of a preview as a database would hold them: what is a repeat, what is replaced, what stays deleted (merge.md 8).
struct PreviewShelf {
  private(set) var samples: [SampleKey: (feed: Feed, sample: Sample)] = [:]
  private var tombstones: Set<SampleKey> = []
  private var versions: [Identity: (version: Int64, key: SampleKey)] = [:]

  /// A sample's own identity at its writer.
  private struct Identity: Hashable {
    var source: Int32
    var identifier: String
  }

  /// False if the key was there already, or stays deleted.
  mutating func add(_ sample: Sample, of feed: Feed) -> Bool {
    guard !tombstones.contains(sample.key) else { return false }
    if let known = samples[sample.key] {
      guard known.sample.count != sample.count, feed != .apple, feed != .healthKit else { return false }
    }
    samples[sample.key] = (feed, sample)
    return true
  }

  /// Of a sample that its writer numbers only the highest version stands; for HealthKit an equal one does not replace.
  mutating func add(_ sample: Sample, of feed: Feed, identifier: String, version: Int64) -> Bool {
    let identity = Identity(source: sample.source, identifier: identifier)
    if let known = versions[identity] {
      guard version > known.version else { return false }
      samples[known.key] = nil
    }
    versions[identity] = (version, sample.key)
    return add(sample, of: feed)
  }

  mutating func delete(_ key: SampleKey) {
    tombstones.insert(key)
    samples[key] = nil
  }

  /// A whole export is a picture of everything of its feed.
  mutating func keep(only keys: Set<SampleKey>, of feed: Feed) {
    samples = samples.filter { $0.value.feed != feed || keys.contains($0.key) }
  }
}
