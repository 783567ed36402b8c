import Archive
import Bytes
import EventLoop
import Glibc
import HTTP
import TLS

/// What the connections of one loop share: the answer function, reused buffers, the date, the log, and the list of
/// connections that the sweep goes through. Lives on its loop.
final class Desk {
  let poller: Poller
  let settings: ServerSettings
  let counts: ConnectionCounts
  let answer: Answer
  let tlsOutput = TLSOutput()
  /// One deflate state for all whole answers of the loop.
  let gzip = GzipEncoder(level: 1)
  /// Rung when a connection has ended.
  let departure: Bell
  private(set) var isDraining = false
  private(set) var connections: [Connection] = []
  private var shelf: [[UInt8]] = []
  private var log: [UInt8] = []
  private var dateText: [UInt8] = []
  private var dateSecond: Int = -1

  init(poller: Poller, settings: ServerSettings, counts: ConnectionCounts, answer: @escaping Answer) {
    self.poller = poller
    self.settings = settings
    self.counts = counts
    self.answer = answer
    departure = Bell(poller)
  }

  // MARK: Buffers

  /// An empty buffer that has room already.
  func takeBuffer() -> [UInt8] {
    shelf.popLast() ?? []
  }

  /// Gives a buffer back. Large ones, and more than a few, are freed.
  func giveBack(_ buffer: consuming [UInt8]) {
    guard shelf.count < 4, buffer.capacity <= 256 * 1024 else { return }
    buffer.removeAll(keepingCapacity: true)
    shelf.append(buffer)
  }

  // MARK: Time

  /// The text of the field `date`, made once a second.
  var date: [UInt8] {
    let second = time(nil)
    if second != dateSecond {
      dateSecond = second
      dateText.removeAll(keepingCapacity: true)
      HTTPDate.write(Int64(second), into: &dateText)
    }
    return dateText
  }

  static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
  }

  // MARK: Connections

  func add(_ connection: Connection) {
    connection.place = connections.count
    connections.append(connection)
  }

  func remove(_ connection: Connection) {
    let last = connections.removeLast()
    if last !== connection {
      connections[connection.place] = last
      last.place = connection.place
    }
    departure.ring()
  }

  /// Once a second: requests that have taken too long are told to stop.
  func sweep() async {
    while !isDraining || !connections.isEmpty {
      do throws(LoopError) { try await poller.sleep(for: settings.times.sweep) } catch { return }
      for place in connections.indices where place < connections.count { connections[place].checkTime() }
    }
  }

  /// Lets requests finish, closes idle connections at once and the rest when the time is over.
  func drain() async {
    isDraining = true
    for connection in connections { connection.drain() }
    let deadline = poller.now + settings.times.drain
    while !connections.isEmpty {
      do throws(LoopError) { try await departure.wait(until: deadline) } catch { break }
    }
    for connection in connections { connection.cut() }
    while !connections.isEmpty {
      do throws(LoopError) { try await departure.wait(until: poller.now + 1_000) } catch { break }
    }
    flushLog()
  }

  // MARK: Log

  var isLogging: Bool { settings.log != nil }

  /// Appends a line; lines leave together, a fifth of a second later at most.
  func log(_ write: (inout [UInt8]) -> Void) {
    guard settings.log != nil else { return }
    let isFirst = log.isEmpty
    write(&log)
    if log.count > 32 * 1024 {
      flushLog()
    } else if isFirst {
      poller.spawn {
        try? await self.poller.sleep(for: 200)
        self.flushLog()
      }
    }
  }

  func flushLog() {
    guard !log.isEmpty else { return }
    settings.log?(log)
    log.removeAll(keepingCapacity: true)
  }
}
