/// Why a record was not taken (merge.md 7). The raw value is what upload answers and previews print.
package enum RefusalReason: String, Sendable, CaseIterable {
  case badUnit = "bad_unit"
  case noSource = "no_source"
  case noID = "no_id"
  case badNumber = "bad_number"
  case badDate = "bad_date"
  case badZone = "bad_zone"
  case endBeforeStart = "end_before_start"
  case tooOld = "too_old"
  case future
  case tooLong = "too_long"
  case negative
  case absurd
  case sentinelDate = "sentinel_date"
  case bucketTooLong = "bucket_too_long"
  case lengthMismatch = "length_mismatch"
}

/// One record that was not taken, counted from 1 in its file.
package struct Refusal: Hashable, Sendable {
  package var record: Int
  package var reason: RefusalReason
  /// The offending text, cut to a few words, for the person who looks for it.
  package var detail: String

  package init(record: Int, reason: RefusalReason, detail: String = "") {
    self.record = record
    self.reason = reason
    self.detail = detail
  }
}

/// Why a whole file was refused, or what was wrong with it. The raw value is what previews print.
package enum FileError: String, Error, Sendable, CaseIterable {
  case notAHealthExport = "not_a_health_export"
  case noHealthDataInZip = "no_health_data_in_zip"
  case entityDeclaration = "entity_declaration"
  case badJSON = "bad_json"
  case badArchive = "bad_archive"
  case tooLarge = "too_large"
  /// A warning: what was read before the end is kept.
  case truncated

  /// True for what leaves the accepted part standing.
  package var isWarning: Bool { self == .truncated }
}

/// A record that the phone no longer has. Saying the start saves a search over everything the person has.
package struct Deletion: Hashable, Sendable {
  package var key: SampleKey
  package var start: Instant?

  package init(key: SampleKey, start: Instant?) {
    self.key = key
    self.start = start
  }
}

/// A sample's own identity at its writer: the higher version replaces (merge.md 8.3).
package struct SyncVersion: Hashable, Sendable {
  /// Position in `Batch.samples`.
  package var sample: Int
  package var identifier: String
  package var version: Int64

  package init(sample: Int, identifier: String, version: Int64) {
    self.sample = sample
    self.identifier = identifier
    self.version = version
  }
}

/// What an upload or a slice of a file brings, whatever its format. Every record that was read is in exactly one of
/// `samples`, `summaries` and `refused`. `Sample.source` and `Sample.zone` are positions in `sources` and `zones`, which
/// only grow from slice to slice of one file.
package struct Batch: Sendable {
  package var feed: Feed
  package var samples: [Sample] = []
  package var sources: [Source] = []
  /// Names of zones of walks: IANA names or offsets such as `+09:00`.
  package var zones: [String] = []
  package var summaries: [ActivitySummary] = []
  package var deletions: [Deletion] = []
  package var syncs: [SyncVersion] = []
  package var refused: [Refusal] = []
  /// Refused records beyond the ones that a file may list.
  package var unlisted = 0
  package var fileErrors: [FileError] = []

  package init(feed: Feed) { self.feed = feed }
}
