import Activity
import EventLoop
import HTTP
import HTTPServer
import Postgres
import Secrets
import Site
import Storage
import Synchronization
import TLS

/// `stepwell serve`: puts the rooms together, listens, works until it is told to end.
enum Serve {
  static func run(_ arguments: [String], _ configuration: Configuration) throws -> Int32 {
    guard arguments.allSatisfy({ $0 == "--seed" }) else {
      Program.complain("usage: stepwell serve")
      return 2
    }
    if !arguments.isEmpty && !configuration.development {
      throw Failure("Seeds are for development only: set STEPWELL_DEVELOPMENT=1.")
    }
    Signals.block()
    let folder = try DataFolder(configuration.data)
    var configuration = configuration
    if configuration.port == 0 { configuration.port = try freePort() }
    let certificate = try CertificateFiles(configuration, folder: folder, host: configuration.host)
    let house = try House(configuration, folder: folder, certificate: certificate)
    let database = try Database(configuration, folder: folder, sharing: false)
    defer { database.close() }
    try database.prepare()
    database.keepAlive()
    let running = try house.open(database: database.web)
    defer { running.close() }
    if database.wasAdopted { Program.say("Database: took over the one that was still running") }
    greet(configuration, running, seeding: !arguments.isEmpty)
    work(house)
    return 0
  }

  /// Until SIGTERM or SIGINT; SIGHUP reads views, zones and the certificate again.
  private static func work(_ house: House) {
    while true {
      switch Signals.wait() {
      case .end: return
      case .reload:
        do throws(Failure) {
          try house.reload()
          Program.say("Read certificate, views and time zones again.")
        } catch {
          Program.complain("Not read again, the old ones stay: \(error)")
        }
      }
    }
  }

  private static func greet(_ configuration: Configuration, _ running: House.Running, seeding: Bool) {
    guard seeding else {
      if let code = running.setUpCode {
        Program.say("Open \(configuration.origin)/setup to make the first account.\nSet-up code: \(code)")
      }
      Program.say("Ready at \(configuration.origin)")
      return
    }
    // On a thread of its own, so that Ctrl-C is heard meanwhile.
    do throws(LoopError) {
      try WorkerPool.runAlone(named: "seeds") {
        do {
          try running.seed()
          Program.say("\nReady at \(configuration.origin)")
        } catch {
          Program.complain("Seeds: \(error)")
        }
      }
    } catch {
      Program.complain("Seeds: \(error)")
    }
  }

  /// A port that is free now, for `port = 0`: the address of the site must be known before it listens.
  private static func freePort() throws(Failure) -> Int {
    guard let port = Server.freePort() else { throw Failure("No free port was found.") }
    return Int(port)
  }
}

extension Configuration {
  /// The address that people type.
  var origin: String { baseURL ?? "https://localhost:\(port)" }

  /// Its host, without port.
  var host: String { Origin(origin)?.host ?? "localhost" }
}
