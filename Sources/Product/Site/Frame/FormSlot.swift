import Bytes
import Secrets

/// The place of the form token in a page that is being rendered. Models carry this text; after the page's tag has been
/// computed the site writes the masked token over it. So the tag does not change with the mask, and a model needs no
/// secret. Random per start, so that no name that a person chose can be mistaken for it.
struct FormSlot: Sendable {
  let text: String
  private let bytes: [UInt8]

  init(random: RandomSource) {
    let body = Base64.url.encode(random.bytes(28))
    // A first character that pages hardly hold, so that looking for it is quick.
    let filled = "~slot" + body + String(repeating: "-", count: max(0, FormToken.length - 5 - body.utf8.count))
    bytes = Array(filled.utf8)
    text = filled
  }

  /// Whether the page has a form.
  func stands(in page: [UInt8]) -> Bool { page.firstRange(of: bytes) != nil }

  /// Writes `token` over every slot of the page.
  func fill(_ page: inout [UInt8], with token: [UInt8]) {
    guard token.count == bytes.count else { return }
    var place = 0
    while let slot = page.firstRange(of: bytes, from: place) {
      page.replaceSubrange(slot, with: token)
      place = slot.upperBound
    }
  }
}
