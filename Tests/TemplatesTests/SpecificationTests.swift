import Foundation
import Templates
import Testing

/// Every mandatory module of the Mustache specification, and inheritance, on the interpreter that writes our pages.
struct SpecificationTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let data: Tree
    let template: String
    let partials: [String: String]
    let expected: String
    var testDescription: String { name }
  }

  @Test("renders every example of the specification", arguments: try Self.examples())
  func example(_ example: Example) throws {
    var sources = example.partials
    sources["main"] = example.template
    let view = try Views(sources: sources).page("main", open: treeShape)
    var out: [UInt8] = []
    view.render(root: example.data.address, into: &out)
    #expect(String(decoding: out, as: UTF8.self) == example.expected)
  }

  static func examples() throws -> [Example] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/mustache-spec")
    let modules = ["comments", "delimiters", "interpolation", "inverted", "partials", "sections", "~inheritance"]
    return try modules.flatMap { module -> [Example] in
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "\(module).json")))
      let tests = try #require((json as? [String: Any])?["tests"] as? [[String: Any]])
      return try tests.map { test in
        Example(
          name: "\(module): \(try #require(test["name"] as? String)) – \(test["desc"] ?? "")",
          data: Tree(test["data"] ?? [:]),
          template: try #require(test["template"] as? String), partials: test["partials"] as? [String: String] ?? [:],
          expected: try #require(test["expected"] as? String))
      }
    }
  }
}
