/// The CRC-32 of zip, gzip and PNG (reflected, polynomial 0xEDB88320). It finds slips, not attacks.
@usableFromInline
package enum CRC32 {
  @usableFromInline static let table: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
  }

  /// The sum over `bytes`; `after` continues the sum of what came before.
  @inlinable package static func sum(_ bytes: some Sequence<UInt8>, after previous: UInt32 = 0) -> UInt32 {
    let table = table
    var value = ~previous
    for byte in bytes { value = value >> 8 ^ table[Int((value ^ UInt32(byte)) & 255)] }
    return ~value
  }
}
