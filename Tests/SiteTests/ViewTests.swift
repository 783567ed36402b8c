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

/// The sentences that problems carry through the rooms are keys of the texts: a translator finds every one of them.
struct ProblemTextTests {
  @Test("every sentence of a problem stands among the texts, and none stands there for nothing")
  func sentences() throws {
    // `Problem(.code, "…")`, also over two lines, and the initialisers that lead to it.
    let pattern = /\b(?:Problem|self\.init)\(\s*\.[a-zA-Z]+,\s*"([^"\\]* [^"\\]*)"/
    var used: Set<String> = []
    for path in try Repository.files(under: "Sources") where path.hasSuffix(".swift") {
      for match in try Repository.text(path).matches(of: pattern) { used.insert(String(match.1)) }
    }
    #expect(used.count > 30)
    let texts = try Texts(file: Repository.root + "/Views/text/en.json").entries.keys
      .filter { $0.hasPrefix("problem.") }.map { String($0.dropFirst("problem.".count)) }
    #expect(Set(texts).subtracting(used).isEmpty, "nobody says this any more")
    #expect(used.subtracting(texts).isEmpty, "add it to \"problem\" in Views/text/en.json")
  }
}
