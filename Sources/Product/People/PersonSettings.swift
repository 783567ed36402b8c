package import Activity

/// The first day of a person's weeks, counted as Activity counts weekdays (0 = Monday).
package enum WeekStart: Int16, Sendable, CaseIterable {
  case monday = 0
  case saturday = 5
  case sunday = 6
}

/// The colours of the pages.
package enum Theme: Int16, Sendable, CaseIterable {
  /// As the device says.
  case system = 0
  case light = 1
  case dark = 2
}

/// From `since` on the person lives in `zone`; nil is "always before the next entry".
package struct DatedZone: Sendable, Equatable {
  package let since: Instant?
  /// A name of the IANA data base, as in Europe/Berlin.
  package let zone: String

  package init(since: Instant?, zone: String) {
    self.since = since
    self.zone = zone
  }
}

/// What a person has chosen for all pages. Read with every page.
package struct PersonSettings: Sendable, Equatable {
  package let displayName: String
  /// Oldest first, never empty; the last one is the zone of today.
  package let zones: [DatedZone]
  package let weekStart: WeekStart
  package let theme: Theme
  /// BCP 47, as in "en".
  package let language: String
  /// Whether steps typed by hand count.
  package let includeManual: Bool

  package init(
    displayName: String, zones: [DatedZone], weekStart: WeekStart, theme: Theme, language: String, includeManual: Bool
  ) {
    self.displayName = displayName
    self.zones = zones
    self.weekStart = weekStart
    self.theme = theme
    self.language = language
    self.includeManual = includeManual
  }

  /// The zone in force now.
  package var zone: String { zones.last?.zone ?? "UTC" }
}
