import Activity
import Storage

/// Texts of the pages of one device and of a new one.
enum DeviceText: String, TextKeys {
  case fresh = "devices.fresh", late = "devices.late", silent = "devices.silent", waiting = "devices.waiting"
  case lastUpload = "devices.lastUpload", noUpload = "devices.noUpload", endsIn = "devices.endsIn"
  case stepCount = "devices.stepCount", activitySummary = "devices.activitySummary", nothing = "devices.nothing"
  case nameProblem = "devices.nameProblem", typesProblem = "devices.typesProblem"
  case until = "devices.until", overlap = "devices.overlap"
  case savedKept = "devices.savedKept", savedDeleted = "devices.savedDeleted", savedRevoked = "devices.savedRevoked"
  case savedGranted = "devices.savedGranted", savedAgain = "devices.savedAgain"

  /// Only what uploads bring is ever offered or granted.
  static func of(_ type: DataType) -> DeviceText { type == .activitySummary ? .activitySummary : .stepCount }
}

/// What was just done, said on the next page.
enum DeviceSaved: String {
  case kept, deleted, revoked, granted
  /// A form that gives a token was sent a second time.
  case again

  var text: DeviceText {
    switch self {
    case .kept: .savedKept
    case .deleted: .savedDeleted
    case .revoked: .savedRevoked
    case .granted: .savedGranted
    case .again: .savedAgain
    }
  }
}

/// How long a device has been quiet (decisions.md "Devices"): late above 12 hours, silent above 72.
enum DeviceState {
  case waiting, fresh, late, silent

  init(seen: Instant?, now: Instant) {
    guard let seen else {
      self = .waiting
      return
    }
    switch now.milliseconds(since: seen) {
    case ...(12 * 3_600_000): self = .fresh
    case ...(72 * 3_600_000): self = .late
    default: self = .silent
    }
  }

  var text: DeviceText {
    switch self {
    case .waiting: .waiting
    case .fresh: .fresh
    case .late: .late
    case .silent: .silent
    }
  }

  var badge: String {
    switch self {
    case .waiting: "bd-off"
    case .fresh: "bd-ok"
    case .late: "bd-wait"
    case .silent: "bd-warn"
    }
  }
}
