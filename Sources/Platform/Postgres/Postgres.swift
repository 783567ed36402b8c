// Postgres: libpq without blocking, for code that lives on one event loop: connection, pool, pipeline,
// rows in binary, transactions that repeat themselves, COPY, notifications, migrations and a private server.
// It must never know a table, a product word or a statement of ours: SQL comes in from Storage.
// Everything here except EmbeddedPostgres, Migrator and BlockingConnection belongs to one loop's thread.

/// What the server itself said. `message` is the primary text only: details may hold personal values and are dropped.
package struct ServerError: Error, Equatable {
  /// The five characters of the SQLSTATE, e.g. `23505`.
  package let state: String
  package let message: String
  /// Name of the statement in whose place the error came; empty for connecting and scripts.
  package let statement: String
  /// The violated constraint, where the server names one.
  package let constraint: String?

  package init(state: String, message: String, statement: String, constraint: String? = nil) {
    self.state = state
    self.message = message
    self.statement = statement
    self.constraint = constraint
  }
}

/// The closed list of what can go wrong between us and the database.
package enum PostgresError: Error, Equatable {
  /// The server refused a statement; the connection goes on living.
  case server(ServerError)
  /// No connection could be had in time: the database is down, or everyone else holds one.
  case unavailable(String)
  /// The connection broke while work was under way; whether the work was done is unknown.
  case disconnected(String)
  /// Our own deadline passed; the socket was closed without a cancel, so the outcome is unknown.
  case timedOut(statement: String)
  /// A statement, its parameters or its columns differ from their declaration: a mistake in the program.
  case shape(statement: String, String)

  /// The SQLSTATE where the server sent one.
  package var state: String? {
    if case .server(let error) = self { error.state } else { nil }
  }
}

extension PostgresError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .server(let error):
      "\(error.statement.isEmpty ? "" : "\(error.statement): ")\(error.state) \(error.message)"
    case .unavailable(let why): "database unavailable: \(why)"
    case .disconnected(let why): "database connection lost: \(why)"
    case .timedOut(let statement): "no answer from the database in time (\(statement))"
    case .shape(let statement, let what): "\(statement): \(what)"
    }
  }
}
