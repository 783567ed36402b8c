package import Activity
package import EventLoop
package import People
import Postgres

enum ChangeSQL {
  /// The channel on which every transaction that locks a person announces that person's id.
  static let channel = "stepwell_live"

  /// How often data and rights have changed, for all people whom an open page shows: one question every few seconds.
  static let counts = Statement(
    "change_counts", "SELECT person_id, ingest_seq, consent_seq FROM persons WHERE person_id = ANY ($1)", [.int64s])

  /// A session ended: open pages look at their session again.
  static let noteRights = Statement(
    "note_rights",
    """
    UPDATE persons SET consent_seq = consent_seq + 1 WHERE person_id = $1
    RETURNING pg_notify('\(channel)', person_id::text)
    """, [.int64])

  static let all: [(statement: Statement, reach: Reach)] = [(counts, .fewPersons), (noteRights, .onePerson)]
}

extension Store {
  /// How far the data and the rights of these people have changed. Numbers that only grow; people who are gone are absent.
  package func changeCounts(of people: [PersonID]) async throws(Problem) -> [PersonID: (data: Int64, rights: Int64)] {
    let rows = try await query(ChangeSQL.counts, [.int64s(people.map(\.number))])
    return try reading { () throws(PostgresError) in
      Dictionary(
        try rows.map { (PersonID($0.int64(0)), (data: $0.int64(1), rights: $0.int64(2))) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}

/// Hears from the database whose data has changed. A hint to look sooner: nothing depends on it (storage.md R12).
package final class ChangeListener {
  private let listener: Listener

  /// `conninfo` must lead to the database itself, not through a pooler, which swallows announcements.
  package init(poller: Poller, conninfo: String) {
    var settings = PoolSettings()
    settings.name = "stepwell live"
    listener = Listener(poller: poller, conninfo: conninfo, channels: [ChangeSQL.channel], settings: settings)
  }

  /// Until `stop`. `heard` gets the person, or nil when the connection is new and anybody may have changed meanwhile.
  package func run(_ heard: (PersonID?) async -> Void) async {
    await listener.run { event in
      switch event {
      case .connected: await heard(nil)
      case .notification(_, let payload): if let number = Int64(payload) { await heard(PersonID(number)) }
      }
    }
  }

  package func stop() { listener.stop() }
}
