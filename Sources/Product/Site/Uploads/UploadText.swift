import Activity
import Storage

/// Texts of the pages on devices and imports that carry numbers or depend on a state.
enum UploadText: String, TextKeys {
  case manualKind = "devices.manualKind", kindAndWay = "devices.kindAndWay"
  case fromExports = "devices.fromExports", sentByItself = "devices.sentByItself"
  case merged = "devices.merged", manual = "devices.manual", watch = "devices.watch", phone = "devices.phone"
  case other = "devices.other"
  case export = "devices.export", others = "devices.others"
  case lastUpdate = "devices.lastUpdate", never = "devices.never"

  case received = "imports.stateReceived", stateReading = "imports.stateReading", counting = "imports.stateCounting"
  case stateDone = "imports.stateDone", failed = "imports.stateFailed", cancelled = "imports.stateCancelled"
  case headReceived = "imports.headReceived", headReading = "imports.headReading", headCounting = "imports.headCounting"
  case headDone = "imports.headDone", headFailed = "imports.headFailed", headCancelled = "imports.headCancelled"
  case uploaded = "imports.uploaded", reading = "imports.reading", countingDays = "imports.countingDays"
  case done = "imports.done"
  case lead = "imports.leadOne", ended = "imports.ended", summary = "imports.summary"
  case readSoFar = "imports.readSoFar", countedSoFar = "imports.countedSoFar"
  case foundSoFar = "imports.foundSoFar", found = "imports.foundHeading"
  case factStored = "imports.factStored", factDuplicate = "imports.factDuplicate"
  case factSummaries = "imports.factSummaries", factDays = "imports.factDays", factRemoved = "imports.factRemoved"
  case factRefused = "imports.factRefused"
  case refusedRecords = "imports.refusedRecords", moreRefused = "imports.moreRefused"
  case bytes = "imports.bytes", kilobytes = "imports.kilobytes", megabytes = "imports.megabytes"
  case gigabytes = "imports.gigabytes", decimal = "imports.decimal"

  case another = "imports.another", anotherAdvice = "imports.anotherAdvice"
  case tooLarge = "imports.tooLarge", tooLargeAdvice = "imports.tooLargeAdvice", tooLargeSized = "imports.tooLargeSized"
  case diskFull = "imports.diskFull", diskFullAdvice = "imports.diskFullAdvice"
  case noFile = "imports.noFile", noFileAdvice = "imports.noFileAdvice"
  case notAnExport = "imports.notAnExport", notAnExportAdvice = "imports.notAnExportAdvice"
  case wrongForm = "imports.wrongForm", wrongFormAdvice = "imports.wrongFormAdvice"
  case cutOff = "imports.cutOff", cutOffAdvice = "imports.cutOffAdvice"
  case wrongRoot = "imports.wrongRoot", wrongRootAdvice = "imports.wrongRootAdvice"
  case noHealthData = "imports.noHealthData", noHealthDataAdvice = "imports.noHealthDataAdvice"
  case entities = "imports.entities", entitiesAdvice = "imports.entitiesAdvice"
  case badArchive = "imports.badArchive", badArchiveAdvice = "imports.badArchiveAdvice"
  case unpackedTooLarge = "imports.unpackedTooLarge", unpackedTooLargeAdvice = "imports.unpackedTooLargeAdvice"
  case truncated = "imports.truncated", truncatedAdvice = "imports.truncatedAdvice"
  case broken = "imports.broken", brokenAdvice = "imports.brokenAdvice"
  case crashed = "imports.crashed", crashedAdvice = "imports.crashedAdvice"
  case noSpace = "imports.noSpace", noSpaceAdvice = "imports.noSpaceAdvice"
  case nothingStored = "imports.nothingStored", partKept = "imports.partKept"
  case nothingRemoved = "imports.nothingRemoved"

  static func of(_ sourceClass: SourceClass) -> UploadText {
    switch sourceClass {
    case .merged: .merged
    case .manual: .manual
    case .watch: .watch
    case .phone: .phone
    case .other: .other
    }
  }

  static func of(_ state: ImportRow.State) -> UploadText {
    switch state {
    case .received: .received
    case .reading: .stateReading
    case .counting: .counting
    case .done: .stateDone
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }

  static func heading(_ state: ImportRow.State) -> UploadText {
    switch state {
    case .received: .headReceived
    case .reading: .headReading
    case .counting: .headCounting
    case .done: .headDone
    case .failed: .headFailed
    case .cancelled: .headCancelled
    }
  }

  /// What is wrong with a file, from the stored word of `FileError`; any other word is for the log and reads as "broken".
  static func fault(_ stored: String) -> (title: UploadText, advice: UploadText) {
    if stored == ImportRow.crashed { return (.crashed, .crashedAdvice) }
    if stored == ImportRow.noSpace { return (.noSpace, .noSpaceAdvice) }
    return switch FileError(rawValue: stored) {
    case .notAHealthExport: (.wrongRoot, .wrongRootAdvice)
    case .noHealthDataInZip: (.noHealthData, .noHealthDataAdvice)
    case .entityDeclaration: (.entities, .entitiesAdvice)
    case .badArchive: (.badArchive, .badArchiveAdvice)
    case .tooLarge: (.unpackedTooLarge, .unpackedTooLargeAdvice)
    case .truncated: (.truncated, .truncatedAdvice)
    case .badJSON, nil: (.broken, .brokenAdvice)
    }
  }
}

/// Why a record was not taken, in words.
enum RefusalText: String, TextKeys {
  case badUnit = "refused.badUnit", noSource = "refused.noSource", noID = "refused.noID"
  case badNumber = "refused.badNumber", badDate = "refused.badDate", badZone = "refused.badZone"
  case endBeforeStart = "refused.endBeforeStart", tooOld = "refused.tooOld", future = "refused.future"
  case tooLong = "refused.tooLong", negative = "refused.negative", absurd = "refused.absurd"
  case sentinelDate = "refused.sentinelDate", bucketTooLong = "refused.bucketTooLong"
  case lengthMismatch = "refused.lengthMismatch"

  static func of(_ reason: RefusalReason) -> RefusalText {
    switch reason {
    case .badUnit: .badUnit
    case .noSource: .noSource
    case .noID: .noID
    case .badNumber: .badNumber
    case .badDate: .badDate
    case .badZone: .badZone
    case .endBeforeStart: .endBeforeStart
    case .tooOld: .tooOld
    case .future: .future
    case .tooLong: .tooLong
    case .negative: .negative
    case .absurd: .absurd
    case .sentinelDate: .sentinelDate
    case .bucketTooLong: .bucketTooLong
    case .lengthMismatch: .lengthMismatch
    }
  }
}
