extension Route {
  /// The address without what is particular about it, for the log: `/day/{date}`.
  var template: String {
    switch self {
    case .day: "/day/{date}"
    case .history: "/history"
    case .week: "/history/week/{date}"
    case .month: "/history/month/{month}"
    case .year: "/history/year/{year}"
    case .importing: "/imports/{import}"
    case .importCancellation: "/imports/{import}/cancellation"
    case .device: "/devices/{device}"
    case .deviceRemoval: "/devices/{device}/removal"
    case .deviceToken: "/devices/{device}/token"
    case .deviceGrants: "/devices/{device}/grants"
    case .grantRevocation: "/sharing/{grant}/revocation"
    case .pauseRemoval: "/settings/pauses/{date}/removal"
    case .sessionEnd: "/settings/sessions/{session}/end"
    case .signIn: "/sign-in"
    case .confirm: "/confirm"
    case .start, .today, .live, .devices, .newDevice, .batches, .healthAutoExport, .imports, .settings,
      .displaySettings,
      .nameSettings, .goalSettings, .sourceOrder,
      .manualEntries, .pauses, .password, .sessions, .sessionsEnd, .signOut, .setUp, .health, .ready:
      address
    }
  }
}
