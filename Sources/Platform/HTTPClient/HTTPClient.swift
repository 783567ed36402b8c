// HTTPClient: requests that go out, over libcurl: HTTPS with the system's authorities or with one certificate that is named,
// never both. It follows no redirect, uses no proxy and keeps no cookie, so that what a request carries reaches the
// host it was meant for and no other. It knows no address of the product and never repeats a request by itself.
//
// A request blocks a thread: `perform` the caller's, `send` one of a few of this room's own.

import EventLoop
package import HTTP

/// Whom to believe, how long to wait, how much to take.
package struct ClientSettings: Sendable {
  /// Whose certificates are believed.
  package enum Trust: Sendable {
    /// The authorities of the machine.
    case system
    /// These certificates (PEM) and nobody else: a server that signs its own.
    case only(pem: [UInt8])
  }

  package var trust = Trust.system
  /// Milliseconds until a connection stands, TLS included.
  package var connectTimeout = 10_000
  /// Milliseconds for the whole exchange.
  package var timeout = 60_000
  /// Bodies above so many bytes go out as gzip.
  package var compressAbove = 4096
  /// The most bytes of an answer's body, unpacked.
  package var largestAnswer = 4 << 20

  package init() {}
}

/// One request to a whole URL; the body is in memory.
package struct ClientRequest: Sendable {
  package var method: Method
  /// Absolute: `https://host:port/path`.
  package var address: String
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ method: Method = .get, _ address: String, fields: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.address = address
    self.fields = fields
    self.body = body
  }
}

/// The answer, read to its end.
package struct ClientReply: Sendable {
  package var status: Status
  package var fields: HeaderFields
  /// Unpacked.
  package var body: [UInt8]

  package init(status: Status, fields: HeaderFields, body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Seconds of `Retry-After`, whether it was sent as a number or as a date (then by the server's own `Date`).
  package var retryAfter: Int? {
    guard let text = fields["retry-after"] else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    guard let then = HTTPDate.parse(text), let now = fields["date"].flatMap({ HTTPDate.parse($0) }) else { return nil }
    return Int(clamping: max(0, then &- now))
  }
}

/// Why there is no answer. Whether the server saw the request is not known, except in `badRequest`, `unreachable` and
/// `untrusted`, where it did not. Details are libcurl's words, for a log.
package enum HTTPClientError: Error, Equatable {
  /// The address or a field cannot be sent.
  case badRequest(String)
  /// No such host, or nobody listens there.
  case unreachable(String)
  /// The certificate is not one to believe, or is for another host.
  case untrusted(String)
  case timedOut
  /// The answer is larger than the settings allow.
  case tooLarge
  /// The connection broke, or what came was not HTTP.
  case broken(String)
}

/// Sends requests; keeps connections open between them. May be used from any thread.
package final class HTTPClient: Sendable {
  private static let workers = WorkerPool(threads: 4, queue: 1024, named: "http-client")

  private let settings: ClientSettings
  private let idle = IdleHandles()

  package init(_ settings: ClientSettings = ClientSettings()) { self.settings = settings }

  /// Sends and waits on the calling thread.
  package func perform(_ request: ClientRequest) throws(HTTPClientError) -> ClientReply {
    guard let handle = idle.take() ?? EasyHandle() else { throw .broken("libcurl could not be started") }
    defer { idle.put(handle) }
    return try handle.perform(request, settings)
  }

  /// Sends from a thread of this room; at most four requests of the program are under way at a time. Cancelling the task
  /// does not end the request, its time limits do.
  package func send(_ request: ClientRequest) async throws(HTTPClientError) -> ClientReply {
    let result = await withCheckedContinuation { continuation in
      let taken = Self.workers.submit {
        do throws(HTTPClientError) {
          continuation.resume(returning: Result<ClientReply, HTTPClientError>.success(try self.perform(request)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      if !taken { continuation.resume(returning: .failure(.broken("too many requests are waiting"))) }
    }
    return try result.get()
  }
}
