import Support
import Templates
import Testing

@testable import Site

struct ViewTests {
  @Test("every view has its model, its parts and its texts")
  func load() throws {
    _ = try SiteViews(
      folder: Repository.root + "/Views", language: "en", assets: Assets(stylesheet: "a", script: "b", icon: "c"))
  }
}
