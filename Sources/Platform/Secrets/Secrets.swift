// Secrets: random bytes, hashes, passwords, tokens, comparison in constant time.
// It wraps libsodium and OpenSSL's libcrypto; their names stay inside this room.
// It knows the shape of a token, never whom it belongs to or what it allows.
import CSodium

/// Makes libsodium ready, once per process. Any thread; the value is false when the library cannot start.
let sodiumReady: Bool = sodium_init() >= 0

/// Where random bytes come from: the one randomness of the program, made in `stepwell` and passed down; tests pass a seeded one.
package struct RandomSource: Sendable {
  private let fill: @Sendable (Int) -> [UInt8]

  /// `fill` answers exactly as many bytes as it is asked for. Any thread.
  package init(_ fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

  /// The kernel's generator through libsodium. Any thread.
  package static let system = RandomSource { count in
    guard sodiumReady, count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if let start = buffer.baseAddress { randombytes_buf(start, count) }
      filled = count
    }
  }

  /// `count` fresh bytes.
  package func bytes(_ count: Int) -> [UInt8] { fill(count) }

  /// 64 fresh bits.
  package func bits() -> UInt64 { fill(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
package func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for index in left.indices { difference |= left[index] ^ right[index] }
  return difference == 0
}
