package import People
package import Templates

/// Addresses of the static files, with their content in the name.
package struct Assets: PageModel {
  package let stylesheet: String
  package let script: String
  package let icon: String

  package init(stylesheet: String, script: String, icon: String) {
    self.stylesheet = stylesheet
    self.script = script
    self.icon = icon
  }

  package static let fields = Fields<Assets>(
    .text("stylesheet", \.stylesheet), .text("script", \.script), .text("icon", \.icon))
}

/// What stands around every page: `frame.html` for somebody signed in, `bare.html` for all else.
package struct Frame: PageModel {
  let language: String
  let theme: String?
  let assets: Assets
  let home: String
  let places: [NavigationPlace]
  let person: FramePerson?
  let host: String
  let zone: String?
  let isFresh: Bool

  /// The frame of a visitor. `base` is `https://host[:port]`.
  package init(words: Words, assets: Assets, base: String) {
    language = words.language
    theme = nil
    self.assets = assets
    home = Route.start.address
    places = []
    person = nil
    host = Frame.host(of: base)
    zone = nil
    isFresh = false
  }

  /// The frame of somebody's own pages. `current` is nil on pages that no place leads to. `isFresh`: the page shows the
  /// present and is loaded again when the person comes back to it.
  package init(
    words: Words, assets: Assets, base: String, settings: PersonSettings, current: NavigationPlace.Kind?,
    isFresh: Bool = false
  ) {
    language = words.language
    theme =
      switch settings.theme {
      case .system: nil
      case .light: "light"
      case .dark: "dark"
      }
    self.assets = assets
    home = Route.today.address
    places = NavigationPlace.Kind.allCases.map { NavigationPlace($0, words: words, isCurrent: $0 == current) }
    person = FramePerson(name: settings.displayName)
    host = Frame.host(of: base)
    zone = settings.zone
    self.isFresh = isFresh
  }

  private static func host(of base: String) -> String {
    base.hasPrefix("https://") ? String(base.dropFirst("https://".count)) : base
  }

  package static let fields = Fields<Frame>(
    .text("language", \.language), .text("theme", \.theme), .part("assets", \.assets), .text("home", \.home),
    .list("places", \.places), .optional("person", \.person), .text("host", \.host), .text("zone", \.zone),
    .flag("isFresh", \.isFresh))
}

/// One of the places of the main navigation.
package struct NavigationPlace: PageModel {
  /// Where a person can be; the order is that of the navigation.
  package enum Kind: Sendable, CaseIterable {
    case today, history, devices
  }
  let name: String
  let address: String
  let isCurrent: Bool
  let isToday: Bool
  let isHistory: Bool
  let isDevices: Bool

  init(_ kind: Kind, words: Words, isCurrent: Bool) {
    (name, address) =
      switch kind {
      case .today: (words.text(FrameText.today), Route.today.address)
      case .history: (words.text(FrameText.history), Route.history(from: nil, to: nil).address)
      case .devices: (words.text(FrameText.devices), Route.devices.address)
      }
    self.isCurrent = isCurrent
    isToday = kind == .today
    isHistory = kind == .history
    isDevices = kind == .devices
  }

  package static let fields = Fields<NavigationPlace>(
    .text("name", \.name), .text("address", \.address), .flag("isCurrent", \.isCurrent), .flag("isToday", \.isToday),
    .flag("isHistory", \.isHistory),
    .flag("isDevices", \.isDevices))
}

/// Whose pages these are.
struct FramePerson: PageModel {
  let name: String
  let initials: String
  let settings: String

  init(name: String) {
    self.name = name
    let names = name.split(separator: " ")
    initials = String([names.first, names.count > 1 ? names.last : nil].compactMap { $0?.first }).uppercased()
    settings = Route.settings.address
  }

  static let fields = Fields<FramePerson>(
    .text("name", \.name), .text("initials", \.initials), .text("settings", \.settings))
}

/// Texts of the frame that models use.
package enum FrameText: String, TextKeys {
  case today = "frame.today"
  case history = "frame.history"
  case devices = "frame.devices"
}
