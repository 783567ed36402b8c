// TLS: one OpenSSL session over a non-blocking socket. What is read comes straight from the socket into OpenSSL's
// buffer (read-ahead); what is written is encrypted into a buffer shared by all sessions of a loop and goes out in one
// `send`, however many records it takes. The room waits for nothing and knows no loop: it says what it would wait for.

/// Why a certificate cannot be used.
package enum TLSError: Error, Equatable {
  /// The PEM file holds no certificate that can be read.
  case badCertificate
  /// The PEM file holds no private key that can be read, or one with a passphrase.
  case badKey
  /// The key does not belong to the certificate.
  case keyDoesNotFit
  /// OpenSSL refused; its own words.
  case library(String)
}

/// How an operation of a session ended.
package enum TLSOutcome: Equatable {
  /// So many plain bytes were read or taken. Never 0.
  case bytes(Int)
  /// The handshake is over, or everything has been sent.
  case done
  /// Come again when the socket is readable.
  case wantsRead
  /// Come again (`flush`) when the socket is writable.
  case wantsWrite
  /// The other side has said good-bye, or closed the connection.
  case closed
  /// The other side speaks plain HTTP. Nothing was sent.
  case plainHTTP
  /// Broken or refused by the other side. OpenSSL's reason code, for a counter in the log.
  case failed(reason: Int32)
}
