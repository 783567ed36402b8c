package import HTTP
import Synchronization

/// One person's browser against a site in this process: keeps cookies, sends what browsers send, follows 303.
package final class Browser: Sendable {
  package let site: TestSite
  private let cookies = Mutex<[String: String]>([:])

  package init(_ site: TestSite) { self.site = site }

  /// The value of a cookie, to look at or to carry over.
  package subscript(cookie name: String) -> String? {
    get { cookies.withLock { $0[name] } }
    set { cookies.withLock { $0[name] = newValue } }
  }

  /// Opens an address; `following` up to five 303 when asked.
  package func get(_ address: String, following: Bool = false, _ fields: [(String, String)] = []) async throws -> Answer
  {
    try await send(.get, address, fields, body: [], following: following)
  }

  /// Opens an address and answers where the 303 led, for "is sent to".
  package func landing(_ address: String) async throws -> String {
    let answer = try await get(address)
    return answer["location"] ?? "\(answer.status)"
  }

  /// Sends a form as the page's button would: the page is loaded first and its form token goes along.
  package func submit(
    _ action: String, on page: String, _ pairs: [(String, String)], following: Bool = false
  ) async throws -> Answer {
    let token = try await get(page).formToken ?? ""
    return try await post(action, [("form", token)] + pairs, following: following)
  }

  /// Sends a form with exactly these fields.
  package func post(
    _ action: String, _ pairs: [(String, String)], _ fields: [(String, String)] = [], following: Bool = false
  ) async throws -> Answer {
    try await send(
      .post, action,
      [
        ("origin", TestSite.base), ("sec-fetch-site", "same-origin"),
        ("content-type", "application/x-www-form-urlencoded"),
      ] + fields, body: Array(Form(pairs).encoded.utf8), following: following)
  }

  /// Sends the import form with a file.
  package func upload(
    _ file: [UInt8], named name: String, token: String? = nil, cutAfter length: Int? = nil
  ) async throws -> Answer {
    var body = uploadBody(file, named: name, token: try await currentToken(token))
    if let length { body = Array(body.prefix(length)) }
    return try await send(.post, "/imports", Self.uploadFields, body: body, following: false)
  }

  /// The same without announcing a length, in pieces as from a socket; `pause` runs before the last one.
  package func uploadInPieces(
    _ file: [UInt8], named name: String, pause: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> Answer {
    let body = uploadBody(file, named: name, token: try await currentToken(nil))
    let pieces = stride(from: 0, to: body.count, by: 65_536).map { Array(body[$0..<min($0 + 65_536, body.count)]) }
    return try await site.answer(
      .post, "/imports", [("host", "steps.example"), ("cookie", jar)] + Self.uploadFields, pieces: pieces, pause: pause)
  }

  private func currentToken(_ given: String?) async throws -> String {
    if let given { return given }
    return try await get("/imports").formToken ?? ""
  }

  private static let uploadFields = [
    ("origin", TestSite.base), ("content-type", "multipart/form-data; boundary=\"----stepwell-test-boundary\""),
  ]

  private func uploadBody(_ file: [UInt8], named name: String, token: String) -> [UInt8] {
    let boundary = "----stepwell-test-boundary"
    let front = """
      --\(boundary)\r\nContent-Disposition: form-data; name="form"\r\n\r\n\(token)\r\n--\(boundary)\r\n\
      Content-Disposition: form-data; name="file"; filename="\(name)"\r\nContent-Type: application/zip\r\n\r\n
      """
    return Array(front.utf8) + file + Array("\r\n--\(boundary)--\r\n".utf8)
  }

  /// Announces an upload of a length and sends nothing of it: what must be answered before the body comes.
  package func announce(length: Int) async throws -> Answer {
    try await site.announce(
      length: length,
      [
        ("host", "steps.example"), ("cookie", jar), ("origin", TestSite.base),
        ("content-type", "multipart/form-data; boundary=x"),
      ])
  }

  /// Opens streams; `body` hears the last one.
  package func listen(
    _ address: String, times: Int = 1, _ body: @escaping @Sendable (Ears) async throws -> Void
  ) async throws {
    try await site.listen(address, [("host", "steps.example"), ("cookie", jar)], times: times, body)
  }

  private var jar: String {
    cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ") }
  }

  /// Any request, with the cookies of this browser.
  package func send(
    _ method: Method, _ address: String, _ fields: [(String, String)] = [], body: [UInt8] = [], following: Bool = false
  ) async throws -> Answer {
    let jar = jar
    let host = fields.contains { $0.0 == "host" } ? [] : [("host", "steps.example")]
    let answer = try await site.answer(
      method, address, host + fields + (jar.isEmpty ? [] : [("cookie", jar)]), body: body)
    for cookie in answer.values("set-cookie") { keep(cookie) }
    guard following, answer.status == 303, let next = answer["location"] else { return answer }
    return try await get(next, following: true)
  }

  private func keep(_ text: String) {
    let parts = text.split(separator: ";").map { $0.drop { $0 == " " } }
    guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
    let name = String(pair[..<equals])
    let isGone = parts.contains("Max-Age=0")
    cookies.withLock { $0[name] = isGone ? nil : String(pair[pair.index(after: equals)...]) }
  }
}
