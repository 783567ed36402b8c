import Activity
import EventLoop
import Files
import Glibc
import HTTP
import HTTPServer
import Jobs
import Postgres
import Secrets
import Site
import Storage
import Synchronization
import TLS

/// The rooms of one running server, put together.
final class House: Sendable {
  let configuration: Configuration
  let folder: DataFolder
  private let certificate: CertificateFiles
  private let resources: String
  private let tls: TLSContext
  private let interior: Mutex<Interior>
  private let zones: Mutex<ZoneTable>
  private let commons: Mutex<Commons?>
  private let jobSignal = JobSignal()

  /// Reads and checks everything that can be wrong before anything is started.
  init(_ configuration: Configuration, folder: DataFolder, certificate: CertificateFiles) throws(Failure) {
    self.configuration = configuration
    self.folder = folder
    self.certificate = certificate
    resources = try Resources.folder(configuration)
    interior = Mutex(try Interior(resources, zoneinfo: configuration.zoneinfo))
    zones = Mutex(try Resources.zones(configuration.zoneinfo))
    commons = Mutex(nil)
    let (chain, key) = try certificate.read()
    do throws(TLSError) {
      tls = try TLSContext(chain: chain, key: key)
    } catch {
      throw Failure("The certificate \(certificate.chain) cannot be used: \(error).")
    }
  }

  /// What runs until it is closed.
  final class Running: Sendable {
    let house: House
    let loops: [EventLoop]
    let server: Server
    private let jobs: JobLoop
    let database: String
    /// What the first administrator must type; nil once there is one.
    let setUpCode: String?

    init(
      house: House, loops: [EventLoop], server: Server, jobs: JobLoop, database: String, setUpCode: String?
    ) {
      self.house = house
      self.loops = loops
      self.server = server
      self.jobs = jobs
      self.database = database
      self.setUpCode = setUpCode
    }

    func seed() throws {
      let seed = Seed(
        configuration: house.configuration, folder: house.folder, base: house.configuration.origin, database: database)
      try seed.plant(on: loops[0], zones: house.zones.withLock { $0 })
    }

    /// Lets requests finish, puts the job at hand back, then ends the loops.
    func close() {
      jobs.close()
      try? loops[0].runBlocking { [server] _ in await server.stop() }
      for loop in loops { loop.stop() }
      for loop in loops { loop.join() }
    }
  }

  /// Starts one loop for each core, and listens with all of them.
  func open(database: String) throws -> Running {
    let loops = try (0..<Self.cores).map { try EventLoop.start(named: "loop \($0)") }
    let code = try loops[0].runBlocking { loop in
      try await self.store(loop, database).isSetUp() ? nil : Self.freshCode()
    }
    let commons = makeCommons(setUpCode: code)
    self.commons.withLock { $0 = commons }
    let (settings, tls, headers) = (serverSettings(), tls, SecurityHeaders(base: configuration.origin))
    let server = try loops[0].runBlocking { _ in
      do throws(any Error) {
        return try await Server.start(on: loops, settings: settings, tls: tls) { loop in
          let site = Site(
            commons: commons, store: self.store(loop, database), loop: loop, poller: loop.poller,
            memory: (self.configuration.pageMemory << 20) / loops.count)
          return { request in
            if var file = self.files.answer(to: request) {
              headers.add(to: &file)
              return file
            }
            return await site.answer(request)
          }
        }
      } catch let error as HTTPServer.ServerError {
        throw Self.failure(error)
      }
    }
    watch(commons.live, on: loops[0], database)
    return Running(
      house: self, loops: loops, server: server, jobs: try makeJobs(database), database: database, setUpCode: code)
  }

  /// Reads certificate, views, static files and zones again; what is under way goes on with the old ones.
  func reload() throws(Failure) {
    let fresh = try Interior(resources, zoneinfo: configuration.zoneinfo)
    let table = try Resources.zones(configuration.zoneinfo)
    let (chain, key) = try certificate.read()
    do throws(TLSError) {
      try tls.reload(chain: chain, key: key)
    } catch {
      throw Failure("The certificate \(certificate.chain) cannot be used: \(error).")
    }
    interior.withLock { $0 = fresh }
    zones.withLock { $0 = table }
    commons.withLock { $0?.replace(interior: Commons.Interior(views: fresh.views, zones: table)) }
  }

  /// One watch for the whole program; it ends with the loop.
  private func watch(_ hub: LiveHub, on loop: EventLoop, _ database: String) {
    loop.spawn { loop in
      let listener = ChangeListener(poller: loop.poller, conninfo: database)
      await LiveWatch(hub: hub, store: self.store(loop, database), poller: loop.poller, listener: listener).run()
    }
  }

  private var files: StaticFiles { interior.withLock { $0.files } }

  private func store(_ loop: isolated EventLoop, _ database: String) -> Store {
    Store(
      pool: Pool(poller: loop.poller, conninfo: database), zones: { self.zones.withLock { $0 } },
      clock: configuration.makeClock(), random: .system)
  }

  private func makeJobs(_ database: String) throws -> JobLoop {
    try JobLoop(
      signal: jobSignal, database: database, imports: folder.imports, instance: try folder.instance(),
      zones: { self.zones.withLock { $0 } }, clock: configuration.makeClock())
  }

  private func makeCommons(setUpCode: String?) -> Commons {
    let views = interior.withLock { $0.views }
    return Commons(
      base: configuration.origin, imports: ImportRoom(folder: folder.imports), clock: configuration.makeClock(),
      random: .system,
      setUpCode: setUpCode, interior: Commons.Interior(views: views, zones: zones.withLock { $0 }),
      wakeJobs: { [jobSignal] in jobSignal.ring() },
      report: { problem, number in ProblemLog.write(problem, request: number) })
  }

  private func serverSettings() -> ServerSettings {
    var settings = ServerSettings()
    settings.listen = configuration.listen
    settings.port = UInt16(clamping: configuration.port)
    settings.trustedProxies = Set(configuration.trustedProxies)
    settings.ownFields = SecurityHeaders(base: configuration.origin).all
    settings.connectionsPerAddress = configuration.connectionsPerAddress
    if configuration.log != .error {
      let file = LogFile()
      settings.log = { file.write($0) }
    }
    return settings
  }

  /// Twelve characters of base 32: 60 bits, and only a few tries a minute.
  private static func freshCode() -> String {
    let letters = Array("23456789abcdefghjkmnpqrstvwxyz".utf8)
    let code = (0..<12).map { _ in letters[Int(RandomSource.system.bits() % UInt64(letters.count))] }
    return [code[..<4], code[4..<8], code[8...]].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static func failure(_ error: HTTPServer.ServerError) -> Failure {
    switch error {
    case .badAddress(let address):
      Failure("STEPWELL_LISTEN must be a numeric address such as 127.0.0.1 or ::; it says \"\(address)\".")
    case .listen(let address, let port, let number):
      Failure(
        "Port \(port) at \(address) cannot be used: \(FileFault.reason(number)). Choose another with STEPWELL_PORT.")
    case .loop(let error): Failure("The server could not start: \(error).")
    }
  }
}
