package import HTTPClient
import HTTP
package import PhoneKit

/// Carries PhoneKit's requests to a server over HTTPClient. Throws HTTPClientError when there is no answer.
package struct CurlSender: Sendable {
  private let base: String
  private let client: HTTPClient

  /// `server` is the address of a Stepwell, `https://host:port`; a slash at its end is passed over. `certificate`: the PEM of
  /// the one certificate to believe; nil: the authorities of the machine.
  package init(server: String, certificate: [UInt8]?) {
    base = server.hasSuffix("/") ? String(server.dropLast()) : server
    var settings = ClientSettings()
    if let certificate { settings.trust = .only(pem: certificate) }
    client = HTTPClient(settings)
  }

  package func send(_ request: UploadRequest) async throws(HTTPClientError) -> UploadReply {
    let reply = try await client.send(
      ClientRequest(
        Method(request.method), base + request.path,
        fields: request.fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
        body: request.body.plain))
    return UploadReply(
      status: reply.status.code, retryAfter: reply.retryAfter.map { Double($0) },
      body: HealthAnchor(plain: reply.body))
  }
}
