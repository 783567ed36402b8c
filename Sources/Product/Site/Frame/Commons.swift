package import Activity
import People
package import Secrets
import Synchronization

/// What the sites of all loops share: decisions of the operator, keys, and the little state that must be one for the
/// whole program. Everything in it may be used from any thread.
package final class Commons: Sendable {
  /// `https://host[:port]`, the address that people type.
  package let base: String
  package let imports: ImportRoom
  package let clock: Clock
  package let random: RandomSource
  package let passwords: PasswordGate

  let origins: OriginCheck
  let headers: SecurityHeaders
  let slot: FormSlot
  /// Key of what is not bound to a session: page tags and the forms of visitors. New at every start: open sign-in pages
  /// are then asked once more.
  let key: [UInt8]

  /// The open pages that hear of changes.
  package let live = LiveHub()
  /// Milliseconds after which a silent stream says that it is still there.
  let heartbeat: Int

  /// Takes what only the log may know: problems with a cause, and the number of the request.
  let report: @Sendable (Problem, UInt64) -> Void

  /// Tells the jobs that there is something to do.
  let wakeJobs: @Sendable () -> Void

  private let tries = Mutex(SignInLimits())
  private let current: Mutex<Interior>
  private let code: Mutex<String?>

  /// What SIGHUP replaces.
  package struct Interior: Sendable {
    package let views: SiteViews
    package let zones: ZoneTable

    /// SHA-256 over what pages are written from beside their rows: views, texts, program and the rules of all zones.
    let version: [UInt8]

    package init(views: SiteViews, zones: ZoneTable) {
      self.views = views
      self.zones = zones
      version = SHA256.hash(views.version + zones.fingerprint)
    }
  }

  /// `setUpCode`: what the first administrator must type; nil once there is one.
  package init(
    base: String, imports: ImportRoom, clock: Clock, random: RandomSource, setUpCode: String?, interior: Interior,
    heartbeat: Int = LiveStream.heartbeat, wakeJobs: @escaping @Sendable () -> Void = {},
    report: @escaping @Sendable (Problem, UInt64) -> Void = { _, _ in }
  ) {
    self.base = base
    self.imports = imports
    self.clock = clock
    self.random = random
    passwords = PasswordGate()
    origins = OriginCheck(base: base)
    headers = SecurityHeaders(base: base)
    slot = FormSlot(random: random)
    key = random.bytes(32)
    self.heartbeat = heartbeat
    self.report = report
    self.wakeJobs = wakeJobs
    current = Mutex(interior)
    code = Mutex(setUpCode)
  }

  /// Views and time zones as they are now; keep the value for the length of a request.
  var interior: Interior { current.withLock { $0 } }

  /// Puts freshly read views and zones in place; requests under way finish with the old ones.
  package func replace(interior: Interior) { current.withLock { $0 = interior } }

  /// Whether the first administrator is still to be made.
  var setUpCode: String? { code.withLock { $0 } }

  func closeSetUp() { code.withLock { $0 = nil } }

  /// Takes one try for each key; the longest wait in milliseconds if any of them must wait.
  func waitBeforeSignIn(_ keys: [String], at now: Instant) -> Int64? {
    tries.withLock { tries in keys.compactMap { tries.wait(for: $0, at: now) }.max() }
  }

  func signInSucceeded(_ keys: [String]) {
    tries.withLock { tries in for key in keys { tries.succeeded(key) } }
  }
}
