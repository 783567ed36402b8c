import Activity
import Archive
import EventLoop
import HTTP
import HTTPServer
import PhoneKit
import Phones
import TLS
import Testing

@Suite("Uploads over HTTPS", .timeLimit(.minutes(2)))
struct CurlSenderTests {
  /// Runs `body` with the base address and certificate of a server in this process that answers as `home` does.
  private func withServer(_ home: HomeServer, _ body: (String, [UInt8]) async throws -> Void) async throws {
    let made = try #require(SelfSignedCertificate(host: "localhost"))
    var settings = ServerSettings()
    settings.listen = "127.0.0.1"
    let loop = try EventLoop.start(named: "server")
    let server = try await Server.start(
      on: [loop], settings: settings, tls: try TLSContext(chain: made.chain, key: made.key)
    ) { _ in
      { request in
        guard request.path == "/api/batches", request.method == .post else { return Response(.notFound) }
        var bytes = try await request.body.collect(limit: 8 << 20)
        if request.fields["content-encoding"] == "gzip" { bytes = try GzipDecoder.decode(bytes, limit: 64 << 20) }
        let reply = home.answer(
          bytes, token: request.fields["authorization"] ?? "", key: request.fields["idempotency-key"] ?? "")
        return Response(
          Status(reply.status), fields: HeaderFields([("content-type", "application/json")]),
          body: .bytes(reply.body.plain))
      }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body("https://localhost:\(server.port)", made.chain)) } catch {
      result = .failure(error)
    }
    await server.stop()
    loop.stop()
    loop.join()
    try result.get()
  }

  @Test("a scenario reaches a server over TLS, packed, and makes the same days there")
  func overTLS() async throws {
    let life = try #require(Scenario.named("two-devices")).shorter(15).life()
    let home = HomeServer(life)
    try await withServer(home) { base, certificate in
      try await withFolder { folder in
        let sender = CurlSender(server: base + "/", certificate: certificate)
        let app = try BridgeApp(SimulatedPhone(life), queue: folder, token: "swu_right", seed: 1) {
          try await sender.send($0)
        }
        #expect(try await app.wake(at: now.advanced(hours: -40)) == .done)
        #expect(try await app.wake(at: now) == .done)
      }
    }
    #expect(home.days.mapValues(\.shown) == life.totals.mapValues(\.shown))
  }

  @Test("a wrong token, a wrong certificate and a wrong address keep the batch")
  func refusals() async throws {
    let life = try #require(Scenario.named("two-devices")).shorter(3).life()
    let home = HomeServer(life)
    let other = try #require(SelfSignedCertificate(host: "localhost"))
    try await withServer(home) { base, certificate in
      for (base, certificate, token, outcome) in [
        (base, certificate, "swu_wrong", UploadOutcome.needsAttention(status: 401)),
        (base + "/elsewhere", certificate, "swu_right", .needsAttention(status: 404)),
        (base, other.chain, "swu_right", nil),
      ] as [(String, [UInt8], String, UploadOutcome?)] {
        try await withFolder { folder in
          let sender = CurlSender(server: base, certificate: certificate)
          let app = try BridgeApp(SimulatedPhone(life), queue: folder, token: token, seed: 1) {
            try await sender.send($0)
          }
          let ended = try await app.wake(at: now)
          if let outcome { #expect(ended == outcome) } else if case .wait = ended {} else { Issue.record("\(ended)") }
          #expect(await app.queue.count == 1)
        }
      }
    }
    #expect(home.days.isEmpty)
  }
}
