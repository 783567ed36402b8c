import Bytes
package import Secrets

/// An id of the database: 63 bits made by the program, printed as 13 characters. Each kind of thing has its own type.
package protocol Identifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number in the database; 0 or above.
  var number: Int64 { get }
  init(_ number: Int64)
}

extension Identifier {
  /// The 13 characters of the id in addresses and JSON.
  package var description: String { Crockford.encode(number) }

  /// Reads the 13 characters; nil for anything else. A person may be unknown all the same.
  package init?(reading text: String) {
    guard let number = Crockford.decode(text) else { return nil }
    self.init(number)
  }

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// A fresh id: 42 bits of milliseconds since 2024, then 21 random bits (storage.md R6). Ids made in one millisecond
  /// collide with a chance of 1 in 2 million per pair: the insert then fails and the whole write is tried again with another.
  package static func fresh(at milliseconds: Int64, random: RandomSource) -> Self {
    let since2024 = UInt64(clamping: milliseconds &- 1_704_067_200_000) & (1 << 42 - 1)
    return Self(Int64(bitPattern: since2024 << 21 | random.bits() & (1 << 21 - 1)))
  }
}

/// A person, with or without an account.
package struct PersonID: Identifier {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
}

/// A family.
package struct FamilyID: Identifier {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
}

/// A client: a phone app, a bridge, a Shortcut or an importer that acts for exactly one person.
package struct ClientID: Identifier {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
}

/// One imported file.
package struct ImportID: Identifier {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
}
