import COpenSSL

/// Makes SSL_CTX objects with the house's settings.
enum ContextMaker {
  private static let ciphers12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
  private static let ciphers13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
  /// ALPN's list: each name after its length. HTTP/2 will stand in front.
  static let protocols: StaticString = "\u{8}http/1.1"

  static func server(chain: [UInt8], key: [UInt8]) throws(TLSError) -> TLSContext.Handle {
    let context = try common(TLS_server_method())
    do throws(TLSError) {
      try use(chain: chain, in: context)
      try use(key: key, in: context)
    } catch {
      SSL_CTX_free(context)
      throw error
    }
    SSL_CTX_set_cipher_list(context, ciphers12)
    SSL_CTX_set_ciphersuites(context, ciphers13)
    stepwell_set_server_options(context)
    // Resumption by tickets alone: nothing is remembered here.
    SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    SSL_CTX_set_session_id_context(context, "stepwell", 8)
    SSL_CTX_set_num_tickets(context, 1)
    SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    return TLSContext.Handle(pointer: context)
  }

  static func client(trusting certificates: [UInt8]) throws(TLSError) -> TLSContext.Handle {
    let context = try common(TLS_client_method())
    let trusted = read(certificates)
    guard !trusted.isEmpty else {
      SSL_CTX_free(context)
      throw .badCertificate
    }
    for certificate in trusted {
      X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate)
      X509_free(certificate)
    }
    // The trusted certificate may be a leaf: it need not have signed itself as an authority.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    SSL_CTX_set_alpn_protos(context, protocols.utf8Start, UInt32(protocols.utf8CodeUnitCount))
    return TLSContext.Handle(pointer: context)
  }

  static func copyTicketKeys(from old: TLSContext.Handle, to fresh: TLSContext.Handle) {
    withUnsafeTemporaryAllocation(byteCount: 80, alignment: 8) { keys in
      let got = SSL_CTX_ctrl(old.pointer, SSL_CTRL_GET_TLSEXT_TICKET_KEYS, 80, keys.baseAddress)
      if got == 1 { SSL_CTX_ctrl(fresh.pointer, SSL_CTRL_SET_TLSEXT_TICKET_KEYS, 80, keys.baseAddress) }
      OPENSSL_cleanse(keys.baseAddress, 80)
    }
  }

  private static func common(_ method: OpaquePointer?) throws(TLSError) -> OpaquePointer {
    guard let context = SSL_CTX_new(method) else { throw .library(lastWords()) }
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: groups.utf8Start))
    // Idle sessions give their record buffers back; a whole record is read in one system call.
    let mode = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(mode), nil)
    stepwell_set_read_ahead(context)
    return context
  }

  private static let groups: StaticString = "X25519:P-256:P-384"

  private static func use(chain: [UInt8], in context: OpaquePointer) throws(TLSError) {
    let certificates = read(chain)
    guard let leaf = certificates.first else { throw .badCertificate }
    defer { X509_free(leaf) }
    let used = SSL_CTX_use_certificate(context, leaf) == 1
    // The context takes over the others.
    for other in certificates.dropFirst() {
      SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 0, UnsafeMutableRawPointer(other))
    }
    guard used else { throw .library(lastWords()) }
  }

  private static func use(key: [UInt8], in context: OpaquePointer) throws(TLSError) {
    guard let source = BIO_new_mem_buf(key, Int32(clamping: key.count)) else { throw .badKey }
    defer { BIO_free(source) }
    // A passphrase is never asked for: the call-back says that there is none.
    guard let read = PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else {
      ERR_clear_error()
      throw .badKey
    }
    defer { EVP_PKEY_free(read) }
    guard SSL_CTX_use_PrivateKey(context, read) == 1, SSL_CTX_check_private_key(context) == 1 else {
      ERR_clear_error()
      throw .keyDoesNotFit
    }
  }

  /// Every certificate of a PEM file; the caller frees them.
  private static func read(_ pem: [UInt8]) -> [OpaquePointer] {
    guard !pem.isEmpty, let source = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return [] }
    defer { BIO_free(source) }
    var certificates: [OpaquePointer] = []
    while let certificate = PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil) {
      certificates.append(certificate)
    }
    ERR_clear_error()
    return certificates
  }

  static func lastWords() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { words in
      ERR_error_string_n(code, words.baseAddress, words.count)
      return words.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}

/// Picks the first protocol of our list that the client offers; a client that offers only others is refused.
private func selectProtocol(
  _: OpaquePointer?, chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, length: UnsafeMutablePointer<UInt8>?,
  offered: UnsafePointer<UInt8>?, offeredLength: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
  var name: UnsafeMutablePointer<UInt8>?
  let own = ContextMaker.protocols
  let result = SSL_select_next_proto(
    &name, length, own.utf8Start, UInt32(own.utf8CodeUnitCount), offered, offeredLength)
  guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  chosen?.pointee = UnsafePointer(name)
  return SSL_TLSEXT_ERR_OK
}
