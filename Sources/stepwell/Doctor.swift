import Activity
import Files
import Glibc
import Postgres
import Storage
import TLS

/// `stepwell doctor`: looks at everything that a server needs and prints a line each: what it found, and what to do where
/// something is wrong. Exit status 0 when nothing is.
enum Doctor {
  static func run(_ environment: [String: String]) -> Int32 {
    var report = Report()
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try Configuration.read(environment: environment)
      report.good("configuration", "read")
    } catch {
      report.bad("configuration", error.message)
      return 1
    }
    let folder = report.attempt("data folder") { () throws(Failure) in
      let folder = try DataFolder(configuration.data)
      return (folder, folder.path)
    }
    if let folder {
      checkDisk(folder, &report)
      checkCertificate(configuration, folder, &report)
      checkDatabase(configuration, folder, &report)
    }
    checkResources(configuration, &report)
    _ = report.attempt("time zones") { () throws(Failure) in
      let zones = try Resources.zones(configuration.zoneinfo)
      return (zones, "\(zones.names.count) in \(configuration.zoneinfo)")
    }
    checkClock(configuration, &report)
    return report.failures == 0 ? 0 : 1
  }

  private static func checkDisk(_ folder: DataFolder, _ report: inout Report) {
    guard let free = folder.freeBytes else { return report.bad("disk", "its free space cannot be read") }
    let gigabytes = free / 1_000_000_000
    if free < 5_000_000_000 {
      report.bad("disk", "\(gigabytes) GB free at \(folder.path). An import needs up to 4 GB: make room.")
    } else {
      report.good("disk", "\(gigabytes) GB free at \(folder.path)")
    }
  }

  private static func checkCertificate(_ configuration: Configuration, _ folder: DataFolder, _ report: inout Report) {
    guard configuration.certificate != nil || Disk.exists(folder.certificate) else {
      return report.good("certificate", "none yet; the first start makes one that signs itself")
    }
    let chain = configuration.certificate?.chain ?? folder.certificate
    let key = configuration.certificate?.key ?? folder.certificateKey
    guard let chainBytes = try? Disk.read(chain), let keyBytes = try? Disk.read(key) else {
      return report.bad("certificate", "\(chain) or \(key) cannot be read. Check names and rights.")
    }
    guard let dates = CertificateDates(pem: chainBytes) else {
      return report.bad("certificate", "\(chain) holds no certificate in PEM form.")
    }
    do throws(TLSError) {
      _ = try TLSContext(chain: chainBytes, key: keyBytes)
    } catch {
      return report.bad("certificate", "\(chain) and \(key) do not fit each other: \(error).")
    }
    if !dates.hasBegun { return report.bad("certificate", "\(chain) is not valid yet. Check the clock.") }
    if dates.daysLeft < 0 { return report.bad("certificate", "\(chain) has ended. Renew it, then send SIGHUP.") }
    if dates.daysLeft < 14 { return report.bad("certificate", "\(chain) ends in \(dates.daysLeft) days. Renew it.") }
    report.good("certificate", "valid for \(dates.daysLeft) days: \(chain)")
  }

  private static func checkDatabase(_ configuration: Configuration, _ folder: DataFolder, _ report: inout Report) {
    if configuration.databaseURL == nil && !Disk.exists(folder.path + "/postgres") {
      return report.good("database", "none yet; the first start makes one in \(folder.path)")
    }
    let database = report.attempt("database") { () throws(Failure) in
      let database = try Database(configuration, folder: folder, sharing: true)
      return (database, database.isEmbedded ? "own PostgreSQL in \(folder.path)" : "reached")
    }
    guard let database else { return }
    defer { database.close() }
    _ = report.attempt("schema") { () throws(Failure) in
      switch try database.schema() {
      case .upToDate: return ((), "up to date")
      case .older(let missing):
        throw Failure("\(missing.count) migrations are missing. Run \"stepwell migrate\".")
      case .newer(let unknown):
        throw Failure(
          "The database is newer than this program (\(unknown.joined(separator: ", "))). Install that version.")
      case .edited(let names): throw Failure("Other migrations were applied: \(names.joined(separator: ", ")).")
      }
    }
  }

  private static func checkResources(_ configuration: Configuration, _ report: inout Report) {
    let found = report.attempt("views") { () throws(Failure) in
      let folder = try Resources.folder(configuration)
      return (folder, folder)
    }
    guard let found else { return }
    _ = report.attempt("views fit") { () throws(Failure) in
      _ = try Interior(found, zoneinfo: configuration.zoneinfo)
      return ((), "every view has its model and its texts")
    }
  }

  private static func checkClock(_ configuration: Configuration, _ report: inout Report) {
    let now = Clock.system.now()
    let year = CivilDay(number: Int32(truncatingIfNeeded: now.seconds / 86_400)).year
    if year < 2025 || year > 2100 {
      report.bad("clock", "it says \(year). Set the system's clock, best by NTP.")
    } else if configuration.clock != nil {
      report.bad("clock", "STEPWELL_CLOCK is set: the server lives at another time. Take it out.")
    } else {
      report.good("clock", "plausible")
    }
  }
}

/// The lines of the report and how many were bad.
struct Report {
  private(set) var failures = 0

  mutating func good(_ what: String, _ words: String) { Program.say("ok    \(what): \(words)") }

  mutating func bad(_ what: String, _ words: String) {
    failures += 1
    Program.say("WRONG \(what): \(words)")
  }

  /// Runs a check that answers something useful and words about it.
  mutating func attempt<T>(_ what: String, _ check: () throws(Failure) -> (T, String)) -> T? {
    do throws(Failure) {
      let (found, words) = try check()
      good(what, words)
      return found
    } catch {
      bad(what, error.description)
      return nil
    }
  }
}
