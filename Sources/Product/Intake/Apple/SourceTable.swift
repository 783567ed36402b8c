import Activity

/// The sources of one file. A new record is looked up by its undecoded bytes, so that no text is made for a source that is
/// known. Memory is bounded: the look-up is a cache of at most 8 MB, and a file with more sources than a person can have is cut short.
struct SourceTable {
  /// What the attributes of a record say about its source.
  struct Named {
    /// Normal form; empty if there is none.
    let name: String
    /// What counted, unless it was typed by hand.
    let source: Source
  }

  private static let mostSources = 10_000
  private static let mostCached = 4096
  /// Longer ones, up to a whole tag each, would make the cache as large as a file likes; real ones have some hundred bytes.
  private static let longestCached = 2048

  private(set) var sources: [Source] = []
  private var indexes: [Source: Int32] = [:]
  private(set) var cache: [[UInt8]: Named] = [:]

  /// The source that was seen under these bytes before.
  func cached(_ bytes: [UInt8]) -> Named? { cache[bytes] }

  /// Remembers a source under the bytes that named it.
  mutating func remember(_ bytes: [UInt8], name: String, version: String, device: String) -> Named {
    let sourceClass = AppleSource.sourceClass(name: name, version: version, device: device)
    let named = Named(name: name, source: Source(key: "apple:" + name, sourceClass: sourceClass, device: name))
    guard bytes.count <= SourceTable.longestCached else { return named }
    if cache.count >= SourceTable.mostCached { cache.removeAll(keepingCapacity: true) }
    cache[bytes] = named
    return named
  }

  /// Position in `sources`; nil if there are too many.
  mutating func index(of source: Source) -> Int32? {
    if let known = indexes[source] { return known }
    guard sources.count < SourceTable.mostSources else { return nil }
    let index = Int32(sources.count)
    sources.append(source)
    indexes[source] = index
    return index
  }
}
