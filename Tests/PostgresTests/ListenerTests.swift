import EventLoop
import Support
import Testing

@testable import Postgres

@Suite struct ListenerTests {
  @Test("notifications are heard, and after a lost connection again")
  func hears() async throws {
    let house = try House()
    let address = house.database.address(.web)
    let heard = try await house.loop.run { loop in
      let listener = Listener(poller: loop.poller, conninfo: address, channels: ["stepwell_live", "Other"])
      var heard: [Listener.Event] = []
      await listener.run { event in
        heard.append(event)
        do {
          switch heard.count {
          case 1: try house.script("NOTIFY stepwell_live, '17'")
          case 2: try house.script("NOTIFY \"Other\"")
          case 3:
            _ = try house.rows(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
            )
          case 4: try house.script("NOTIFY stepwell_live, '18'")
          default: listener.stop()
          }
        } catch {
          listener.stop()
        }
      }
      return heard
    }
    #expect(
      heard == [
        .connected, .notification(channel: "stepwell_live", payload: "17"),
        .notification(channel: "Other", payload: ""), .connected,
        .notification(channel: "stepwell_live", payload: "18"),
      ])
  }

  @Test("a listener ends with its loop, connected or not", .timeLimit(.minutes(1)), arguments: [true, false])
  func loopEnds(reachable: Bool) async throws {
    let house = try House()
    let address = reachable ? house.database.address(.web) : "host=/nowhere user=x dbname=x"
    let loop = try EventLoop.start(named: "ending")
    try await loop.run { loop in
      let (poller, started) = (loop.poller, Bell(loop.poller))
      let listener = Listener(poller: poller, conninfo: address, channels: ["stepwell_live"])
      poller.spawn {
        started.ring()
        await listener.run { _ in }
      }
      try await started.wait(until: poller.now + 1_000)
      try await poller.sleep(for: 50)
    }
    loop.stop()
    loop.join()
  }
}
