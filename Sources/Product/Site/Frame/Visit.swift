package import Activity
package import Consent
package import HTTP

/// One request as the actions see it: what was asked, when, and who the cookie says is asking.
package struct Visit {
  package let request: Request
  package let route: Route
  /// One instant for the whole request, so that two parts of a page never disagree about the day.
  package let now: Instant
  /// The person that the session cookie names, not yet proven; nil for a visitor.
  package let claim: OwnClaim?
  /// Views and zones for the length of this request.
  let interior: Commons.Interior

  /// The claim of somebody signed in; visitors are sent to the sign-in.
  func claimed() throws(Problem) -> OwnClaim {
    guard let claim else { throw Problem(.unauthenticated, "Please sign in first.") }
    return claim
  }
}

/// The cookies of the site.
enum CookieName {
  static let session = "__Host-sw"
  /// A key for the forms of visitors, who have no session yet.
  static let visitor = "__Host-sw-visitor"
}
