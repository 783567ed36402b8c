import Bytes

/// A bearer secret in Stepwell's one format (design: decisions.md "Ids, tokens, addresses"):
/// `sw<kind>_<person id, 13><secret of 256 bits, 43 in base 62><CRC-32 of all before, 6 in base 62>`.
/// The person id routes the look-up to one shard; the check digits refuse typing errors before the database is asked.
package struct Token: Sendable, Equatable {
  /// What a token opens; the letter stands in its text.
  package enum Kind: Character, Sendable, CaseIterable {
    case upload = "u"
    case device = "d"
    case refresh = "r"
    case pairing = "p"
    case invitation = "i"
    case session = "s"
    case read = "a"
    case link = "l"
    case reset = "w"
  }

  package let kind: Kind
  /// The id of the person it acts for, not yet proven.
  package let person: Int64
  /// What the bearer shows. Keep it out of logs.
  package let text: String

  /// What is stored and looked up: SHA-256 of the whole text.
  package var hash: [UInt8] { SHA256.hash(Array(text.utf8)) }

  /// A fresh token with 256 random bits.
  package init(_ kind: Kind, person: Int64, random: RandomSource) {
    let secret = random.bytes(32)
    let head = "sw\(kind.rawValue)_" + Crockford.encode(person) + Base62.encode(secret)
    self.kind = kind
    self.person = person
    text = head + Base62.encode(Token.checkBytes(Array(head.utf8)[...]))
  }

  /// Reads a token from outside; nil when kind, shape or check digits are wrong. Costs no database.
  package init?(reading text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 66, bytes.starts(with: "sw".utf8), bytes[3] == UInt8(ascii: "_"),
      let kind = Kind(rawValue: Character(Unicode.Scalar(bytes[2]))),
      let person = Crockford.decode(bytes[4..<17]), Base62.decode(bytes[17..<60], count: 32) != nil,
      let check = Base62.decode(bytes[60...], count: 4), check == Token.checkBytes(bytes[..<60])
    else { return nil }
    self.kind = kind
    self.person = person
    self.text = text
  }

  private static func checkBytes(_ head: ArraySlice<UInt8>) -> [UInt8] {
    let sum = CRC32.sum(head)
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
  }
}
