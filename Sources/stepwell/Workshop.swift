import Activity
import EventLoop
import Glibc
import Postgres
import Secrets
import Storage

/// What a command needs to work on the data beside a server: configuration, database, one loop, zones.
final class Workshop {
  let configuration: Configuration
  let folder: DataFolder
  let database: Database
  let zones: ZoneTable
  let loop: EventLoop

  init(_ configuration: Configuration) throws {
    self.configuration = configuration
    folder = try DataFolder(configuration.data)
    zones = try Resources.zones(configuration.zoneinfo)
    database = try Database(configuration, folder: folder, sharing: true)
    do {
      try database.prepare()
      loop = try EventLoop.start(named: "command")
    } catch {
      database.close()
      throw error
    }
  }

  /// Runs `work` on the loop with a store of its own; blocks until it is done.
  func run<T: Sendable>(_ work: @escaping @Sendable (isolated EventLoop, Store) async throws -> T) throws -> T {
    let (address, zones, clock) = (database.web, zones, configuration.makeClock())
    return try loop.runBlocking { loop in
      let store = Store(
        pool: Pool(poller: loop.poller, conninfo: address), zones: { zones }, clock: clock, random: .system)
      return try await work(loop, store)
    }
  }

  func close() {
    loop.stop()
    loop.join()
    database.close()
  }
}

extension Configuration {
  /// The system's clock; in development, one that starts at the configured instant and runs on from there.
  func makeClock() -> Clock {
    guard let clock else { return .system }
    let start = Clock.system.now().milliseconds
    return Clock { Instant(milliseconds: clock + Clock.system.now().milliseconds - start) }
  }
}

extension Clock {
  /// The present moment by the system.
  static let system = Clock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
