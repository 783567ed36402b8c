package import Activity
import Bytes

/// How long a sign-in lasts (security.md): administrators' sessions end sooner, since more hangs on them.
package struct SessionLimits: Sendable, Equatable {
  /// The session ends when nothing was asked for so long, in milliseconds.
  package let idle: Int64
  /// It ends so long after sign-in in any case, in milliseconds.
  package let absolute: Int64

  package static func of(_ role: Role) -> SessionLimits {
    switch role {
    case .person: SessionLimits(idle: 14 * 86_400_000, absolute: 90 * 86_400_000)
    case .administrator: SessionLimits(idle: 30 * 60_000, absolute: 12 * 3_600_000)
    }
  }

  /// `seen_at` is written at most so often, in milliseconds: else every page view were a write.
  package static let touchEvery: Int64 = 5 * 60_000
}

/// One signed-in browser.
package struct Session: Sendable, Equatable {
  package let person: PersonID
  /// SHA-256 of the cookie's token.
  package let tokenHash: [UInt8]
  package let role: Role
  package let created: Instant
  package let seen: Instant
  package let expires: Instant
  /// When the person last proved who they are (sign-in or asked again).
  package let confirmed: Instant?
  /// Key of the form tokens of this session, 32 bytes.
  package let formKey: [UInt8]
  /// What the browser called itself at sign-in, shortened.
  package let agent: String

  package init(
    person: PersonID, tokenHash: [UInt8], role: Role, created: Instant, seen: Instant, expires: Instant,
    confirmed: Instant?, formKey: [UInt8], agent: String
  ) {
    self.person = person
    self.tokenHash = tokenHash
    self.role = role
    self.created = created
    self.seen = seen
    self.expires = expires
    self.confirmed = confirmed
    self.formKey = formKey
    self.agent = agent
  }

  /// Whether it is time to note that the session is still used.
  package func wantsTouch(at now: Instant) -> Bool { now.milliseconds - seen.milliseconds >= SessionLimits.touchEvery }

  /// Whether the person proved who they are at most ten minutes ago, which sensitive changes ask for.
  package func isFresh(at now: Instant) -> Bool {
    guard let confirmed else { return false }
    return now.milliseconds - confirmed.milliseconds <= 10 * 60_000
  }

  /// When a session of `role`, signed in at `created` and used at `now`, will end if nothing more is asked.
  package static func expiry(role: Role, created: Instant, now: Instant) -> Instant {
    let limits = SessionLimits.of(role)
    return Instant(
      milliseconds: min(now.milliseconds + limits.idle, created.milliseconds + limits.absolute))
  }
}

extension Session {
  /// What pages call the session: the first 8 bytes of its hash, which open nothing.
  package var id: String {
    Crockford.encode(tokenHash.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & Int64.max)
  }
}
