/// What went wrong, in the nine kinds that addresses and phones tell apart.
package enum ProblemCode: String, Sendable, CaseIterable {
  case invalid, unauthenticated, forbidden, notFound, conflict, tooLarge, tooMany, unavailable, `internal`
}

/// The one error that crosses rooms. `message` is for the person and says what to do next; it is also the key under which
/// the texts of a language ("problem") hold the sentence. `cause` is for the log and is never shown.
package struct Problem: Error, Sendable {
  package var code: ProblemCode
  package var message: String
  package var cause: String?
  /// The limit that was passed, in its own unit (bytes, days, entries), for programs; nil where there is none.
  package var limit: Int?

  package init(_ code: ProblemCode, _ message: String, cause: String? = nil, limit: Int? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
    self.limit = limit
  }
}
