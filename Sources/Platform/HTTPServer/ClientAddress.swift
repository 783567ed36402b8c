import CLinux
import Glibc

/// Where a connection comes from.
struct ClientAddress {
  /// Numeric text without port; IPv4 also when it came through an IPv6 socket.
  let text: String
  /// What the limit per address counts: the IPv4 address, or the /64 of an IPv6 address.
  let key: UInt64

  init(_ storage: inout sockaddr_storage) {
    (text, key) = withUnsafePointer(to: &storage) { storage in
      switch Int32(storage.pointee.ss_family) {
      case AF_INET:
        storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
          Self.read(v4: address.pointee.sin_addr.s_addr)
        }
      case AF_INET6:
        storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          Self.read(v6: address.pointee.sin6_addr)
        }
      default: ("unknown", 0)
      }
    }
  }

  private static func read(v4 address: UInt32) -> (String, UInt64) {
    let number = UInt32(bigEndian: address)
    let parts = [24, 16, 8, 0].map { "\(number >> UInt32($0) & 255)" }
    return (parts.joined(separator: "."), UInt64(number))
  }

  private static func read(v6 address: in6_addr) -> (String, UInt64) {
    var address = address
    let (high, low) = withUnsafeBytes(of: address) {
      (
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    // ::ffff:a.b.c.d
    if high == 0, low >> 32 == 0xFFFF { return read(v4: UInt32(truncatingIfNeeded: low).bigEndian) }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      inet_ntop(AF_INET6, &address, room.baseAddress, 64) == nil
        ? "unknown" : room.baseAddress.map { String(cString: $0) } ?? ""
    }
    return (text, high == 0 ? low : high)
  }

  /// Whether `text` is a numeric address and nothing else.
  static func isNumeric(_ text: String) -> Bool {
    var v4 = in_addr()
    var v6 = in6_addr()
    return inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, text, &v6) == 1
  }
}
