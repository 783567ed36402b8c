import Glibc
import TLS
import Testing

/// Two sessions over a pair of sockets, driven step by step on the test's own thread.
final class Pair {
  let server: TLSSession
  let client: TLSSession
  let sockets: (server: Int32, client: Int32)
  /// Each side has an output of its own, as if on two loops.
  private let outputs = (TLSOutput(), TLSOutput())

  init(_ context: TLSContext, _ trust: TLSContext, host: String? = "localhost") throws {
    sockets = makeSockets()
    server = try TLSSession(context, descriptor: sockets.server, output: outputs.0)
    client = try TLSSession(trust, descriptor: sockets.client, output: outputs.1, host: host)
  }

  deinit {
    close(sockets.server)
    close(sockets.client)
  }

  /// How both handshakes ended.
  func shakeHands() -> (server: TLSOutcome, client: TLSOutcome) {
    var (left, right) = (TLSOutcome.wantsRead, TLSOutcome.wantsRead)
    for _ in 0..<20 where left == .wantsRead || right == .wantsRead {
      if right == .wantsRead { right = client.handshake() }
      if left == .wantsRead { left = server.handshake() }
    }
    return (left, right)
  }
}

func makeSockets() -> (Int32, Int32) {
  var pair: [Int32] = [0, 0]
  let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
  precondition(made == 0)
  return (pair[0], pair[1])
}

func makeContexts(host: String = "steps.example") throws -> (server: TLSContext, client: TLSContext) {
  let made = try #require(SelfSignedCertificate(host: host))
  return (try TLSContext(chain: made.chain, key: made.key), try TLSContext(trusting: made.chain))
}

extension TLSSession {
  func write(_ bytes: [UInt8]) -> TLSOutcome { bytes.withUnsafeBytes { write($0) } }

  func read(_ count: Int = 65_536) -> (TLSOutcome, [UInt8]) {
    var room = [UInt8](repeating: 0, count: count)
    let outcome = room.withUnsafeMutableBytes { read(into: $0) }
    guard case .bytes(let got) = outcome else { return (outcome, []) }
    return (outcome, Array(room[..<got]))
  }
}

@Suite("A TLS session")
struct SessionTests {
  @Test("both sides agree on TLS 1.3 and HTTP/1.1 and talk")
  func talk() throws {
    let contexts = try makeContexts()
    let pair = try Pair(contexts.server, contexts.client)
    let ends = pair.shakeHands()
    #expect(ends.server == .done && ends.client == .done)
    #expect(pair.server.version == "TLSv1.3")
    #expect(pair.server.applicationProtocol == "http/1.1")
    #expect(pair.client.write(Array("hello".utf8)) == .bytes(5))
    #expect(pair.server.read().1 == Array("hello".utf8))
    #expect(pair.server.read().0 == .wantsRead)
    #expect(!pair.server.hasBuffered)
    #expect(pair.server.write(Array("there".utf8)) == .bytes(5))
    #expect(pair.client.read().1 == Array("there".utf8))
    pair.client.sayGoodbye()
    #expect(pair.server.read().0 == .closed)
  }

  @Test(
    "the certificate made for a host is good for it, for this machine and for no other",
    arguments: [
      ("steps.example", true), ("localhost", true), ("127.0.0.1", true), ("192.0.2.9", false), ("other.example", false),
    ])
  func hosts(host: String, accepted: Bool) throws {
    let contexts = try makeContexts()
    let ends = try Pair(contexts.server, contexts.client, host: host).shakeHands()
    #expect((ends.client == .done) == accepted)
    if !accepted { #expect(ends.server != .done) }
  }

  @Test("a reader who knows another certificate refuses, and the server lives on")
  func distrust() throws {
    let (server, stranger) = (try makeContexts().server, try makeContexts().client)
    let ends = try Pair(server, stranger).shakeHands()
    guard case .failed = ends.client else {
      Issue.record("the client accepted a foreign certificate")
      return
    }
  }

  @Test("a page of several records goes out by one call and arrives whole")
  func page() throws {
    let contexts = try makeContexts()
    let pair = try Pair(contexts.server, contexts.client)
    _ = pair.shakeHands()
    let page = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(pair.server.write(page) == .bytes(page.count))
    var got: [UInt8] = []
    while got.count < page.count {
      let (outcome, piece) = pair.client.read()
      guard case .bytes = outcome else { break }
      got += piece
    }
    #expect(got == page)
  }

  @Test("what a full socket does not take waits in the session and nothing is lost or reordered")
  func backPressure() throws {
    let contexts = try makeContexts()
    let pair = try Pair(contexts.server, contexts.client)
    _ = pair.shakeHands()
    var sent: [UInt8] = []
    var got: [UInt8] = []
    for round in 0..<60 {
      let piece = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 ^ round) }
      if case .bytes(let taken) = pair.server.write(piece) {
        sent += piece[..<taken]
      } else {
        #expect(pair.server.hasUnsent)
        got += pair.client.read().1
      }
    }
    var idle = 0
    while got.count < sent.count, idle < 3 {
      let (outcome, piece) = pair.client.read()
      got += piece
      if case .bytes = outcome { idle = 0 } else { idle += 1 }
      _ = pair.server.flush()
    }
    #expect(got == sent)
    #expect(!pair.server.hasUnsent)
  }

  @Test("plain HTTP on a TLS socket is recognised, before anything was sent")
  func plainHTTP() throws {
    let contexts = try makeContexts()
    let (left, right) = makeSockets()
    let output = TLSOutput()
    let server = try TLSSession(contexts.server, descriptor: left, output: output)
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    _ = request.withCString { write(right, $0, request.utf8.count) }
    #expect(server.handshake() == .plainHTTP)
    var byte: UInt8 = 0
    #expect(read(right, &byte, 1) == -1)
    close(left)
    close(right)
  }

  @Test("noise instead of a handshake fails and never traps")
  func noise() throws {
    let contexts = try makeContexts()
    let output = TLSOutput()
    var state: UInt64 = 42
    for length in 1...300 {
      let (left, right) = makeSockets()
      let server = try TLSSession(contexts.server, descriptor: left, output: output)
      var bytes = (0..<length).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      if length % 2 == 0 { bytes.replaceSubrange(..<2, with: [0x16, 0x03]) }
      _ = write(right, bytes, bytes.count)
      close(right)
      var outcome = server.handshake()
      if outcome == .wantsRead { outcome = server.handshake() }
      #expect(outcome != .done)
      close(left)
    }
  }

  @Test("noise in the middle of a session ends it")
  func noiseLater() throws {
    let contexts = try makeContexts()
    let pair = try Pair(contexts.server, contexts.client)
    _ = pair.shakeHands()
    _ = write(pair.sockets.client, [UInt8](repeating: 0x17, count: 64), 64)
    guard case .failed = pair.server.read().0 else {
      Issue.record("noise was accepted")
      return
    }
    #expect(pair.server.read().0 != .wantsRead)
    pair.server.sayGoodbye()
  }

  @Test("a peer that vanishes is closed, for reading and for writing")
  func vanished() throws {
    let contexts = try makeContexts()
    let pair = try Pair(contexts.server, contexts.client)
    _ = pair.shakeHands()
    shutdown(pair.sockets.client, Int32(SHUT_RDWR))
    #expect(pair.server.read().0 == .closed)
    #expect(pair.server.write([1, 2, 3]) == .closed)
  }
}

@Suite("A TLS context")
struct ContextTests {
  @Test("after a reload new sessions show the new certificate, and the old session goes on")
  func reload() throws {
    let first = try #require(SelfSignedCertificate(host: "one.example"))
    let second = try #require(SelfSignedCertificate(host: "two.example"))
    let server = try TLSContext(chain: first.chain, key: first.key)
    let trust = try TLSContext(trusting: first.chain + second.chain)
    let before = try Pair(server, trust)
    _ = before.shakeHands()
    #expect(before.client.peerCertificate == first.chain)
    try server.reload(chain: second.chain, key: second.key)
    let after = try Pair(server, trust)
    _ = after.shakeHands()
    #expect(after.client.peerCertificate == second.chain)
    #expect(before.server.write([1]) == .bytes(1))
    #expect(before.client.read().1 == [1])
  }

  @Test("files that are no certificate, no key, or no pair are refused by name; a failed reload changes nothing")
  func refused() throws {
    let one = try #require(SelfSignedCertificate(host: "one.example"))
    let two = try #require(SelfSignedCertificate(host: "two.example"))
    #expect(throws: TLSError.badCertificate) { try TLSContext(chain: [], key: one.key) }
    #expect(throws: TLSError.badCertificate) { try TLSContext(chain: Array("x".utf8), key: one.key) }
    #expect(throws: TLSError.badKey) { try TLSContext(chain: one.chain, key: Array("x".utf8)) }
    #expect(throws: TLSError.keyDoesNotFit) { try TLSContext(chain: one.chain, key: two.key) }
    #expect(throws: TLSError.badCertificate) { try TLSContext(trusting: []) }
    let server = try TLSContext(chain: one.chain, key: one.key)
    #expect(throws: TLSError.keyDoesNotFit) { try server.reload(chain: one.chain, key: two.key) }
    let pair = try Pair(server, try TLSContext(trusting: one.chain))
    #expect(pair.shakeHands().client == .done)
  }
}
