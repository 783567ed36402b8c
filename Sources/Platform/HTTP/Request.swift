/// A request as the product sees it. Made by the server, or by tests from its parts. Path, segments and query are
/// made from the head's bytes when asked for: keep them in a constant where they are used twice.
package struct Request {
  package let method: Method
  package let target: Target
  package let fields: HeaderFields
  package let body: RequestBody
  /// The client's address as text, without port; from a trusted proxy's own hop where one is configured.
  package let remoteAddress: String
  /// Counts requests of this server: in the log and on error pages.
  package let number: UInt64

  package init(
    method: Method, target: Target, fields: HeaderFields, body: RequestBody = .empty, remoteAddress: String = "",
    number: UInt64 = 0
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    self.body = body
    self.remoteAddress = remoteAddress
    self.number = number
  }

  /// For tests: `Request(.get, "/history?from=2026-11-01", [("cookie", "…")])`.
  package init(
    _ method: Method, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = []
  ) throws(TargetError) {
    self.init(
      method: method, target: try Target(target), fields: HeaderFields(fields), body: RequestBody(bytes: body),
      remoteAddress: "127.0.0.1")
  }

  /// Percent-decoded, starts with "/" (or is "*"), never holds "." or ".." segments, empty segments or NUL.
  package var path: String { target.path }
  /// The path's segments, percent-decoded, none empty: `["history", "2026-11"]`, `[]` for "/".
  package var segments: [String] { target.segments }
  /// The pairs after "?", decoded.
  package var query: Query { target.query }

  /// The first cookie of that name.
  package func cookie(_ name: String) -> String? { Cookie.value(of: name, in: fields) }
}
