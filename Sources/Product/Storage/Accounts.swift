package import Activity
package import People
import Postgres

enum AccountSQL {
  static let isSetUp = Statement("is_set_up", "SELECT 1 FROM server_facts WHERE name = 'set_up'")

  /// Claims the right to be the first administrator; `setUpBy` then says who has it.
  static let noteSetUp = Statement(
    "note_set_up", "INSERT INTO server_facts (name, value, at) VALUES ('set_up', $1, $2) ON CONFLICT DO NOTHING",
    [.text, .instant])

  /// By whom, as `noteSetUp` wrote it.
  static let setUpBy = Statement("set_up_by", "SELECT value FROM server_facts WHERE name = 'set_up'")

  static let takeLogin = Statement(
    "take_login", "INSERT INTO login_names (login, person_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", [.text, .int64])

  static let addPerson = Statement(
    "add_person",
    """
    INSERT INTO persons (person_id, created_at, display_name, language, zone_since, zone_name)
    VALUES ($1, $2, $3, $4, '{-infinity}', ARRAY[$5]) ON CONFLICT DO NOTHING
    """, [.int64, .instant, .text, .text, .text])

  static let addAccount = Statement(
    "add_account",
    """
    INSERT INTO accounts (person_id, login, password, role, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
    """,
    [.int64, .text, .text, .int16, .instant])

  /// Whose login is this? Key of login_names.
  static let personByLogin = Statement(
    "person_by_login", "SELECT person_id FROM login_names WHERE login = $1", [.text])

  static let byPerson = Statement(
    "account_by_person",
    """
    SELECT a.person_id, a.login, p.display_name, a.role, a.state, a.password
    FROM accounts a JOIN persons p ON p.person_id = a.person_id WHERE a.person_id = $1 AND p.person_id = $1
    """, [.int64])

  static let everyone = Statement(
    "accounts",
    """
    SELECT a.person_id, a.login, p.display_name, a.role, a.state, a.password
    FROM accounts a JOIN persons p ON p.person_id = a.person_id ORDER BY a.login
    """)

  static let setPassword = Statement(
    "set_password", "UPDATE accounts SET password = $2 WHERE person_id = $1", [.int64, .text])

  static let audit = Statement(
    "add_audit",
    """
    INSERT INTO audit_log (person_id, audit_id, at, actor_id, action) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
    """,
    [.int64, .int64, .instant, .int64, .text])

  static let all: [(statement: Statement, reach: Reach)] = [
    (isSetUp, .oneName), (noteSetUp, .oneName), (setUpBy, .oneName), (takeLogin, .oneName), (addPerson, .onePerson),
    (addAccount, .onePerson), (personByLogin, .oneName), (byPerson, .onePerson), (everyone, .scatter),
    (setPassword, .onePerson), (audit, .onePerson),
  ]
}

/// What an account is made from. `passwordHash` is the text of `Password.hash`; nil for a person who cannot sign in.
package struct NewAccount: Sendable {
  package var login: String
  package var displayName: String
  package var passwordHash: String?
  package var role: Role
  package var zone: String
  package var language: String

  package init(
    login: String, displayName: String, passwordHash: String?, role: Role = .person, zone: String,
    language: String = "en"
  ) {
    self.login = login
    self.displayName = displayName
    self.passwordHash = passwordHash
    self.role = role
    self.zone = zone
    self.language = language
  }
}

/// An account with what sign-in compares.
package struct SignInAccount: Sendable {
  package let account: Account
  /// Nil when the account has no password.
  package let passwordHash: String?
}

extension Store {
  /// Whether the house has been set up: the first administrator exists.
  package func isSetUp() async throws(Problem) -> Bool { try await !query(AccountSQL.isSetUp).isEmpty }

  /// Makes the first administrator, whatever role `new` names. Throws `conflict` when the house is set up already, also
  /// by another request at this moment.
  package func setUp(_ new: NewAccount) async throws(Problem) -> PersonID {
    var first = new
    first.role = .administrator
    return try await make(first, isFirst: true)
  }

  /// Makes an account. Throws `invalid` for a login, name or zone that cannot be, `conflict` for a login that is taken.
  /// An administrator made here (by a command) ends the time of set-up as well.
  package func createAccount(_ new: NewAccount) async throws(Problem) -> PersonID {
    try await make(new, isFirst: false)
  }

  /// The account of a login in any spelling that folds to it; nil when there is none. Two round trips, also for a login
  /// that is nobody's or that cannot be: the time must not tell who has an account.
  package func account(login: String) async throws(Problem) -> SignInAccount? {
    let found = try await query(AccountSQL.personByLogin, [.text(AccountRules.folded(login: login) ?? "")])
    let number = try reading { () throws(PostgresError) in try found.first { $0.int64(0) } }
    return try await account(of: PersonID(number ?? 0))
  }

  /// The account of a person; nil when there is none.
  package func account(of person: PersonID) async throws(Problem) -> SignInAccount? {
    let found = try await query(AccountSQL.byPerson, [.int64(person.number)])
    return try reading { () throws(PostgresError) in try found.first(SignInAccount.init) }
  }

  /// All accounts by login, for commands on the server. Scatter.
  package func accounts() async throws(Problem) -> [Account] {
    let found = try await query(AccountSQL.everyone)
    return try reading { () throws(PostgresError) in try found.map { SignInAccount($0).account } }
  }

  /// Replaces the password; all sessions but the one with the hash `keeping` end.
  package func changePassword(of person: PersonID, hash: String, keeping: [UInt8]?) async throws(Problem) {
    let now = clock.now()
    let note = auditEntry(person, "password_changed", actor: person, at: now)
    try await transaction { change in
      _ = try await change.commit {
        $0.add(AccountSQL.setPassword, [.int64(person.number), .text(hash)])
        $0.add(SessionSQL.endOthers, [.int64(person.number), .bytes(keeping ?? [])])
        $0.add(ChangeSQL.noteRights, [.int64(person.number)])
        $0.add(AccountSQL.audit, note)
      }
    }
  }

  /// Parameters of `AccountSQL.audit`; made before a transaction begins, so that a repetition writes the same row.
  func auditEntry(_ person: PersonID, _ action: String, actor: PersonID, at now: Instant) -> [Parameter] {
    let id = PersonID.fresh(at: now.milliseconds, random: random).number
    return [.int64(person.number), .int64(id), .instant(now.microseconds), .int64(actor.number), .text(action)]
  }

  private func make(_ new: NewAccount, isFirst: Bool) async throws(Problem) -> PersonID {
    guard let folded = AccountRules.folded(login: new.login) else {
      throw Problem(.invalid, "A sign-in name has 1 to 64 characters and no blanks.")
    }
    guard let name = AccountRules.displayName(new.displayName) else {
      throw Problem(.invalid, "A name has 1 to 100 characters.")
    }
    guard zones().zone(named: new.zone) != nil else {
      throw Problem(.invalid, "This time zone is not known here. Choose one from the list.")
    }
    let now = clock.now()
    let person = PersonID.fresh(at: now.milliseconds, random: random)
    let note = auditEntry(person, isFirst ? "house_set_up" : "account_made", actor: person, at: now)
    // May run twice when the answer to its COMMIT is lost: every row then stands already, under the same id.
    try await transaction { change in
      let claims = try await change.pipeline {
        if new.role == .administrator {
          $0.add(AccountSQL.noteSetUp, [.text(person.description), .instant(now.microseconds)])
        }
        $0.add(AccountSQL.setUpBy)
        $0.add(AccountSQL.takeLogin, [.text(folded), .int64(person.number)])
        $0.add(AccountSQL.personByLogin, [.text(folded)])
      }
      if isFirst, try claims[1].first({ $0.text(0) }) != person.description {
        throw Problem(.conflict, "Stepwell is set up already. Please sign in.")
      }
      guard try claims.last?.first({ $0.int64(0) }) == person.number else {
        throw Problem(.conflict, "This sign-in name is taken.")
      }
      _ = try await change.commit {
        $0.add(
          AccountSQL.addPerson,
          [.int64(person.number), .instant(now.microseconds), .text(name), .text(new.language), .text(new.zone)])
        $0.add(
          AccountSQL.addAccount,
          [
            .int64(person.number), .text(new.login), .optional(new.passwordHash), .int16(new.role.rawValue),
            .instant(now.microseconds),
          ])
        $0.add(AccountSQL.audit, note)
      }
    }
    return person
  }
}

extension SignInAccount {
  fileprivate init(_ row: Row) {
    account = Account(
      person: PersonID(row.int64(0)), login: row.text(1), displayName: row.text(2),
      role: Role(rawValue: row.int16(3)) ?? .person, state: AccountState(rawValue: row.int16(4)) ?? .closed)
    passwordHash = row.optionalText(5)
  }
}
