import COpenSSL
import Glibc

/// One TLS connection over a non-blocking socket. Lives on one loop; the socket stays the caller's and must outlive
/// it. No call blocks, none traps on what the other side sends.
///
/// After every call that does not end in `.wantsWrite` the socket has taken all that was to be sent.
package final class TLSSession {
  private let ssl: OpaquePointer
  private let descriptor: Int32
  private let output: TLSOutput
  /// Encrypted bytes that the socket has not taken yet.
  private var unsent: [UInt8] = []
  private var sent = 0
  /// OpenSSL has given up: no good-bye may be sent.
  private var isBroken = false
  /// The socket has given up: nothing can be sent.
  private var isCut = false

  /// Accepts (server) or opens (client, for `host` if given) a session. Nothing is sent before `handshake`.
  package init(_ context: TLSContext, descriptor: Int32, output: TLSOutput, host: String? = nil) throws(TLSError) {
    guard let ssl = context.makeSession() else { throw .library(ContextMaker.lastWords()) }
    guard let input = BIO_new_socket(descriptor, BIO_NOCLOSE), let sink = TLSOutput.makeBIO(output) else {
      SSL_free(ssl)
      throw .library(ContextMaker.lastWords())
    }
    SSL_set_bio(ssl, input, sink)
    if context.isServer {
      SSL_set_accept_state(ssl)
    } else {
      SSL_set_connect_state(ssl)
      if let host {
        _ = host.withCString {
          SSL_ctrl(
            ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), UnsafeMutableRawPointer(mutating: $0))
        }
        SSL_set1_host(ssl, host)
      }
    }
    self.ssl = ssl
    self.descriptor = descriptor
    self.output = output
  }

  deinit {
    SSL_free(ssl)
  }

  /// Goes on with the handshake: `.done`, `.wantsRead`, `.wantsWrite`, or a failure after which an alert was sent.
  package func handshake() -> TLSOutcome {
    if !unsent.isEmpty, flush() != .done { return .wantsWrite }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    let outcome = result == 1 ? TLSOutcome.done : outcome(of: result)
    return send() || outcome.isFinal ? outcome : .wantsWrite
  }

  /// Decrypts into `room`: `.bytes`, `.wantsRead`, `.closed` or a failure.
  package func read(into room: UnsafeMutableRawBufferPointer) -> TLSOutcome {
    ERR_clear_error()
    var count = 0
    let result = SSL_read_ex(ssl, room.baseAddress, room.count, &count)
    let outcome = result == 1 ? TLSOutcome.bytes(count) : outcome(of: result)
    // An answer to a key update, or an alert; if the socket is full it goes out with the next write.
    if output.count > 0 { _ = send() }
    return outcome
  }

  /// True when bytes were read from the socket that `read` has not given yet: do not wait for the socket then.
  package var hasBuffered: Bool { SSL_has_pending(ssl) == 1 }

  /// Encrypts and sends the front of `bytes`, at most 64 KiB of it: `.bytes` taken and sent, `.wantsWrite` if an
  /// earlier rest still waits for the socket, or a failure. What was taken but did not fit the socket waits in the
  /// session: see `hasUnsent`.
  package func write(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
    if !unsent.isEmpty {
      let outcome = flush()
      guard outcome == .done else { return outcome }
    }
    var taken = 0
    let piece = min(bytes.count, 64 * 1024)
    ERR_clear_error()
    while taken < piece {
      var count = 0
      let result = SSL_write_ex(ssl, bytes.baseAddress.map { $0 + taken }, piece &- taken, &count)
      guard result == 1 else {
        output.count = 0
        return outcome(of: result)
      }
      taken &+= count
    }
    return send() || !isCut ? .bytes(taken) : .closed
  }

  /// Encrypted bytes wait for the socket: wait for it to be writable and `flush`.
  package var hasUnsent: Bool { !unsent.isEmpty }

  /// Sends what waits: `.done`, `.wantsWrite` or `.closed`.
  package func flush() -> TLSOutcome {
    while sent < unsent.count {
      let result = unsent.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, noSignal)
      }
      if result > 0 {
        sent += result
      } else if errno != EINTR {
        guard errno == EAGAIN else {
          isCut = true
          return .closed
        }
        return .wantsWrite
      }
    }
    unsent = []
    sent = 0
    return .done
  }

  /// Says good-bye, so that the other side knows that nothing was cut off. Best effort.
  package func sayGoodbye() {
    guard !isBroken, !isCut, SSL_is_init_finished(ssl) == 1 else { return }
    ERR_clear_error()
    _ = SSL_shutdown(ssl)
    _ = send()
  }

  /// Whether a ticket spared the full handshake.
  package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

  /// `TLSv1.3` or `TLSv1.2`.
  package var version: String { SSL_get_version(ssl).map { String(cString: $0) } ?? "" }

  /// The application protocol that both agreed on; nil if the client named none.
  package var applicationProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    guard let name, length > 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
  }

  /// The other side's certificate as PEM: a client sees by it which certificate a server shows.
  package var peerCertificate: [UInt8]? {
    guard let certificate = SSL_get1_peer_certificate(ssl), let sink = BIO_new(BIO_s_mem()) else { return nil }
    defer {
      X509_free(certificate)
      BIO_free(sink)
    }
    var length = 0
    guard PEM_write_bio_X509(sink, certificate) == 1, let start = stepwell_bio_bytes(sink, &length) else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  // MARK: Private

  /// Sends what OpenSSL put into the shared buffer; keeps what the socket refuses. False if something was kept or lost.
  private func send() -> Bool {
    let count = output.count
    guard count > 0 else { return unsent.isEmpty }
    output.count = 0
    guard !isCut else { return false }
    var start = 0
    // Order: nothing may overtake an earlier rest.
    if unsent.isEmpty {
      while start < count {
        let result = Glibc.send(descriptor, output.bytes.baseAddress.map { $0 + start }, count - start, noSignal)
        if result > 0 {
          start += result
        } else if errno != EINTR {
          if errno != EAGAIN { isCut = true }
          break
        }
      }
    }
    guard start < count else { return true }
    if !isCut { unsent.append(contentsOf: output.bytes[start..<count]) }
    return false
  }

  private func outcome(of result: Int32) -> TLSOutcome {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_ZERO_RETURN: return .closed
    case SSL_ERROR_SYSCALL:
      isBroken = true
      return .closed
    default:
      isBroken = true
      let reason = Int32(truncatingIfNeeded: ERR_peek_error() & 0x7F_FFFF)
      ERR_clear_error()
      switch reason {
      case SSL_R_HTTP_REQUEST: return .plainHTTP
      case SSL_R_UNEXPECTED_EOF_WHILE_READING: return .closed
      default: return .failed(reason: reason)
      }
    }
  }
}

extension TLSOutcome {
  fileprivate var isFinal: Bool {
    switch self {
    case .closed, .plainHTTP, .failed: true
    default: false
    }
  }
}

private let noSignal = Int32(MSG_NOSIGNAL)
