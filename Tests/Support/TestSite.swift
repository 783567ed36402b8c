package import Activity
package import EventLoop
import Glibc
package import HTTP
import Jobs
import People
import Postgres
import Secrets
package import Site
package import Storage

/// A whole site in this process: a loop, a database of its own, a folder for uploads, a clock that the test moves. It
/// ends with the object.
package final class TestSite: Sendable {
  package static let base = "https://steps.example"

  package let database: TestDatabase
  package let clock: ManualClock
  package let loop: EventLoop
  package let commons: Commons
  /// Where uploads lie.
  package let folder: String
  package let zones: ZoneTable
  private let home: Home

  /// What lives on the loop.
  private final class Home: @unchecked Sendable {
    var site: Site?
    var store: Store?
  }

  /// - Parameters:
  ///   - setUpCode: nil for a house that has its administrator already.
  ///   - reserve: bytes of the disk that uploads must leave free.
  package init(
    at now: String = "2026-11-26T15:42:00Z", setUpCode: String? = nil, reserve: Int64 = 0
  ) async throws {
    database = try TestDatabase(Schema.migrations)
    clock = ManualClock(now)
    zones = try Self.zones.get()
    var template = Array("/tmp/stepwell-site-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileProblem(path: "/tmp", code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let views = try Self.views.get()
    commons = Commons(
      base: Self.base, imports: ImportRoom(folder: folder, reserve: reserve), clock: clock.clock, random: .system,
      setUpCode: setUpCode,
      interior: Commons.Interior(views: views, zones: zones), heartbeat: 300)
    loop = try EventLoop.start(named: "test site")
    let home = Home()
    self.home = home
    let (address, zones, clock, commons) = (database.address(.web), zones, clock.clock, commons)
    try await loop.run { loop in
      let store = Store(
        pool: Pool(poller: loop.poller, conninfo: address), zones: { zones }, clock: clock, random: .system)
      home.store = store
      home.site = Site(commons: commons, store: store, loop: loop, poller: loop.poller)
    }
  }

  deinit {
    loop.stop()
    system("rm -rf \(folder)")
  }

  /// What a request answers, read to its end.
  package func answer(
    _ method: Method, _ target: String, _ fields: [(String, String)], body: [UInt8] = []
  ) async throws -> Answer {
    let home = home
    return try await loop.run { _ in
      guard let site = home.site else { throw Closed() }
      return Answer(await site.answer(try Request(method, target, fields, body: body)))
    }
  }

  /// The same for a body that does not say its length; `pause` runs before its last piece.
  package func answer(
    _ method: Method, _ target: String, _ fields: [(String, String)], pieces: [[UInt8]],
    pause: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> Answer {
    let home = home
    return try await loop.run { _ in
      guard let site = home.site else { throw Closed() }
      var rest = pieces[...]
      let body = RequestBody(length: nil) { () throws(BodyError) in
        if rest.count == 1 { do { try await pause() } catch { throw .disconnected } }
        return rest.popFirst()
      }
      return Answer(
        await site.answer(
          Request(method: method, target: try Target(target), fields: HeaderFields(fields), body: body)))
    }
  }

  /// What is answered to an upload whose body never comes.
  package func announce(length: Int, _ fields: [(String, String)]) async throws -> Answer {
    let home = home
    return try await loop.run { _ in
      guard let site = home.site else { throw Closed() }
      let body = RequestBody(length: length) { () throws(BodyError) in throw .disconnected }
      return Answer(
        await site.answer(
          Request(method: .post, target: try Target("/imports"), fields: HeaderFields(fields), body: body)))
    }
  }

  /// Opens `times` streams of an address and runs `body` with the ears of the last one; then all are closed, as by browsers
  /// that go away.
  package func listen(
    _ target: String, _ fields: [(String, String)], times: Int, _ body: @escaping @Sendable (Ears) async throws -> Void
  ) async throws {
    let home = home
    try await loop.run { loop in
      guard let site = home.site else { throw Closed() }
      let poller = loop.poller
      let departure = Bell(poller)
      var (ears, open) = (Ears(poller), 0)
      var streams: [UnsafeCurrentTask?] = []
      for _ in 0..<times {
        ears = Ears(poller)
        let response = await site.answer(try Request(.get, target, fields))
        guard case .stream(let write) = response.body else { throw Closed() }
        let (place, mine) = (streams.count, ears)
        streams.append(nil)
        open += 1
        poller.spawn {
          streams[place] = withUnsafeCurrentTask { $0 }
          try? await write(mine)
          streams[place] = nil
          mine.finish()
          open -= 1
          departure.ring()
        }
      }
      let last = ears
      let result: Result<Void, any Error>
      do { result = .success(try await body(last)) } catch { result = .failure(error) }
      for stream in streams { stream?.cancel() }
      while open > 0 { try await departure.wait(until: poller.now + 100_000) }
      try result.get()
    }
  }

  /// Tells open pages of changes from now on, as the server does; with `listening` false only by asking now and then.
  package func watch(listening: Bool) async throws {
    let home = home
    let (address, commons) = (database.address(.web), commons)
    try await loop.run { loop in
      guard let store = home.store else { throw Closed() }
      let poller = loop.poller
      let listener = listening ? ChangeListener(poller: poller, conninfo: address) : nil
      let watch = LiveWatch(
        hub: commons.live, store: store, poller: poller, listener: listener, interval: listening ? 3_600_000 : 200)
      poller.spawn { await watch.run() }
    }
  }

  /// Runs `body` with the site's own store, for what has no page.
  package func onStore<T: Sendable>(_ body: @escaping @Sendable (Store) async throws -> T) async throws -> T {
    let home = home
    return try await loop.run { _ in
      guard let store = home.store else { throw Closed() }
      return try await body(store)
    }
  }

  /// Does the jobs that are due, as the server's own loop for jobs would. `freeBytes`: what must be free on the disk.
  package func work(freeBytes: Int64 = 0) async throws {
    let (home, folder) = (home, folder)
    try await loop.run { loop in
      guard let store = home.store else { throw Closed() }
      var settings = JobSettings(importFolder: folder, instance: "test")
      settings.freeBytes = freeBytes
      let runner = JobRunner(store: store, poller: loop.poller, settings: settings)
      try await runner.runDue()
    }
  }

  /// Read once for all sites of a run.
  private static let zones = Result { try ZoneTable.machine() }
  private static let views = Result {
    let assets = Assets(stylesheet: "/assets/stepwell.css", script: "/assets/stepwell.js", icon: "/assets/favicon.svg")
    return try SiteViews(folder: Repository.root + "/Views", language: "en", assets: assets)
  }

  package struct Closed: Error {}
}

/// An answer with its body in memory.
package struct Answer: Sendable {
  package let status: Int
  package let fields: [(String, String)]
  package let bytes: [UInt8]

  init(_ response: Response) {
    status = response.status.code
    fields = response.fields.map { ($0.name, $0.value) }
    bytes = response.body.whole ?? []
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package subscript(name: String) -> String? { fields.first { $0.0 == name }?.1 }

  /// All values of a field.
  package func values(_ name: String) -> [String] { fields.filter { $0.0 == name }.map(\.1) }

  /// The masked form token of the page's forms.
  package var formToken: String? { value(ofField: "form") }

  /// The value of the first input of that name.
  package func value(ofField name: String) -> String? {
    guard let start = text.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
    return text[start.upperBound...].split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
  }

  /// What must be equal when two answers must not be told apart (decisions.md, "Answers that must not tell"): status,
  /// fields and body without the date, the request number and the masked form token.
  package var canonical: String {
    let kept = fields.filter { $0.0 != "date" }.map { "\($0.0): \($0.1)" }
    var body = text
    if let token = formToken {
      body = body.split(separator: token, omittingEmptySubsequences: false).joined(separator: "·")
    }
    if let number = body.firstRange(of: "<span class=\"mono\">") {
      body = String(body[..<number.lowerBound])
    }
    return "\(status)\n\(kept.joined(separator: "\n"))\n\n\(body)"
  }
}

extension ZoneTable {
  /// The zones of this machine.
  package static func machine() throws -> ZoneTable {
    ZoneTable { try? Repository.bytes("/usr/share/zoneinfo/" + $0) }
  }
}
