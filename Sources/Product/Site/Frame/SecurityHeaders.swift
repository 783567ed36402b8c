package import HTTP

/// The header fields that every answer carries (security.md "Web"): pages, static files and refusals of the server alike.
package struct SecurityHeaders: Sendable {
  private let fields: [(String, String)]

  /// HSTS only where base_url has a real name: browsers would else refuse every other server on localhost.
  package init(base: String) {
    var fields = [
      (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; "
          + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
      ),
      ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
      (
        "permissions-policy",
        "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()"
      ),
    ]
    if Self.hasName(base) { fields.append(("strict-transport-security", "max-age=63072000")) }
    self.fields = fields
  }

  /// Adds those that the answer does not set itself.
  package func add(to response: inout Response) {
    for (name, value) in fields where !response.fields.contains(name) { response.fields.append(name, value) }
  }

  /// The same as fields, for the answers that the server gives by itself.
  package var all: HeaderFields { HeaderFields(fields) }

  private static func hasName(_ base: String) -> Bool {
    let authority = base.dropFirst("https://".count)
    if authority.hasPrefix("[") { return false }
    let host = authority.prefix { $0 != ":" }
    return host != "localhost" && host.contains { $0.isLetter }
  }
}
