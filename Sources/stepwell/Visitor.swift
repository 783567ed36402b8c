import Bytes
import HTTP
import HTTPClient

/// A person's browser for the seeds: keeps cookies, sends what browsers send, over real TLS.
final class Visitor {
  struct Page {
    let status: Int
    /// Where a 303 leads.
    let location: String?
    let body: String

    /// Whether something that the page shows is still under way.
    var isWaiting: Bool { body.contains(" data-poll=") }

    /// The masked form token of the page's forms.
    var formToken: String? {
      guard let start = body.firstRange(of: "name=\"form\" value=\"") else { return nil }
      return body[start.upperBound...].split(separator: "\"").first.map(String.init)
    }
  }

  private let base: String
  private let client: HTTPClient
  private var cookies: [String: String] = [:]

  /// `certificate`: the server's own one as PEM; nil when a public authority signed it.
  init(base: String, certificate: [UInt8]?) {
    self.base = base
    var settings = ClientSettings()
    if let certificate { settings.trust = .only(pem: certificate) }
    settings.timeout = 300_000
    settings.compressAbove = .max
    client = HTTPClient(settings)
  }

  func get(_ address: String) throws(Failure) -> Page { try send(.get, address, type: nil, body: []) }

  /// Sends a form with the token of `page`.
  func submit(_ address: String, on page: String, _ pairs: [(String, String)]) throws(Failure) -> Page {
    let token = try get(page).formToken ?? ""
    let body = Array(Form([("form", token)] + pairs).encoded.utf8)
    return try send(.post, address, type: "application/x-www-form-urlencoded", body: body)
  }

  /// Sends the import form with a file.
  func upload(_ file: [UInt8], named name: String) throws(Failure) -> Page {
    let token = try get("/imports").formToken ?? ""
    let boundary = "stepwell-seed-boundary"
    var body: [UInt8] = []
    body.append(
      utf8: "--\(boundary)\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n\(token)\r\n--\(boundary)\r\n")
    body.append(utf8: "Content-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n")
    body.append(utf8: "Content-Type: application/zip\r\n\r\n")
    body += file
    body.append(utf8: "\r\n--\(boundary)--\r\n")
    return try send(.post, "/imports", type: "multipart/form-data; boundary=\(boundary)", body: body)
  }

  private func send(_ method: Method, _ address: String, type: String?, body: [UInt8]) throws(Failure) -> Page {
    var fields: [(name: String, value: String)] = [("origin", base)]
    if !cookies.isEmpty { fields.append(("cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))) }
    if let type { fields.append(("content-type", type)) }
    let reply: ClientReply
    do throws(HTTPClientError) {
      reply = try client.perform(ClientRequest(method, base + address, fields: fields, body: body))
    } catch {
      throw Failure("\(base)\(address) does not answer: \(error)")
    }
    for cookie in reply.fields.values("set-cookie") { keep(cookie) }
    return Page(
      status: reply.status.code, location: reply.fields["location"], body: reply.body.text)
  }

  private func keep(_ text: String) {
    guard let pair = text.split(separator: ";").first, let equals = pair.firstIndex(of: "=") else { return }
    let value = pair[pair.index(after: equals)...]
    cookies[String(pair[..<equals])] = value.isEmpty ? nil : String(value)
  }
}
