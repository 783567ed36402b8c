import Bytes
import Secrets

/// The place of the form token in a page that is being rendered. Models carry this text; after the page's tag has been
/// computed the site writes the masked token over it. So the tag does not change with the mask, and a model needs no
/// secret. Random per start, so that no name that a person chose can be mistaken for it.
struct FormSlot: Sendable {
  let text: String
  private let bytes: [UInt8]

  init(random: RandomSource) {
    let body = Base64.url.encode(random.bytes(29))
    let filled = "slot" + body + String(repeating: "-", count: max(0, FormToken.length - 4 - body.utf8.count))
    bytes = Array(filled.utf8)
    text = filled
  }

  /// Writes `token` over every slot of the page.
  func fill(_ page: inout [UInt8], with token: [UInt8]) {
    guard token.count == bytes.count, let first = bytes.first, page.count >= bytes.count else { return }
    var place = 0
    let last = page.count - bytes.count
    while place <= last {
      if page[place] == first, page[place..<place + bytes.count].elementsEqual(bytes) {
        page.replaceSubrange(place..<place + bytes.count, with: token)
        place += bytes.count
      } else {
        place += 1
      }
    }
  }
}
