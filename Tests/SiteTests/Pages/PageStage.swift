import People
import Site
import Support
import Templates

/// Views and words as the program loads them, and a frame to put pages into.
struct PageStage {
  let views: SiteViews
  let frame: Frame

  init(current: NavigationPlace.Kind? = .history, isFresh: Bool = false, theme: Theme = .system) throws {
    let assets = Assets(stylesheet: "/stepwell.css", script: "/stepwell.js", icon: "/favicon.svg")
    views = try SiteViews(folder: Repository.root + "/Views", language: "en", assets: assets)
    frame = Frame(
      words: views.words, assets: assets, base: "https://steps.berg.example",
      settings: PersonSettings(
        displayName: "Anna Berg", zones: [DatedZone(since: nil, zone: "Europe/Berlin")], weekStart: .monday,
        theme: theme, language: "en", includeManual: true), current: current, isFresh: isFresh)
  }

  func render<Model: PageModel>(_ view: View<Model>, _ model: Model) -> String {
    var out: [UInt8] = []
    view.render(model, into: &out)
    return String(decoding: out, as: UTF8.self)
  }
}
