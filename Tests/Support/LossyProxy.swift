import CLinux
import Glibc
package import Synchronization

/// A unix socket in a folder of its own, where libpq looks for a server.
package func listen(in folder: String) throws -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let path = "\(folder)/.s.PGSQL.5432"
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let bound = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard bound == 0, Glibc.listen(descriptor, 16) == 0 else { throw FileProblem(path: path, code: errno) }
  return descriptor
}

package func connectSocket(_ path: String) -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  _ = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  return descriptor
}

/// Listens and never answers.
package final class SilentServer: Sendable {
  private let home: TemporaryServer
  private let descriptor: Int32

  package init() throws {
    home = try TemporaryServer()
    descriptor = try listen(in: home.folder)
  }

  deinit { close(descriptor) }

  package var address: String { "host=\(home.folder) user=x dbname=x" }
}

/// Stands between us and the server. Armed, it swallows the answer to the next COMMIT and hangs up: the case in which
/// nobody can know what happened.
package final class LossyProxy: Sendable {
  private let home: TemporaryServer
  private let descriptor: Int32
  private let target: String
  package let armed = Atomic<Bool>(false)
  package let losses = Atomic<Int>(0)
  /// Pieces that the client has sent: one for each round trip, as a pipeline is one write.
  package let requests = Atomic<Int>(0)

  /// - Parameter target: the folder of the real server's socket.
  package init(target: String) throws {
    home = try TemporaryServer()
    descriptor = try listen(in: home.folder)
    self.target = "\(target)/.s.PGSQL.5432"
    onThread { [self] in
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        serve(client)
      }
    }
  }

  package var folder: String { home.folder }

  package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func serve(_ client: Int32) {
    let server = connectSocket(target)
    onThread { [self] in
      pump(client, server) { [self] _ in
        requests.add(1, ordering: .relaxed)
        return false
      }
    }
    onThread { [self] in
      pump(server, client) { [self] bytes in
        guard armed.load(ordering: .relaxed), Self.contains(bytes, "COMMIT\0") else { return false }
        armed.store(false, ordering: .relaxed)
        losses.add(1, ordering: .relaxed)
        return true
      }
    }
  }

  private func pump(_ from: Int32, _ to: Int32, _ swallows: ([UInt8]) -> Bool) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(from, &bytes, bytes.count)
      if count <= 0 || swallows([UInt8](bytes[..<count])) { break }
      var sent = 0
      while sent < count {
        let some = bytes.withUnsafeBytes {
          send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
        }
        if some <= 0 { break }
        sent += some
      }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains { bytes[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

package func onThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { context in
      Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  pthread_detach(thread)
}
