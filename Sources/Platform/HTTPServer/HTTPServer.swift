// HTTPServer: sockets in, one function `(Request) async throws -> Response` in the middle, sockets out. It owns time
// limits, back-pressure, connection limits, compression, static files and the access log. It knows no address of the
// product, no session and no page; security headers of pages are the product's.
//
// One `Desk` per loop holds what that loop's connections share; nothing is shared between loops but counters.

package import EventLoop
package import HTTP
package import HTTPWire

/// Answers one request. What it throws becomes a 500 with the request's number.
package typealias Answer = (Request) async throws -> Response

/// What the operator may set, and what tests shorten.
package struct ServerSettings: Sendable {
  /// A numeric address: `::` (all, IPv4 too), `0.0.0.0`, `127.0.0.1`, `::1`, ….
  package var listen = "::"
  /// 0: any free port, see `Server.port`.
  package var port: UInt16 = 0
  /// Lower-case names, without port, that requests may be for; others are answered 421. Empty: any.
  package var hosts: Set<String> = []
  /// Addresses of proxies whose last entry in `X-Forwarded-For` is the client's address.
  package var trustedProxies: Set<String> = []
  /// Connections per client address (IPv6: per /64), not for trusted proxies; 0: no limit. Beyond it a connection is
  /// answered 503, far beyond it closed.
  package var connectionsPerAddress = 64
  /// Connections of the whole server.
  package var connections = 10_000
  package var wire = WireLimits()
  /// Fields of the answers that the server gives by itself (400, 408, 421, 431, 500, 503 …).
  package var ownFields = HeaderFields()
  package var times = TimeLimits()
  /// Receives whole JSON lines of the access log, on a loop's thread: it must not block. See `LogFile`.
  package var log: (@Sendable ([UInt8]) -> Void)?

  package init() {}
}

/// Time limits in milliseconds (security.md, "Wire limits").
package struct TimeLimits: Sendable {
  package var handshake = 10_000
  /// From a request's first byte to the end of its head.
  package var header = 10_000
  /// Between requests.
  package var idle = 60_000
  /// From the head to the answer of a request without body.
  package var request = 60_000
  /// The same for one with a body; it goes on while bytes flow.
  package var upload = 300_000
  /// How long a body, or a client that reads an answer, may stay below 1 KiB/s.
  package var slowBody = 10_000
  /// How long nothing at all may come or be taken in the middle of a body.
  package var stall = 60_000
  /// How long a stopping server lets requests finish.
  package var drain = 20_000
  /// How long a connection that is being closed listens to a client that still sends.
  package var linger = 15_000
  /// How often requests are looked at whether they are late.
  package var sweep = 1_000
  /// After so long an idle connection gives its buffers back.
  package var rest = 2_000

  package init() {}
}

/// Why the server could not start.
package enum ServerError: Error, Equatable {
  /// Not a numeric address.
  case badAddress(String)
  /// The kernel refused to listen there.
  case listen(address: String, port: UInt16, errno: Int32)
  case loop(LoopError)
}

/// Counters since the start, of all loops together.
package struct ServerCounts: Equatable, Sendable {
  package var connections = 0
  package var openConnections = 0
  package var requests: UInt64 = 0
  /// Connections closed at once because of a limit.
  package var turnedAway = 0
}
