import CLinux
package import EventLoop
import Glibc
import HTTP
package import TLS

/// A running server: listens from `start` until `stop`. The value may be used from any thread.
package final class Server: Sendable {
  /// Where it listens; the chosen one if 0 was asked for.
  package let port: UInt16
  private let posts: [Post]
  private let shared: ConnectionCounts

  /// A loop and what the server keeps on it. The reception is touched on its loop only.
  private struct Post: @unchecked Sendable {
    let loop: EventLoop
    let reception: Reception
  }

  private init(port: UInt16, posts: [Post], shared: ConnectionCounts) {
    self.port = port
    self.posts = posts
    self.shared = shared
  }

  /// Listens on one address with every loop. `makeAnswer` is called once on each, so that each has its own database
  /// pool and buffers. `tls` nil: plain HTTP, for a proxy on the same machine and for metrics.
  package static func start(
    on loops: [EventLoop], settings: ServerSettings, tls: TLSContext?,
    makeAnswer: @escaping @Sendable (isolated EventLoop) async throws -> Answer
  ) async throws -> Server {
    let shared = ConnectionCounts(limit: settings.connections, perAddress: settings.connectionsPerAddress)
    var posts: [Post] = []
    var port = settings.port
    do {
      for loop in loops {
        let descriptor = try ListeningSocket.open(address: settings.listen, port: port)
        port = ListeningSocket.port(of: descriptor)
        posts.append(
          try await loop.run { loop in
            do {
              let desk = Desk(
                poller: loop.poller, settings: settings, counts: shared, answer: try await makeAnswer(loop))
              let reception = try Reception(desk: desk, descriptor: descriptor, tls: tls)
              reception.open()
              return Post(loop: loop, reception: reception)
            } catch {
              close(descriptor)
              throw error
            }
          })
      }
    } catch {
      for post in posts { try? await post.loop.run { _ in await post.reception.close() } }
      throw error
    }
    return Server(port: port, posts: posts, shared: shared)
  }

  /// Stops listening, lets requests finish (`TimeLimits.drain`), then cuts. The loops go on.
  package func stop() async {
    await withTaskGroup(of: Void.self) { group in
      for post in posts {
        group.addTask { try? await post.loop.run { _ in await post.reception.close() } }
      }
    }
  }

  /// Counters since the start.
  package var counts: ServerCounts { shared.counts }
}
