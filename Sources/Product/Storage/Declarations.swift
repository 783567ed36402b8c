package import Activity
package import Consent
package import People

extension Problem { static let missing = Problem(.unavailable, "Not furnished yet.") }

/// What an account is made from. `passwordHash` is the text of `Password.hash`; nil for a person who cannot sign in.
package struct NewAccount: Sendable {
  package var login: String
  package var displayName: String
  package var passwordHash: String?
  package var role: Role
  package var zone: String
  package var language: String

  package init(
    login: String, displayName: String, passwordHash: String?, role: Role = .person, zone: String,
    language: String = "en"
  ) {
    self.login = login
    self.displayName = displayName
    self.passwordHash = passwordHash
    self.role = role
    self.zone = zone
    self.language = language
  }
}

/// An account with what sign-in compares.
package struct SignInAccount: Sendable {
  package let account: Account
  /// Nil when the account has no password.
  package let passwordHash: String?
}

extension Store {
  // MARK: accounts

  /// Whether the house has been set up: the first administrator exists.
  package func isSetUp() async throws(Problem) -> Bool { throw .missing }

  /// Makes the first administrator. Throws `conflict` when the house is set up already, also by another request at this moment.
  package func setUp(_ new: NewAccount) async throws(Problem) -> PersonID { throw .missing }

  /// Makes an account. Throws `invalid` for a login or name that AccountRules refuse, `conflict` for a login that is taken.
  package func createAccount(_ new: NewAccount) async throws(Problem) -> PersonID { throw .missing }

  /// The account of a login in any spelling that folds to it; nil when there is none.
  package func account(login: String) async throws(Problem) -> SignInAccount? { throw .missing }

  /// The account of a person; nil when there is none.
  package func account(of person: PersonID) async throws(Problem) -> SignInAccount? { throw .missing }

  /// All accounts by login, for commands on the server. Scatter.
  package func accounts() async throws(Problem) -> [Account] { throw .missing }

  /// Replaces the password; all sessions but `keeping` end.
  package func changePassword(of person: PersonID, hash: String, keeping: [UInt8]?) async throws(Problem) {
    throw .missing
  }

  // MARK: sessions

  /// Signs in. `token` is the cookie's; only its hash is stored.
  package func startSession(
    for account: Account, tokenHash: [UInt8], formKey: [UInt8], agent: String
  ) async throws(Problem) -> Session { throw .missing }

  /// The session alone with the settings, for actions without data. One round trip.
  package func session(_ claim: OwnClaim) async throws(Problem) -> Guarded<Void> { throw .missing }

  /// Notes that the session is used; call it when `Session.wantsTouch`.
  package func touch(_ session: Session) async throws(Problem) { throw .missing }

  /// Notes that the person proved who they are just now.
  package func confirm(_ session: Session) async throws(Problem) { throw .missing }

  /// Signs out. Nothing happens when the session is over already.
  package func endSession(_ claim: OwnClaim) async throws(Problem) { throw .missing }

  /// Ends one session of the person by the `Session.id` that pages show; false when there is none.
  package func endSession(of person: PersonID, id: String) async throws(Problem) -> Bool { throw .missing }

  /// Ends all sessions of the person but one.
  package func endSessions(of person: PersonID, keeping: [UInt8]?) async throws(Problem) { throw .missing }

  // MARK: settings; each answers the number of days that are to be counted again (a job does it)

  /// Display name, start of week, theme, language: whatever is not nil.
  package func changeLook(
    _ permit: WritePermit, displayName: String? = nil, weekStart: WeekStart? = nil, theme: Theme? = nil,
    language: String? = nil
  ) async throws(Problem) { throw .missing }

  /// From `since` on the person lives in `zone`; later entries go. `nil` replaces the whole history by this one zone.
  /// Throws `invalid` for a zone that the zone data lacks.
  @discardableResult
  package func changeZone(_ permit: WritePermit, to zone: String, since: Instant?) async throws(Problem) -> Int {
    throw .missing
  }

  /// Whether steps typed by hand count.
  @discardableResult
  package func changeManual(_ permit: WritePermit, counts: Bool) async throws(Problem) -> Int { throw .missing }

  /// The person's own order of source keys, best first; sources not named rank after these by class. Empty: the default.
  @discardableResult
  package func changeSourceOrder(_ permit: WritePermit, keys: [String]) async throws(Problem) -> Int { throw .missing }

  /// Sets (value nil: ends) a goal from `goal.since` on.
  package func setGoal(_ permit: WritePermit, _ goal: Goal) async throws(Problem) { throw .missing }

  /// Pauses days; throws `conflict` when they overlap another pause.
  package func pause(_ permit: WritePermit, days: ClosedRange<CivilDay>, note: String?) async throws(Problem) {
    throw .missing
  }

  /// Takes a pause back by its first day; false when there is none.
  package func endPause(_ permit: WritePermit, from first: CivilDay) async throws(Problem) -> Bool { throw .missing }

  // MARK: pages, one round trip each

  /// Today. `around` is the present day anywhere near the person (UTC's date will do).
  package func today(_ claim: OwnClaim, around: CivilDay) async throws(Problem) -> Guarded<TodayRows> {
    throw .missing
  }

  /// Days of a range; ranges above 401 days throw `invalid`.
  package func history(
    _ claim: OwnClaim, days: ClosedRange<CivilDay>
  ) async throws(Problem) -> Guarded<HistoryRows> { throw .missing }

  /// One day with its hours, sources and samples.
  package func day(_ claim: OwnClaim, _ day: CivilDay) async throws(Problem) -> Guarded<DayRows> { throw .missing }

  /// The settings page.
  package func settings(_ claim: OwnClaim) async throws(Problem) -> Guarded<SettingsRows> { throw .missing }

  /// The person's imports, newest first, at most 50.
  package func imports(_ claim: OwnClaim) async throws(Problem) -> Guarded<[ImportRow]> { throw .missing }

  /// One import with its first `refused` refused records; value nil when there is none of this id.
  package func importReport(
    _ claim: OwnClaim, _ id: ImportID, refused: Int = 200
  ) async throws(Problem) -> Guarded<ImportReport?> { throw .missing }

  // MARK: imports

  /// A fresh id for the file's name on disk and then for `receive`.
  package func freshImport() -> ImportID { .fresh(at: clock.now().milliseconds, random: random) }

  /// The whole file lies on disk: notes the import and puts a job in the queue.
  package func received(
    _ permit: WritePermit, import id: ImportID, name: String, bytes: Int64
  ) async throws(Problem) { throw .missing }

  /// Asks a running import to stop; false when there is none running of this id.
  package func cancelImport(_ permit: WritePermit, _ id: ImportID) async throws(Problem) -> Bool { throw .missing }

  /// Starts writing a claimed import: resets its counts, notes "reading". Throws `conflict` while another import of the person runs.
  package func beginImport(_ job: Job) async throws(Problem) -> ImportWriter { throw .missing }

  // MARK: jobs

  /// Takes the next due job, if any, for `instance` (a name that survives a restart). The lease runs `seconds` and must be
  /// extended in time; jobs that this instance held before a crash are taken back at once when `restarted`.
  package func claimJob(instance: String, lease seconds: Int, restarted: Bool = false) async throws(Problem) -> Job? {
    throw .missing
  }

  /// Extends the lease; false when another instance has taken the job over meanwhile: stop at once then.
  package func extend(_ job: Job, lease seconds: Int) async throws(Problem) -> Bool { throw .missing }

  /// The job is done for good.
  package func finish(_ job: Job) async throws(Problem) { throw .missing }

  /// Puts the job back to be taken again after `delay` milliseconds.
  package func putBack(_ job: Job, after delay: Int64, error: String) async throws(Problem) { throw .missing }

  /// Counts up to `limit` stale days again in one transaction; answers how many are left.
  package func recount(_ permit: WritePermit, limit: Int = 60) async throws(Problem) -> Int { throw .missing }
}

/// A piece of work that outlasts a request.
package struct Job: Sendable {
  package enum Work: Sendable, Equatable {
    case readImport(PersonID, ImportID)
    case recount(PersonID)
  }

  package let id: Int64
  package let work: Work
  /// How often it was taken before this time.
  package let attempts: Int
  let bucket: Int16
  let instance: String
}

/// Writes one claimed import, slice by slice; every call is one transaction that also checks that the import still is ours
/// and not cancelled: then it throws `conflict`, and the walk ends. Repeating a call after an error is harmless.
package final class ImportWriter {
  package let person: PersonID
  package let id: ImportID
  let store: Store
  init(store: Store, person: PersonID, id: ImportID) {
    self.store = store
    self.person = person
    self.id = id
  }

  /// Stores a slice (≤ 10,000 samples; about 1,000 is best): samples, summaries, refused records, counts and position.
  package func add(_ slice: Batch, position: Int64) async throws(Problem) { throw .missing }

  /// The whole file was read: counts the stale days, at most `limit` of them; answers how many are left.
  package func count(limit: Int = 60) async throws(Problem) -> Int { throw .missing }

  /// Removes samples of the feed that the file no longer holds. Call it after a whole file only, before `count`; answers
  /// false when another pass over the file is needed (very large files only): read it again, `add` not needed, `note` is.
  package func sweep() async throws(Problem) { throw .missing }

  /// The end: done, or failed with a problem in `FileError`'s or the log's words. The job is finished too.
  package func end(_ state: ImportRow.State, problem: String?) async throws(Problem) { throw .missing }
}
