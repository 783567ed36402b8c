import Activity
package import People
import Secrets
import Storage
import Synchronization

/// The people of house.md, the same in seeds, tests and screenshots.
package enum Cast: String, Sendable, CaseIterable {
  /// Owns data.
  case ada
  /// In Ada's family, with a grant for steps.
  case ben
  /// In the family; her grant was withdrawn.
  case cleo
  /// A stranger.
  case dan
  /// The administrator.
  case eve

  package var login: String { "\(rawValue)@family.example" }
  package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  package var password: String { "\(rawValue) walks down to the water" }
  package var role: Role { self == .eve ? .administrator : .person }

  /// Made once per run: argon2id is slow on purpose.
  fileprivate static let hashes = Mutex<[Cast: String]>([:])

  fileprivate var passwordHash: String? {
    if let known = Self.hashes.withLock({ $0[self] }) { return known }
    let hash = Password.hash(password)
    Self.hashes.withLock { $0[self] = hash }
    return hash
  }
}

extension TestSite {
  /// Makes the account of a member of the cast.
  @discardableResult
  package func add(_ member: Cast, zone: String = "Europe/Berlin") async throws -> PersonID {
    let account = NewAccount(
      login: member.login, displayName: member.name, passwordHash: member.passwordHash, role: member.role, zone: zone)
    return try await onStore { try await $0.createAccount(account) }
  }

  /// A browser in which the member has signed in by the form.
  package func browser(of member: Cast) async throws -> Browser {
    let browser = Browser(self)
    let answer = try await browser.submit(
      "/sign-in", on: "/sign-in", [("email", member.login), ("password", member.password)])
    guard answer.status == 303 else { throw NotSignedIn(status: answer.status) }
    return browser
  }

  package struct NotSignedIn: Error { let status: Int }
}
