// People: who someone is. Accounts, sessions, settings, and the ids by which everything else names them.
// Pure values: the room reads no clock, no random source and no database; all three are arguments or live elsewhere.
// It must never know a health value, nor who may look at whom (Consent).

/// What an account may do beside its owner's own things.
package enum Role: Int16, Sendable {
  case person = 0
  /// Runs the house: people, clients, consent records. Sees no health value of anybody else.
  case administrator = 1
}

/// Whether an account can sign in.
package enum AccountState: Int16, Sendable {
  case active = 0
  case closed = 1
}

/// A way into the house for one person.
package struct Account: Sendable, Equatable {
  package let person: PersonID
  /// As the person wrote it.
  package let login: String
  package let displayName: String
  package let role: Role
  package let state: AccountState

  package init(person: PersonID, login: String, displayName: String, role: Role, state: AccountState) {
    self.person = person
    self.login = login
    self.displayName = displayName
    self.role = role
    self.state = state
  }
}

/// The rules for what people type when an account is made.
package enum AccountRules {
  /// The form in which logins are compared and kept unique: composed (NFC), lower case, without outer blanks.
  /// Nil when the text cannot be a login: empty, longer than 64 characters, with blanks or control characters inside.
  package static func folded(login: String) -> String? {
    let trimmed = trimmed(login)
    guard !trimmed.isEmpty, trimmed.count <= 64, trimmed.utf8.count <= 256,
      trimmed.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && !isControl($0) })
    else { return nil }
    return composed(trimmed.lowercased())
  }

  /// A display name without outer blanks; nil when nothing remains, above 100 characters, or with control characters.
  package static func displayName(_ text: String) -> String? {
    let trimmed = trimmed(text)
    guard !trimmed.isEmpty, trimmed.count <= 100, trimmed.utf8.count <= 1024,
      !trimmed.unicodeScalars.contains(where: isControl)
    else { return nil }
    return composed(trimmed)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
    default: false
    }
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
