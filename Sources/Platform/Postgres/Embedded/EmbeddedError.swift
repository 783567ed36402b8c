/// Why the private database could not be had. Each is one sentence that says what to do.
package enum EmbeddedError: Error, Equatable {
  case noBinaries
  /// The data folder belongs to another major version than the one installed.
  case version(data: Int, installed: [Int])
  /// Another server holds the data folder.
  case locked(folder: String, holder: Int32)
  case folder(path: String, reason: String)
  /// Started as root without the account `postgres`.
  case noAccount
  /// The folder belongs to somebody else than who would run the database.
  case owner(path: String, wanted: String)
  case diskFull(path: String)
  /// A step failed; `log` is the end of what the server wrote.
  case failed(step: String, log: String)
  case database(PostgresError)
}

extension EmbeddedError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noBinaries:
      "PostgreSQL is not installed: run `apt install postgresql`, or set STEPWELL_DATABASE_URL."
    case .version(let data, let installed):
      "The data folder was made by PostgreSQL \(data), but only \(list(installed)) is installed: "
        + "run `apt install postgresql-\(data)`, or move the data with pg_upgrade."
    case .locked(let folder, let holder):
      "Another Stepwell (process \(holder)) is using \(folder): stop it first, or set STEPWELL_DATA to another folder."
    case .folder(let path, let reason): "\(path) cannot be used: \(reason)."
    case .noAccount:
      "The account `postgres` is missing: run `apt install postgresql`, or start Stepwell as an ordinary user."
    case .owner(let path, let wanted):
      "\(path) does not belong to \(wanted): start Stepwell as the user it was first started as, or give it the folder "
        + "with `chown -R \(wanted) \(path)`."
    case .diskFull(let path): "The disk of \(path) is full: free some space and start again."
    case .failed(let step, let log): "\(step) failed. The database wrote: \(log.isEmpty ? "nothing" : log)"
    case .database(let error): "\(error)"
    }
  }

  private func list(_ versions: [Int]) -> String { versions.map { "\($0)" }.joined(separator: ", ") }
}
