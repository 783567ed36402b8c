import COpenSSL

/// A certificate and its key as PEM, signed by itself: for a first start, before the operator has a real one.
package struct SelfSignedCertificate {
  package let chain: [UInt8]
  package let key: [UInt8]

  /// A P-256 key and a certificate for `host` (a name or an address) besides localhost, valid for two years from an
  /// hour ago. Nil if libcrypto refuses.
  package init?(host: String) {
    guard let key = BIO_new(BIO_s_mem()), let chain = BIO_new(BIO_s_mem()) else { return nil }
    defer {
      BIO_free(key)
      BIO_free(chain)
    }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var names = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
    let own = (Self.isAddress(bare) ? "IP:" : "DNS:") + bare
    if !names.contains(own) { names.append(own) }
    let made = stepwell_self_signed(bare, names.joined(separator: ","), 2 * 365 * 86400, key, chain)
    guard made == 1 else { return nil }
    self.key = Self.bytes(key)
    self.chain = Self.bytes(chain)
  }

  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
  }

  private static func bytes(_ bio: OpaquePointer) -> [UInt8] {
    var length = 0
    guard let start = stepwell_bio_bytes(bio, &length), length > 0 else { return [] }
    return start.withMemoryRebound(to: UInt8.self, capacity: length) {
      Array(UnsafeBufferPointer(start: $0, count: length))
    }
  }
}

/// When the first certificate of a PEM file holds.
package struct CertificateDates: Equatable {
  /// Whole days left by the system's clock; negative once it has ended.
  package let daysLeft: Int
  package let hasBegun: Bool

  /// Nil if the bytes hold no readable certificate.
  package init?(pem: [UInt8]) {
    var days: Int32 = 0
    var begun: Int32 = 0
    guard stepwell_certificate_dates(pem, Int32(clamping: pem.count), &days, &begun) == 1 else { return nil }
    daysLeft = Int(days)
    hasBegun = begun != 0
  }
}
