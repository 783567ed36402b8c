import COpenSSL
import Synchronization

/// What all sessions of a server share: certificate, key, versions, ciphers, ticket keys. `reload` swaps the
/// certificate while sessions go on; sessions that exist keep the old one. May be used from any thread.
package final class TLSContext: Sendable {
  private let current: Mutex<Handle>
  let isServer: Bool

  /// A reference to an SSL_CTX. OpenSSL counts references itself; sessions hold their own.
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// For a server: chain (leaf first) and key as PEM.
  package init(chain: [UInt8], key: [UInt8]) throws(TLSError) {
    isServer = true
    current = Mutex(try ContextMaker.server(chain: chain, key: key))
  }

  /// For a client that trusts exactly the given certificates (PEM) and offers HTTP/1.1: tests and simulated phones.
  package init(trusting certificates: [UInt8]) throws(TLSError) {
    isServer = false
    current = Mutex(try ContextMaker.client(trusting: certificates))
  }

  deinit {
    current.withLock { SSL_CTX_free($0.pointer) }
  }

  /// Sessions that start from now on show this certificate. Tickets given out before stay valid. Throws, and changes
  /// nothing, if the files cannot be used.
  package func reload(chain: [UInt8], key: [UInt8]) throws(TLSError) {
    let fresh = try ContextMaker.server(chain: chain, key: key)
    current.withLock { current in
      ContextMaker.copyTicketKeys(from: current, to: fresh)
      SSL_CTX_free(current.pointer)
      current = fresh
    }
  }

  /// A new SSL object, which keeps the context alive by itself.
  func makeSession() -> OpaquePointer? {
    current.withLock { SSL_new($0.pointer) }
  }
}
