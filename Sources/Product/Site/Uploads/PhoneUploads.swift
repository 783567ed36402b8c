import Activity
import Bytes
import Consent
import EventLoop
import HTTP
import Intake
import People
import Secrets
import Storage

/// `POST /api/batches` and `POST /api/health-auto-export`: a device brings data with its token. No cookie is looked at and
/// no page is opened by it; whatever goes wrong is problem+json.
extension Site {
  func receiveBatch(_ visit: Visit) async throws(ProblemDocument) -> Response {
    let (permit, _) = try await device(visit)
    let body = try await PhoneBody.read(visit.request, on: poller)
    let now = visit.now
    let upload = try await parsed(body) { () throws(Intake.UploadFault) in
      try HealthKitReader.read(body, receivedAt: now)
    }
    let hash = SHA256.hash(body)
    let id = try BatchID(upload.id, key: visit.request.fields["idempotency-key"], hash: hash)
    return try await keep(upload, as: id, hash: hash, under: permit, visit)
  }

  func receiveHealthAutoExport(_ visit: Visit) async throws(ProblemDocument) -> Response {
    let (permit, rights) = try await device(visit)
    let body = try await PhoneBody.read(visit.request, on: poller)
    let zones = ZoneHistory(rights.zones.map { (since: $0.since, zone: $0.zone) }, in: visit.interior.zones)
    let aggregation = visit.request.fields["automation-aggregation"]
    let now = visit.now
    let upload = try await parsed(body) { () throws(Intake.UploadFault) in
      try HealthAutoExportReader.read(body, aggregation: aggregation, zones: zones, receivedAt: now)
    }
    let hash = SHA256.hash(body)
    let id = BatchID(session: visit.request.fields["session-id"] ?? "", hash: hash)
    return try await keep(upload, as: id, hash: hash, under: permit, visit)
  }

  /// Whose device asks, by `Authorization: Bearer …` or `X-Stepwell-Token: …`. Everything that is wrong with a token gets the
  /// same answer, and one whose check digits are wrong does not reach the database.
  private func device(_ visit: Visit) async throws(ProblemDocument) -> (WritePermit, UploadRights) {
    guard let claim = Self.bearer(visit.request.fields).flatMap(UploadClaim.init(bearer:)) else {
      throw ProblemDocument.unauthenticated
    }
    do throws(Problem) {
      let rights = try await store.rights(of: claim)
      let permit = try WritePermit(claim: claim, rights: rights)
      guard let rights else { throw Problem(.unauthenticated, "") }
      return (permit, rights)
    } catch { throw document(of: error, visit) }
  }

  private static func bearer(_ fields: HeaderFields) -> String? {
    if let own = fields["x-stepwell-token"] { return own }
    guard let text = fields["authorization"], text.prefix(7).lowercased() == "bearer " else { return nil }
    return String(text.dropFirst(7).drop { $0 == " " })
  }

  private func parsed(
    _ body: [UInt8], _ read: @escaping @Sendable () throws(Intake.UploadFault) -> Intake.Upload
  ) async throws(ProblemDocument) -> Intake.Upload {
    do {
      return body.count > PhoneBody.longWork ? try await poller.onWorker { try read() } : try read()
    } catch let fault as Intake.UploadFault {
      throw ProblemDocument(fault)
    } catch { throw ProblemDocument.busy }
  }

  private func keep(
    _ upload: Intake.Upload, as id: BatchID, hash: [UInt8], under permit: WritePermit, _ visit: Visit
  ) async throws(ProblemDocument) -> Response {
    let declared = upload.asked.filter(\.complete).map { ($0.type, $0.interval) }
    let words = visit.interior.views.words
    let isKnownZone = upload.zone.map { visit.interior.zones.zone(named: $0) != nil } ?? true
    let bytes: [UInt8]
    do throws(Problem) {
      bytes = try await store.receive(
        upload.batch, Storage.Upload(batch: id.halves, bodyHash: hash, declared: declared, zone: upload.zone),
        permit: permit
      ) { outcome in
        UploadAnswer(upload, outcome, id: id.text, isKnownZone: isKnownZone, words: words).bytes
      }
    } catch { throw document(of: error, visit) }
    commons.wakeJobs()
    var response = Response(.ok, type: "application/json", bytes)
    response.fields.append("cache-control", "no-store")
    return response
  }

  private func document(of problem: Problem, _ visit: Visit) -> ProblemDocument {
    let detail = visit.interior.views.words.sentence(of: problem)
    switch problem.code {
    case .unauthenticated, .forbidden, .notFound: return .unauthenticated
    case .conflict where problem.cause == "batch_reused":
      return ProblemDocument(.conflict, "batch_reused", "This batch id was sent before with another content.")
    case .unavailable:
      commons.report(problem, visit.request.number)
      return .busy
    case .conflict:
      return ProblemDocument(.serviceUnavailable, "conflict", detail, fields: [("retry-after", "1")])
    case .invalid: return ProblemDocument(.unprocessableContent, "invalid", detail)
    case .tooLarge: return ProblemDocument(.contentTooLarge, "too_large", detail)
    case .tooMany: return ProblemDocument(.tooManyRequests, "too_many", detail)
    case .internal:
      commons.report(problem, visit.request.number)
      return ProblemDocument(.internalServerError, "internal", detail)
    }
  }
}

extension ProblemDocument {
  static var unauthenticated: ProblemDocument {
    ProblemDocument(
      .unauthorized, "unauthenticated", "The upload token is missing or not valid. Add the device again on Devices.",
      fields: [("www-authenticate", "Bearer realm=\"Stepwell\"")])
  }

  init(_ fault: Intake.UploadFault) {
    switch fault {
    case .badJSON(let offset):
      self.init(.badRequest, "bad_json", "The body is not JSON, from byte \(offset) on.")
    case .badShape(let what): self.init(.unprocessableContent, "bad_shape", "The body cannot be used: \(what).")
    case .tooManyItems(let limit):
      self.init(
        .contentTooLarge, "too_many_items", "There are too many items. Send them in smaller parts.", limit: limit)
    case .textTooLong(let limit):
      self.init(.contentTooLarge, "text_too_long", "A name or id is too long.", limit: limit)
    }
  }
}

/// The id under which an upload's answer is kept: the phone's own, or one made from what it sent.
struct BatchID {
  let halves: (high: UInt64, low: UInt64)

  /// `text` and `key` must be the same UUID where both are there; without either, the content is the id.
  init(_ text: String?, key: String?, hash: [UInt8]) throws(ProblemDocument) {
    guard let given = text ?? key else {
      halves = Self.halves(hash)
      return
    }
    if let text, let key, text.lowercased() != key.lowercased() {
      throw ProblemDocument(
        .unprocessableContent, "bad_batch",
        "Idempotency-Key and batch are not the same. Send one of them, or the same twice.")
    }
    let bytes = Array(given.utf8)
    let dashes = [8, 13, 18, 23]
    guard bytes.count == 36, dashes.allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      let value = Hex.decode(bytes.indices.filter { !dashes.contains($0) }.map { bytes[$0] }), value.count == 16
    else { throw ProblemDocument(.unprocessableContent, "bad_batch", "The id of a batch is a UUID.") }
    halves = Self.halves(value)
  }

  init(session: String, hash: [UInt8]) {
    halves = Self.halves(SHA256.hash(Array(session.utf8) + [0] + hash))
  }

  private static func halves(_ bytes: [UInt8]) -> (high: UInt64, low: UInt64) {
    (
      bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    )
  }

  /// The usual form of a UUID.
  var text: String {
    var bytes: [UInt8] = []
    for half in [halves.high, halves.low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    let digits = Array(Hex.encode(bytes))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
