import Archive
import Bytes
import EventLoop
import HTTP
import HTTPWire
import TLS

/// One client from the handshake to the close. Its task walks:
///
///     handshake ─► idle ─► head ─► answer ─► (rest of the body) ─► idle …
///                   │        │        └─ close asked ─► linger ─► closed
///                   │        └─ refused, 408 ───────────┘
///                   └─ idle time over, drain ───────────────────► closed
final class Connection {
  /// Where the desk's list holds this connection.
  var place = 0
  let desk: Desk
  let transport: Transport
  var reader: RequestReader
  /// Cancelled when a request takes too long or a stream's client vanishes. Valid while `serve` runs.
  private(set) var task: UnsafeCurrentTask?
  /// Counts requests, so that a body that outlives its request reads nothing of the next one.
  private(set) var turn: UInt64 = 0
  var body: BodyState
  /// When the request under way is late; nil while none is, or a stream runs.
  var requestDeadline: LoopTime?
  private var isIdle = false
  /// The request under way was cancelled.
  private(set) var isCancelled = false
  private let address: ClientAddress
  private let isProxy: Bool
  /// Over a limit: answered 503.
  private let isSurplus: Bool
  private let emptyBody = RequestBody.empty

  init(_ desk: Desk, _ transport: Transport, _ address: ClientAddress, isProxy: Bool, isSurplus: Bool) {
    self.desk = desk
    self.transport = transport
    self.address = address
    self.isProxy = isProxy
    self.isSurplus = isSurplus
    body = BodyState(desk.settings.times)
    reader = RequestReader(limits: desk.settings.wire)
  }

  private var times: TimeLimits { desk.settings.times }
  var refused: Refused { Refused(own: desk.settings.ownFields) }

  /// The whole life of the connection.
  func serve() async {
    task = withUnsafeCurrentTask { $0 }
    if await shakeHands() {
      var served = 0
      while await serveOne() {
        // Requests sent ahead never wait for the socket: let others have their turn.
        served &+= 1
        if served % 32 == 0, !reader.isIdle { await desk.poller.yield() }
      }
    }
    task = nil
    transport.close()
  }

  // MARK: From outside (the desk)

  func checkTime() {
    guard let deadline = requestDeadline, deadline <= desk.poller.now else { return }
    cancel()
  }

  /// Tells the request under way to stop.
  func cancel() {
    requestDeadline = nil
    isCancelled = true
    task?.cancel()
  }

  /// The server stops: an idle connection ends now, a stream is told to end.
  func drain() {
    if isIdle {
      transport.endWriting()
      transport.close()
    }
    if body.isStreaming { cancel() }
  }

  /// The server has stopped waiting.
  func cut() {
    cancel()
    transport.close()
  }

  // MARK: The walk

  private func shakeHands() async -> Bool {
    switch await transport.handshake(until: desk.poller.now + times.handshake) {
    case nil: return true
    case .plainHTTP:
      transport.answerPlainly(Refused.plainHTTP)
      await transport.linger(until: desk.poller.now + 1_000, quiet: 500)
      return false
    default: return false
    }
  }

  /// One request and its answer; false when the connection is done.
  private func serveOne() async -> Bool {
    guard let head = await nextHead() else { return false }
    let start = Desk.microseconds()
    turn &+= 1
    let number = desk.counts.nextRequest()
    body = BodyState(head, turn: turn, times)
    requestDeadline = desk.poller.now + (head.body == .none ? times.request : times.upload)
    let response = await response(to: head, number: number)
    requestDeadline = nil
    let (status, goesOn) = await send(response, to: head)
    desk.log {
      LogLine.request(
        head, response, status: status, number: number, microseconds: Desk.microseconds() &- start, into: &$0)
    }
    if goesOn { return await finishBody() }
    await endPolitely()
    return false
  }

  private func response(to head: RequestHead, number: UInt64) async -> Response {
    if isSurplus { return refused.tooManyConnections }
    if !isExpectedHost(head) { return refused.wrongHost }
    let request = Request(
      method: head.method, target: head.target, fields: head.fields, body: requestBody(head),
      remoteAddress: remoteAddress(head), number: number)
    do {
      return try await desk.answer(request)
    } catch {
      desk.log { LogLine.failure(error, number: number, into: &$0) }
      return isCancelled ? refused.tookTooLong : refused.failed(number)
    }
  }

  /// The next request's head; nil when there is none (closed, too slow, refused: then it was answered).
  private func nextHead() async -> RequestHead? {
    var began: LoopTime?
    while true {
      switch reader.next() {
      case .head(let head): return head
      case .refuse(let refusal):
        await refuse(refusal.rawValue, refusal.status)
        return nil
      case .wait: break
      case .body, .end: return nil
      }
      do throws(TransportEnd) {
        if reader.isIdle {
          try await waitIdle()
          began = nil
        } else if !transport.hasBuffered {
          let since = began ?? desk.poller.now
          began = since
          try await transport.readable(until: since + times.header)
        }
      } catch {
        if error == .timedOut, !reader.isIdle { await refuse("slowHeader", .requestTimeout) }
        if reader.isIdle { transport.endWriting() }
        return nil
      }
      if !fill(upTo: 16 * 1024) { return nil }
    }
  }

  /// Nothing is under way: after a short rest the buffers are given back.
  private func waitIdle() async throws(TransportEnd) {
    if desk.isDraining { throw .closed }
    if transport.hasBuffered { return }
    isIdle = true
    defer { isIdle = false }
    let start = desk.poller.now
    do throws(TransportEnd) {
      return try await transport.readable(until: start + min(times.rest, times.idle))
    } catch {
      guard error == .timedOut, times.idle > times.rest else { throw error }
    }
    reader.releaseMemory()
    try await transport.readable(until: start + times.idle)
  }

  /// Takes what the socket has; false at its end.
  func fill(upTo count: Int) -> Bool {
    var isOver = false
    _ = reader.receive(upTo: count) { room in
      switch transport.readNow(into: room) {
      case .bytes(let count): return count
      case .wait: return 0
      case .end:
        isOver = true
        return 0
      }
    }
    return !isOver
  }

  private func requestBody(_ head: RequestHead) -> RequestBody {
    guard head.body != .none else { return emptyBody }
    let turn = turn
    return RequestBody(length: head.body.knownLength) { () throws(BodyError) in
      try await self.readBody(turn)
    }
  }

  private func remoteAddress(_ head: RequestHead) -> String {
    guard isProxy, let field = head.fields.values("x-forwarded-for").last, let last = field.split(separator: ",").last
    else { return address.text }
    let claimed = String(last.drop { $0 == " " }.prefix { $0 != " " })
    return ClientAddress.isNumeric(claimed) ? claimed : address.text
  }

  private func isExpectedHost(_ head: RequestHead) -> Bool {
    if desk.settings.hosts.isEmpty { return true }
    guard let host = head.host else { return false }
    return desk.settings.hosts.contains(hostName(host))
  }

  /// Without port, in lower case.
  private func hostName(_ host: String) -> String {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return name.lowercased()
  }

  // MARK: Ending

  /// Answers bytes that are no request, and ends.
  private func refuse(_ reason: String, _ status: Status) async {
    desk.log { LogLine.refusal(reason, status: status, into: &$0) }
    _ = await send(refused.badRequest(status, reason), to: nil)
    await endPolitely()
  }

  /// Our side ends; the client may still be sending and must be able to read the answer.
  func endPolitely() async {
    guard !transport.isClosed else { return }
    transport.endWriting()
    await transport.linger(until: desk.poller.now + times.linger, quiet: min(2_000, times.linger))
  }
}
