package import EventLoop
package import HTTP

/// What a stream of the site has said so far. Lives on the site's loop.
package final class Ears: BodyWriter {
  private let poller: Poller
  private let bell: Bell
  package private(set) var text = ""
  private var isOver = false

  package struct Silence: Error, CustomStringConvertible {
    package let description: String
  }

  package init(_ poller: Poller) {
    self.poller = poller
    bell = Bell(poller)
  }

  package func write(_ bytes: [UInt8]) async throws(BodyError) {
    text += String(decoding: bytes, as: UTF8.self)
    bell.ring()
  }

  package func finish() {
    isOver = true
    bell.ring()
  }

  /// The first event with a piece of text that is not `other`; waits for it.
  package func event(containing part: String, otherThan other: String = "") async throws -> String {
    let end = poller.now + 100_000
    while true {
      let events = text.split(separator: "\n\n", omittingEmptySubsequences: true).map { $0 + "\n\n" }
      if let found = events.first(where: { $0.contains(part) && $0 != other }) { return String(found) }
      if isOver { throw Silence(description: "the stream ended; it said: \(text)") }
      do { try await bell.wait(until: end) } catch { throw Silence(description: "nothing more after: \(text)") }
    }
  }

  /// Waits until the server ends the stream.
  package func end() async throws {
    let end = poller.now + 100_000
    while !isOver {
      do { try await bell.wait(until: end) } catch { throw Silence(description: "it does not end: \(text)") }
    }
  }
}
