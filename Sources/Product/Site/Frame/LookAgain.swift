import HTTP
package import Templates

/// Texts of pages that can be loaded again and again.
package enum LookAgainText: String, TextKeys {
  case on = "lookAgain.on"
  case start = "lookAgain.start"
  case stop = "lookAgain.stop"
}

/// A page that shows the present and is loaded again by itself only when its reader asks for it, by the link that carries
/// `?every=60`: nobody's reading or typing is interrupted unasked.
package struct LookAgain: PageModel {
  /// Seconds; what is asked for outside these is as if nothing had been asked for.
  static let allowed = 2...3_600

  /// Nil while it is off.
  let note: String?
  let address: String
  let action: String
  private let seconds: Int?

  /// `address`: the page itself; `offered`: the seconds that the link proposes.
  init(_ query: Query, of address: String, offering offered: Int, words: Words) {
    seconds = query["every"].flatMap { Int($0) }.flatMap { Self.allowed.contains($0) ? $0 : nil }
    note = seconds.map { words.count(LookAgainText.on, $0) }
    self.address = seconds == nil ? address + "?every=" + String(offered) : address
    action = seconds == nil ? words.count(LookAgainText.start, offered) : words.text(LookAgainText.stop)
  }

  /// Makes the browser load the page again, where that was asked for.
  func add(to response: inout Response) {
    if let seconds { response.fields.append("refresh", String(seconds)) }
  }

  package static let fields = Fields<LookAgain>(
    .text("note", \.note), .text("address", \.address), .text("action", \.action))
}
