import Activity
package import Postgres

// The one place where the database's errors become Problems (house.md "Errors").
extension Problem {
  /// `conflict` for a key that is taken, `unavailable` for what may work in a moment, else `internal`: our mistake.
  package init(_ error: PostgresError) {
    switch error {
    case .unavailable, .disconnected, .timedOut: self = .databaseAway("\(error)")
    case .shape: self = .ourMistake("\(error)")
    case .server(let server):
      switch server.state.prefix(2) {
      case "23": self.init(.conflict, "This was changed at the same moment. Please look again.", cause: "\(error)")
      case "08", "53", "57", "40", "55", "25": self = .databaseAway("\(error)")
      default: self = .ourMistake("\(error)")
      }
    }
  }

  static func databaseAway(_ cause: String) -> Problem {
    Problem(.unavailable, "The database does not answer just now. Please try again in a moment.", cause: cause)
  }

  static func ourMistake(_ cause: String) -> Problem {
    Problem(.internal, "Something went wrong on our side. It is in the server's log.", cause: cause)
  }
}

extension Store {
  /// Statements in one round trip.
  func pipeline(
    _ kind: TransactionKind = .page, _ build: (inout Pipeline) -> Void
  ) async throws(Problem) -> [Rows] {
    do throws(PostgresError) {
      return try await pool.pipeline(kind, build)
    } catch {
      throw Problem(error)
    }
  }

  /// One statement.
  func query(
    _ statement: Statement, _ parameters: [Parameter] = [], _ kind: TransactionKind = .page
  ) async throws(Problem) -> Rows {
    do throws(PostgresError) {
      return try await pool.query(statement, parameters, kind)
    } catch {
      throw Problem(error)
    }
  }

  /// A transaction that may run again from its beginning (storage.md 6.2): `body` changes nothing but the database.
  func transaction<T>(
    _ kind: TransactionKind = .page, _ body: (Transaction) async throws -> T
  ) async throws(Problem) -> T {
    do {
      return try await pool.transaction(kind, body)
    } catch let problem as Problem {
      throw problem
    } catch let error as PostgresError {
      throw Problem(error)
    } catch {
      throw .ourMistake("\(error)")
    }
  }

  /// Runs a reader of rows and turns its fault into a Problem.
  func reading<T>(_ body: () throws(PostgresError) -> T) throws(Problem) -> T {
    do throws(PostgresError) {
      return try body()
    } catch {
      throw Problem(error)
    }
  }
}
