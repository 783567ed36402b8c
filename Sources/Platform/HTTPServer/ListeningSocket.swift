import CLinux
import Glibc

/// Opens sockets that listen on one address for several loops: the kernel spreads connections over them.
enum ListeningSocket {
  /// A non-blocking listening socket.
  static func open(address: String, port: UInt16) throws(ServerError) -> Int32 {
    var storage = sockaddr_storage()
    guard let length = fill(&storage, address, port) else { throw .badAddress(address) }
    let family = Int32(storage.ss_family)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw .listen(address: address, port: port, errno: errno) }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1)
    if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    let bound = withUnsafePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard bound == 0, listen(descriptor, 1024) == 0 else {
      let problem = errno
      close(descriptor)
      throw .listen(address: address, port: port, errno: problem)
    }
    return descriptor
  }

  /// The port that the kernel chose.
  static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      _ = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      // The port lies at the same place in both families.
      return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func fill(_ storage: inout sockaddr_storage, _ text: String, _ port: UInt16) -> socklen_t? {
    withUnsafeMutablePointer(to: &storage) { storage in
      let isV4 = storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        address.pointee.sin_family = sa_family_t(AF_INET)
        address.pointee.sin_port = port.bigEndian
        return inet_pton(AF_INET, text, &address.pointee.sin_addr) == 1
      }
      if isV4 { return socklen_t(MemoryLayout<sockaddr_in>.size) }
      let isV6 = storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        address.pointee = sockaddr_in6()
        address.pointee.sin6_family = sa_family_t(AF_INET6)
        address.pointee.sin6_port = port.bigEndian
        return inet_pton(AF_INET6, text, &address.pointee.sin6_addr) == 1
      }
      return isV6 ? socklen_t(MemoryLayout<sockaddr_in6>.size) : nil
    }
  }
}

extension Server {
  /// A port of this machine that is free now; nil if there is none. Another may take it before you do.
  package static func freePort() -> UInt16? {
    guard let descriptor = try? ListeningSocket.open(address: "127.0.0.1", port: 0) else { return nil }
    defer { close(descriptor) }
    return ListeningSocket.port(of: descriptor)
  }
}
