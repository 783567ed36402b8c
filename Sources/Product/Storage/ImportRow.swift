package import Activity
package import People
import Postgres

/// What an import brought so far.
package struct ImportCounts: Sendable, Equatable {
  /// Records of any kind that were read.
  package var records = 0
  package var stored = 0
  package var duplicate = 0
  package var refused = 0
  package var summaries = 0
  /// Samples that this export no longer holds and that went (snapshot, merge.md 8.4).
  package var removed = 0
  /// Days that this import touches; 0 before counting begins.
  package var days = 0
  /// Of these, the ones that are counted.
  package var daysCounted = 0

  package init() {}
}

/// One imported file and how far it is.
package struct ImportRow: Sendable, Equatable {
  /// received → reading → counting → done | failed | cancelled
  package enum State: Int16, Sendable, Comparable {
    case received = 0
    case reading = 1
    case counting = 2
    case done = 3
    case failed = 4
    case cancelled = 5

    package var isOver: Bool { self >= .done }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package let id: ImportID
  /// The file's name as the browser gave it.
  package let name: String
  package let bytes: Int64
  /// How many of them are read.
  package let position: Int64
  package let state: State
  package let counts: ImportCounts
  package let started: Instant
  package let ended: Instant?
  /// The earliest and latest instant of its samples.
  package let period: ClosedRange<Instant>?
  /// Why it failed or waits, or what was wrong with a file of which the readable part was kept, in the words of `FileError`,
  /// `crashed`, `noSpace`, or those of the log.
  package let problem: String?

  /// The problem of an import whose reader ended the whole program again and again.
  package static let crashed = "crashed"
  /// It waits until there is more room on the disk.
  package static let noSpace = "no space"

  /// Something of it was taken (or was known already). An import that fails keeps that.
  package var hasContent: Bool { counts.stored + counts.duplicate + counts.summaries > 0 }

  /// A row of `ImportSQL.columns`.
  init(_ row: Row, from first: Int = 0) {
    func count(_ column: Int) -> Int { Int(row.int64(first + column)) }
    var counts = ImportCounts()
    counts.records = count(14)
    counts.stored = count(5)
    counts.duplicate = count(6)
    counts.refused = count(7)
    counts.summaries = count(8)
    counts.removed = count(9)
    counts.days = Int(row.int32(first + 10))
    counts.daysCounted = max(0, counts.days - count(17))
    id = ImportID(row.int64(first))
    name = row.text(first + 1)
    bytes = row.int64(first + 2)
    position = row.int64(first + 3)
    state = State(rawValue: row.int16(first + 4)) ?? .failed
    self.counts = counts
    started = Instant(microseconds: row.instant(first + 11))
    ended = row.optionalInstant(first + 12).map { Instant(microseconds: $0) }
    problem = row.optionalText(first + 13)
    let from = row.optionalInstant(first + 15).map { Instant(microseconds: $0) }
    let until = row.optionalInstant(first + 16).map { Instant(microseconds: $0) }
    if let from, let until, from <= until { period = from...until } else { period = nil }
  }
}

/// An import with the records that were not taken.
package struct ImportReport: Sendable, Equatable {
  package let row: ImportRow
  /// The first of them, up to the number asked for, by record number. Of each import the first 10,000 are kept.
  package let refused: [Refusal]
}
