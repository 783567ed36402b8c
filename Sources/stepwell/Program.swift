import Glibc

/// The commands and how they end. One exit status for each kind of ending: 0 done, 1 could not, 2 asked wrongly.
enum Program {
  private static let usage = """
    usage: stepwell serve                              the server
           stepwell migrate                            brings the database to this version
           stepwell import --person NAME FILE…         the import page, as a command
           stepwell preview DIR | FILE --zone NAME     what an import would do; touches no database
           stepwell admin create                       an administrator, when nobody can sign in
           stepwell simulate --server URL --token T … a phone that does not exist uploads (for tests)
           stepwell doctor                             checks the installation and says what to do

    Settings come from stepwell.conf and from the environment (STEPWELL_…), which wins.
    """

  static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
    let words = Array(arguments.dropFirst())
    do {
      switch words.first {
      case "serve": return try Serve.run(Array(words.dropFirst()), Configuration.read(environment: environment))
      case "migrate": return try Migrate.run(Configuration.read(environment: environment))
      case "import":
        return try ImportCommand.run(Array(words.dropFirst()), Configuration.read(environment: environment))
      case "preview":
        let configuration = try Configuration.read(environment: environment)
        return PreviewCommand.run(Array(words.dropFirst()), zoneinfo: configuration.zoneinfo)
      case "admin" where words.dropFirst().first == "create":
        return try AdminCreate.run(Array(words.dropFirst(2)), Configuration.read(environment: environment))
      case "simulate":
        let configuration = try Configuration.read(environment: environment)
        return try SimulateCommand.run(Array(words.dropFirst()), zoneinfo: configuration.zoneinfo)
      case "doctor": return Doctor.run(environment)
      case "seed": return try Seed.run(Configuration.read(environment: environment))
      case "help", "--help", "-h":
        print(usage)
        return 0
      default:
        complain(usage)
        return 2
      }
    } catch {
      complain("stepwell: \(error)")
      return 1
    }
  }

  /// One line for the person at the terminal, on the standard error output.
  static func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// One line of news, at once even when the output is a pipe.
  static func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDOUT_FILENO, line, line.count)
  }

  /// The environment of this process.
  static func environment() -> [String: String] {
    var found: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        found[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return found
  }
}
