import Activity
import Consent
import EventLoop
import Files
import Glibc
import People
import Phones
import Postgres
import Secrets
import Storage

/// The cast of house.md with a year of data each: for development and for looking around. The accounts are made in the
/// database, everything else goes the way that people go: sign in, settings, upload over HTTPS, wait until it is done.
struct Seed {
  let configuration: Configuration
  let folder: DataFolder
  /// Where the running server answers.
  let base: String
  /// Address of the database.
  let database: String

  /// `stepwell seed`: beside a running server.
  static func run(_ configuration: Configuration) throws -> Int32 {
    guard configuration.development else {
      throw Failure("Seeds are for development only: set STEPWELL_DEVELOPMENT=1.")
    }
    let workshop = try Workshop(configuration)
    defer { workshop.close() }
    let seed = Seed(
      configuration: configuration, folder: workshop.folder, base: configuration.origin,
      database: workshop.database.web)
    try seed.plant(on: workshop.loop, zones: workshop.zones)
    return 0
  }

  /// Makes what is missing, then prints the sign-ins.
  func plant(on loop: EventLoop, zones: ZoneTable) throws {
    if !Disk.exists(folder.seeds + "/done") {
      try File.makeFolder(folder.seeds)
      let now = configuration.makeClock().now()
      let lives = SeedMember.all.map { $0.scenario?.play(until: now, in: zones) }
      try makeAccounts(lives, on: loop, zones: zones)
      for (member, life) in zip(SeedMember.all, lives) {
        if let life { try bring(life, of: member) }
      }
      try File.write([], to: folder.seeds + "/done", mode: 0o600)
    }
    Program.say("\nSign in at \(base)")
    for member in SeedMember.all {
      Program.say("  \(member.login.padded(to: 22))\(member.password.padded(to: 32))\(member.note)")
    }
  }

  private func makeAccounts(_ lives: [Life?], on loop: EventLoop, zones: ZoneTable) throws {
    let (address, clock) = (database, configuration.makeClock())
    try loop.runBlocking { loop in
      let store = Store(
        pool: Pool(poller: loop.poller, conninfo: address), zones: { zones }, clock: clock, random: .system)
      for (member, life) in zip(SeedMember.all, lives) {
        guard try await store.account(login: member.login) == nil else { continue }
        let hash = try await loop.poller.onWorker { Password.hash(member.password) }
        let account = NewAccount(
          login: member.login, displayName: member.name, passwordHash: hash, role: member.role,
          zone: life?.zones.first?.zone ?? "Europe/Berlin")
        let isFirst = try await !store.isSetUp() && member.role == .administrator
        let person = try await isFirst ? store.setUp(account) : store.createAccount(account)
        // Where the person was, which the phone will say itself one day.
        for (since, zone) in (life?.zones ?? []).dropFirst() {
          try await store.changeZone(.onServer(for: person, client: nil), to: zone, since: since)
        }
      }
    }
  }

  /// One person's year, the way a person would bring it.
  private func bring(_ life: Life, of member: SeedMember) throws {
    let certificate = configuration.certificate == nil ? try? Disk.read(folder.certificate) : nil
    let visitor = Visitor(base: base, certificate: certificate)
    let signedIn = try visitor.submit(
      "/sign-in", on: "/sign-in", [("email", member.login), ("password", member.password)])
    guard signedIn.status == 303 else { throw Failure("\(member.name) could not sign in (\(signedIn.status)).") }
    Program.say("Seeds: \(member.name)’s year")
    for days in life.pauses {
      let fields = [("from", days.lowerBound.iso), ("to", days.upperBound.iso)]
      let paused = try visitor.submit("/settings/pauses", on: "/settings", fields)
      guard paused.status == 303 else { throw Failure("\(member.name)’s pause was not taken (\(paused.status)).") }
    }
    let phone = SeedPhone(life: life, base: base, certificate: certificate)
    guard let days = member.phoneDays else { return try phone.bring(visitor, after: nil) }
    try importYear(life, of: member, visitor)
    // The last days come both ways, as they do for people; they count once.
    try phone.bring(visitor, after: life.now.advanced(hours: -24 * days))
  }

  private func importYear(_ life: Life, of member: SeedMember, _ visitor: Visitor) throws(Failure) {
    guard let zip = life.exportZip() else { throw Failure("\(member.name)’s export could not be packed.") }
    let uploaded = try visitor.upload(zip, named: "export.zip")
    guard uploaded.status == 303, let address = uploaded.location else {
      throw Failure("\(member.name)’s export was not taken (\(uploaded.status)).")
    }
    try waitUntilDone(address, visitor)
  }

  private func waitUntilDone(_ address: String, _ visitor: Visitor) throws(Failure) {
    var page = try visitor.get(address)
    while page.isWaiting {
      usleep(200_000)
      page = try visitor.get(address)
    }
    guard page.body.contains("bd-ok") || page.body.contains("Import done") else {
      throw Failure("The import at \(base)\(address) did not end well. Open it to see why.")
    }
  }
}

/// One of the cast.
struct SeedMember: Sendable {
  let name: String
  let role: Role
  /// The scenario of Phones that makes this person's year; nil for somebody without data.
  let scenario: Scenario?
  let note: String
  /// How many of the last days the phone uploads beside an export.zip with everything; nil: the phone brings it all.
  var phoneDays: Int?

  var login: String { name.lowercased() + "@family.example" }
  var password: String { name.lowercased() + " walks down to the water" }

  static let all = [
    SeedMember(name: "Ada", role: .person, scenario: .ada, note: "a year with everything in it", phoneDays: 30),
    SeedMember(name: "Ben", role: .person, scenario: .ben, note: "her family, may see her steps later"),
    SeedMember(name: "Cleo", role: .person, scenario: .cleo, note: "her family, may not", phoneDays: 14),
    SeedMember(name: "Dan", role: .person, scenario: .dan, note: "a stranger"),
    SeedMember(name: "Eve", role: .administrator, scenario: nil, note: "administrator, no steps"),
  ]
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
