import Secrets
package import Templates

/// Every view of the site, compiled for its model: a view and a model that do not fit stop the start, never a request.
/// Immutable; made again on SIGHUP.
package struct SiteViews: Sendable {
  package let words: Words
  let assets: Assets
  /// SHA-256 over views, texts, addresses of static files and `build`: what a page depends on beside its rows.
  let version: [UInt8]

  let error: View<ErrorPage>
  let signIn: View<SignInPage>
  let setUp: View<SetUpPage>
  let settings: View<SettingsPage>
  let password: View<PasswordPage>
  let confirm: View<ConfirmPage>
  let sessions: View<SessionsPage>
  let devices: View<DevicesPage>
  let newDevice: View<NewDevicePage>
  let token: View<TokenPage>
  let device: View<DevicePage>
  let imports: View<ImportsPage>
  let importing: View<ImportPage>
  package let today: View<TodayPage>
  package let emptyToday: View<EmptyTodayPage>
  package let history: View<HistoryPage>
  package let year: View<YearPage>
  package let day: View<DayPage>

  /// `folder`: the folder Views with its texts. `build` names the program and the zone data that write the pages. Throws
  /// with file and line what does not fit.
  package init(
    folder: String, language: String, assets: Assets, build: String = ""
  ) throws(TemplateError) {
    let texts = try Texts(file: folder + "/text/" + language + ".json")
    let views = try Views.load(folder: folder, texts: texts)
    words = try Words(language: language, texts: texts, areas: Self.areas)
    self.assets = assets
    let names = [assets.stylesheet, assets.script, assets.icon, build].joined(separator: "\n")
    version = SHA256.hash(views.content + texts.content + Array(names.utf8))
    error = try views.page("error", ErrorPage.self)
    signIn = try views.page("account/sign-in", SignInPage.self)
    setUp = try views.page("account/set-up", SetUpPage.self)
    settings = try views.page("account/settings", SettingsPage.self)
    password = try views.page("account/password", PasswordPage.self)
    confirm = try views.page("account/confirm", ConfirmPage.self)
    sessions = try views.page("account/sessions", SessionsPage.self)
    devices = try views.page("uploads/devices", DevicesPage.self)
    newDevice = try views.page("uploads/new-device", NewDevicePage.self)
    token = try views.page("uploads/token", TokenPage.self)
    device = try views.page("uploads/device", DevicePage.self)
    imports = try views.page("uploads/imports", ImportsPage.self)
    importing = try views.page("uploads/import", ImportPage.self)
    today = try views.page("today/today", TodayPage.self)
    emptyToday = try views.page("today/empty", EmptyTodayPage.self)
    history = try views.page("history/history", HistoryPage.self)
    year = try views.page("history/year", YearPage.self)
    day = try views.page("history/day", DayPage.self)
  }

  private static let areas: [any TextKeys.Type] = [
    FrameText.self, LookAgainText.self, ErrorText.self, SignInText.self, SetUpText.self, SettingsText.self,
    PasswordText.self, ConfirmText.self,
    SessionText.self, UploadText.self, DeviceText.self, ApiText.self, RefusalText.self, CountText.self, PagerText.self,
    PeriodText.self, RingText.self,
    RingCardText.self,
    HourText.self, TodayText.self, WeekText.self, StreakText.self, HistoryText.self, YearText.self, DayText.self,
    ChangeText.self,
  ]

  /// The frame of pages for somebody without a session.
  func visitorFrame(base: String) -> Frame { Frame(words: words, assets: assets, base: base) }
}
