// Intake: turns what phones and export tools emit into batches of samples and summaries (merge.md 2, 3, 7 and 9.1–9.3).
// It reads the text of numbers, dates and names itself and judges every record: taken, or refused with a reason.
// It knows no database, no person and no clock (the moment of receipt is an argument). What it hands on is decided by the
// bytes alone. Everything runs on a worker thread and blocks while it reads.

package import Activity

/// Why a file could not be read at all. A file that merely ends too early is no such case: it is read and warned about.
package enum IntakeProblem: Error, Equatable {
  /// The file is refused as a whole; `detail` says what was found, for the log.
  case refused(FileError, detail: String)
  /// The file cannot be opened or read: this errno.
  case unreadable(errno: Int32)
}

/// What a file held, counted while it is read.
package struct IntakeCounts: Equatable, Sendable {
  /// Numbered records that were passed, of whatever type.
  package var records = 0
  /// Samples that were taken; copies within the file count again.
  package var samples = 0
  package var summaries = 0
  /// All refused records by reason, also those beyond the ones that are listed.
  package var refused: [RefusalReason: Int] = [:]

  package init() {}

  package var refusedInAll: Int { refused.values.reduce(0, +) }
}
