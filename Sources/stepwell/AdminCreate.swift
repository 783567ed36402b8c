import Activity
import Glibc
import People
import Secrets
import Storage

/// `stepwell admin create`: an administrator, when nobody can sign in. Whoever runs the program on the server may.
enum AdminCreate {
  static func run(_ arguments: [String], _ configuration: Configuration) throws -> Int32 {
    guard arguments.isEmpty else {
      Program.complain("usage: stepwell admin create   (it asks for name and password)")
      return 2
    }
    let name = try ask("Name shown on pages: ", check: AccountRules.displayName)
    let login = try ask("Name or email to sign in with: ") { AccountRules.folded(login: $0) == nil ? nil : $0 }
    let password = try askPassword(login: login)
    guard let hash = Password.hash(password) else { throw Failure("The machine is short of memory. Try again.") }
    let workshop = try Workshop(configuration)
    defer { workshop.close() }
    do {
      try workshop.run { _, store in
        let account = NewAccount(
          login: login, displayName: name, passwordHash: hash, role: .administrator, zone: "UTC")
        _ = try await store.isSetUp() ? store.createAccount(account) : store.setUp(account)
      }
    } catch let problem as Problem {
      throw Failure(problem.code == .conflict ? "The name \(login) is taken. Choose another." : problem.message)
    }
    Program.say("\(name) is an administrator now and can sign in as \(login).")
    return 0
  }

  /// Asks again until `check` accepts; an end of the input ends the command.
  private static func ask(_ question: String, check: (String) -> String?) throws(Failure) -> String {
    while true {
      prompt(question)
      guard let line = readLine() else { throw Failure("Nothing was entered.") }
      if let accepted = check(line) { return accepted }
      Program.complain("That cannot be used. Try another.")
    }
  }

  private static func askPassword(login: String) throws(Failure) -> String {
    while true {
      prompt("Password (at least \(PasswordRules.shortest) characters): ")
      guard let password = hiddenLine() else { throw Failure("Nothing was entered.") }
      switch PasswordRules.refusal(of: password, login: login) {
      case nil: return password
      case .tooShort: Program.complain("Use at least \(PasswordRules.shortest) characters.")
      case .tooLong: Program.complain("Use at most \(PasswordRules.longest) characters.")
      case .common, .sameAsLogin: Program.complain("This password is among the first that are guessed. Choose another.")
      }
    }
  }

  private static func prompt(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  /// A line that the terminal does not show.
  private static func hiddenLine() -> String? {
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine() }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      prompt("\n")
    }
    return readLine()
  }
}
