// Storage: every line of SQL, the migrations, and the rows that pages and jobs read. One file per noun; each declares
// its statements with their class (one person, few persons, scatter), and a test explains every one of them.
// Health data goes out only as `Guarded` (Consent opens it) or under a permit, and comes in only under a `WritePermit`.
// It must never know an address, a page's words or a file format.
package import Activity
package import Postgres
package import Secrets

/// The database as one loop sees it. Not Sendable: one per loop, beside its pool. Every function may throw
/// `unavailable` (come back in a moment) and `internal`.
package final class Store {
  let pool: Pool
  /// The zone data of the moment: SIGHUP replaces it.
  let zones: @Sendable () -> ZoneTable
  let clock: Clock
  let random: RandomSource

  package init(pool: Pool, zones: @escaping @Sendable () -> ZoneTable, clock: Clock, random: RandomSource) {
    self.pool = pool
    self.zones = zones
    self.clock = clock
    self.random = random
  }
}
