/// How a source ranks before the person's own order: smaller wins (merge.md 3).
package enum SourceClass: Int16, Sendable, CaseIterable, Comparable {
  case merged = -1
  case manual = 0
  case watch = 1
  case phone = 2
  case other = 3

  @inlinable
  package static func < (one: SourceClass, other: SourceClass) -> Bool { one.rawValue < other.rawValue }
}

/// What counted: `key` is the identity of merge.md 2.2 (`apple:Ada’s Apple Watch`, `manual`), `device` the name to show.
package struct Source: Hashable, Sendable {
  package var key: String
  package var sourceClass: SourceClass
  package var device: String

  package init(key: String, sourceClass: SourceClass, device: String) {
    self.key = key
    self.sourceClass = sourceClass
    self.device = device
  }
}
