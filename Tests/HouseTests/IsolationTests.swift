import Support
import Testing

/// In Swift 6.3 an async closure with a capture list does not inherit its caller's isolation: what it awaits leaves the
/// loop's actor and comes back, four jobs more for every wait. Closures therefore name `self` where they use it.
@Suite("Closures on a loop")
struct IsolationTests {
  @Test("no async closure has a capture list, except where its isolation is a parameter")
  func captureLists() throws {
    for path in try Repository.files(under: "Sources") where path.hasSuffix(".swift") {
      let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        guard let head = line.firstMatch(of: /\{ \[[a-z][A-Za-z, ]*\] ?(.*?) ?in( |$)/) else { continue }
        let isIsolated = head.1 == "_" || head.1 == "loop"
        #expect(isIsolated || !awaits(lines[number...]), "\(path):\(number + 1)")
      }
    }
  }

  /// Whether the closure that begins in the first of these lines waits for anything.
  private func awaits(_ lines: ArraySlice<Substring>) -> Bool {
    guard let first = lines.first, let start = first.firstRange(of: /\{ \[/) else { return false }
    var depth = 0
    for (number, line) in lines.enumerated() {
      let rest = number == 0 ? line[start.lowerBound...] : line
      depth += rest.count { $0 == "{" } - rest.count { $0 == "}" }
      if rest.contains("await ") { return true }
      if depth <= 0 { return false }
    }
    return false
  }
}
