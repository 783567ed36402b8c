// HTTPWire: HTTP as state machines. Bytes go in, actions come out; bytes come out for answers that go in. The room
// knows no socket, no clock and no loop, so that every split of every input can be tested.
// It is strict: a request that two readers could understand differently is refused, never repaired (RFC 9112 11.2).
// HTTP/1.1 in Swift: RequestReader (requests), ResponseWriter (answers).

package import HTTP

/// Everything that the head of a request says, checked.
package struct RequestHead {
  package let method: Method
  package let target: Target
  package let fields: HeaderFields
  /// 0 or 1: HTTP/1.0 or HTTP/1.1.
  package let minorVersion: Int
  package let body: BodyFraming
  /// Whether the client lets the connection live after the answer.
  package let keepsAlive: Bool
  /// The client waits for 100 before it sends the body. False when there is no body.
  package let expectsContinue: Bool

  /// The host as sent, with port; nil only in HTTP/1.0. Not yet compared with what this server is called.
  package var host: String? { fields["host"] }
}

/// How the end of a request's body is told.
package enum BodyFraming: Equatable, Sendable {
  case none
  case length(Int)
  case chunked

  /// For `RequestBody`: 0, the length, or nil for chunks.
  package var knownLength: Int? {
    switch self {
    case .none: 0
    case .length(let length): length
    case .chunked: nil
    }
  }
}

/// What a client may send before it is refused (security.md, "Wire limits").
package struct WireLimits: Sendable {
  /// Bytes of method, target and version: beyond it 414.
  package var requestLine = 8 * 1024
  /// Bytes of all field lines: beyond it 431.
  package var header = 32 * 1024
  package var fields = 100
  /// Bytes of extensions in one chunk's line, and over all chunks of a body.
  package var chunkExtension = 256
  package var chunkExtensions = 16 * 1024
  package var trailer = 8 * 1024
  /// The largest piece of a body handed out at once.
  package var piece = 64 * 1024

  package init() {}
}
