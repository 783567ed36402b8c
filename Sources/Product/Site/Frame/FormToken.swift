import Bytes
import Secrets

/// The secret that a page puts into its forms and expects back: a stranger's page cannot know it.
///
/// The token is a code over a fixed word with the key of the session (or of the pre-session cookie). On the page it is
/// masked with fresh random bytes, so that two answers never carry the same text: compression cannot be used to guess
/// it (BREACH).
struct FormToken {
  /// Name of the hidden field.
  static let field = "form"
  /// Length of the masked text: 16 bytes of mask, 16 of token, in URL-safe Base64 without padding.
  static let length = 43

  private let code: [UInt8]

  init(key: [UInt8]) { code = Array(HMAC.sha256(Array("form".utf8), key: key).prefix(16)) }

  /// The token under a fresh mask: `length` characters.
  func masked(_ random: RandomSource) -> [UInt8] {
    let mask = random.bytes(16)
    guard mask.count == 16, code.count == 16 else { return [] }
    return Array(Base64.url.encode(mask + zip(mask, code).map { $0 ^ $1 }).utf8)
  }

  /// Whether a form came from a page of this session. Takes the same time for every wrong token of the right length.
  func accepts(_ text: String?) -> Bool {
    guard let text, text.utf8.count == Self.length, let bytes = Base64.url.decode(text), bytes.count == 32 else {
      return false
    }
    return equalInConstantTime(zip(bytes[..<16], bytes[16...]).map { $0 ^ $1 }, code)
  }
}
