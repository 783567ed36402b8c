import COpenSSL

/// SHA-256 (FIPS 180-4) by libcrypto.
package enum SHA256 {
  /// The 32 bytes of the digest.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash($0) }
  }

  /// The same for bytes that live elsewhere.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { digest, filled in
      stepwell_sha256(bytes.baseAddress, bytes.count, digest.baseAddress)
      filled = 32
    }
  }

  /// The first 16 bytes as two big-endian words, without making an array: the key of a sample (merge.md 8.1). ~0.2 µs for 100 bytes.
  package static func prefix(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
      stepwell_sha256(bytes.baseAddress, bytes.count, digest.baseAddress?.assumingMemoryBound(to: UInt8.self))
      return (
        UInt64(bigEndian: digest.load(as: UInt64.self)),
        UInt64(bigEndian: digest.load(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The same for bytes of an array.
  package static func prefix(_ bytes: [UInt8]) -> (high: UInt64, low: UInt64) {
    bytes.withUnsafeBytes { prefix($0) }
  }

  /// A digest that is fed piece by piece, for files. A value: copies go on apart.
  package struct Running: Sendable {
    private var context = SHA256_CTX()
    package init() { stepwell_sha256_start(&context) }

    package mutating func add(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { stepwell_sha256_add(&context, $0.baseAddress, $0.count) }
    }

    /// The digest of everything added so far; more may be added afterwards.
    package func digest() -> [UInt8] {
      var last = context
      return [UInt8](unsafeUninitializedCapacity: 32) { digest, filled in
        stepwell_sha256_end(&last, digest.baseAddress)
        filled = 32
      }
    }
  }
}

/// HMAC with SHA-256 (RFC 2104).
package enum HMAC {
  /// The 32 bytes of the code of `bytes` under `key`.
  package static func sha256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var length: UInt32 = 0
    return [UInt8](unsafeUninitializedCapacity: 32) { code, filled in
      let made = COpenSSL.HMAC(
        EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, code.baseAddress, &length)
      filled = made == nil ? 0 : 32
    }
  }
}
