import Activity
import Consent
import People
import Secrets
import Support
import Testing

@testable import Storage

/// The record of consent as it lies in the database, and what is noticed when somebody writes in it.
@Suite struct ConsentRecordTests {
  private let home: Home

  init() throws { home = try Home(now: Instant(utc: "2026-11-26T16:42:00Z")) }

  private func withRecord(
    _ body: @escaping @Sendable (Store, ReadPermit) async throws -> Void
  ) async throws {
    try await home.withAda { store, ada in
      let permit = WritePermit.onServer(for: ada, client: nil)
      let add = { () async throws(Problem) -> Bool in
        try await store.addDevice(
          permit,
          NewDevice(
            id: ClientID(5), name: "iPhone", types: [.stepCount, .activitySummary], notice: .share,
            token: Token(.upload, person: ada.number, random: .system), role: .person))
      }
      #expect(try await add())
      #expect(try await !add(), "the same form once more")
      let device = ClientID(5)
      let claim = try await store.signIn(ada)
      let grants = try store.open(try await store.devices(claim), claim)[0].grants
      #expect(try await store.revokeGrant(permit, grants[0].id, role: .person))
      #expect(try await store.grant(permit, grants[0].type, to: device, notice: .share, role: .person))
      #expect(try await store.removeDevice(permit, device, role: .person, deleting: false))
      try await body(store, .onServer(for: ada))
    }
  }

  @Test("what was decided verifies, and the grants are the fold of the events")
  func whole() async throws {
    try await withRecord { store, permit in
      let record = try await store.consentRecord(permit)
      #expect(record.count == 6, "two granted, one revoked and granted again, two closed")
      try record.verify()
      let folded = try self.home.rows(
        """
        SELECT DISTINCT ON (action, grantee_kind, grantee_id, type) grant_id, event, event_no FROM consent_events
        ORDER BY action, grantee_kind, grantee_id, type, event_no DESC
        """)
      let kept = try self.home.rows(
        "SELECT grant_id, state, event_no FROM grants ORDER BY action, grantee_kind, grantee_id, type")
      #expect(folded == kept)
    }
  }

  @Test(
    "a field that is changed, an event that is taken out, put in or exchanged, a head that is set back: all are found",
    arguments: [
      ("UPDATE consent_events SET at = at + interval '1 second' WHERE event_no = 2", ConsentRecord.Fault.altered(2)),
      ("UPDATE consent_events SET type = type + 1 WHERE event_no = 1", .altered(1)),
      ("UPDATE consent_events SET reason = '' WHERE event_no = 3", .altered(3)),
      ("UPDATE consent_events SET detail = 0 WHERE event_no = 3", .altered(3)),
      ("UPDATE consent_events SET notice_sha256 = sha256('x') WHERE event_no = 1", .altered(1)),
      ("UPDATE consent_events SET until = now() WHERE event_no = 6", .altered(6)),
      ("UPDATE consent_events SET hash = sha256('x') WHERE event_no = 4", .altered(4)),
      ("UPDATE consent_events SET previous_hash = sha256('x') WHERE event_no = 4", .unchained(4)),
      ("DELETE FROM consent_events WHERE event_no = 3", .missing(3)),
      ("DELETE FROM consent_events WHERE event_no = 6", .cutOff(after: 5)),
      ("UPDATE persons SET consent_count = 5", .cutOff(after: 6)),
      ("UPDATE persons SET consent_head = sha256('x')", .cutOff(after: 6)),
      (
        """
        UPDATE consent_events e SET event_no = 100 WHERE event_no = 1; UPDATE consent_events SET event_no = 1
        WHERE event_no = 2; UPDATE consent_events SET event_no = 2 WHERE event_no = 100
        """, .unchained(1)
      ),
    ])
  func tampered(sql: String, fault: ConsentRecord.Fault) async throws {
    try await withRecord { store, permit in
      try self.home.script(sql)
      let record = try await store.consentRecord(permit)
      #expect(throws: fault) { try record.verify() }
    }
  }
}
