/// What went wrong, in the nine kinds that addresses and phones tell apart.
package enum ProblemCode: String, Sendable, CaseIterable {
  case invalid, unauthenticated, forbidden, notFound, conflict, tooLarge, tooMany, unavailable, `internal`
}

/// The one error that crosses rooms. `message` is for the person and says what to do next; `cause` is for the log and
/// is never shown.
package struct Problem: Error, Sendable {
  package var code: ProblemCode
  package var message: String
  package var cause: String?

  package init(_ code: ProblemCode, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}
