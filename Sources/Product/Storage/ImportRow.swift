package import Activity
package import People

/// What an import brought so far.
package struct ImportCounts: Sendable, Equatable {
  package var stored = 0
  package var duplicate = 0
  package var refused = 0
  package var summaries = 0
  /// Samples that this export no longer holds and that went (snapshot, merge.md 8.4).
  package var removed = 0
  /// Days that this import touches, and of those the ones already counted.
  package var days = 0
  package var daysCounted = 0

  package init() {}
}

/// One imported file and how far it is.
package struct ImportRow: Sendable, Equatable {
  /// received → reading → counting → done | failed | cancelled
  package enum State: Int16, Sendable {
    case received = 0
    case reading = 1
    case counting = 2
    case done = 3
    case failed = 4
    case cancelled = 5

    package var isOver: Bool { self >= .done }
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
  /// Why it failed, or what was wrong with a file of which the readable part was kept, in the words of `FileError`.
  package let problem: String?
}

extension ImportRow.State: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// An import with the records that were not taken.
package struct ImportReport: Sendable, Equatable {
  package let row: ImportRow
  /// The first of them, up to the number asked for, by record number.
  package let refused: [Refusal]
  package let reasons: [RefusalReason: Int]
}
