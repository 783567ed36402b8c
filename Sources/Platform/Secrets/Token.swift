/// A bearer secret in Stepwell's one format (design: decisions.md "Ids, tokens, addresses"):
/// `sw<kind>_<person id, 13><secret of 256 bits, 43 in base 62><CRC-32 of all before, 6 in base 62>`.
/// The person id routes the look-up to one shard; the check digits refuse typing errors before the database is asked.
package struct Token: Sendable, Equatable {
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
    let head = "sw\(kind.rawValue)_" + Crockford.encode(person) + Base62.text(secret, width: 43)
    self.kind = kind
    self.person = person
    text = head + Base62.text(CRC32.checksum(Array(head.utf8)), width: 6)
  }

  /// Reads a token from outside; nil when kind, shape or check digits are wrong. Costs no database.
  package init?(reading text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 66, bytes.starts(with: "sw".utf8), bytes[3] == UInt8(ascii: "_"),
      let kind = Kind(rawValue: Character(Unicode.Scalar(bytes[2]))),
      let person = Crockford.decode(bytes[4..<17]), bytes[17..<60].allSatisfy(Base62.isDigit),
      Base62.text(CRC32.checksum(Array(bytes[..<60])), width: 6).utf8.elementsEqual(bytes[60...])
    else { return nil }
    self.kind = kind
    self.person = person
    self.text = text
  }
}
