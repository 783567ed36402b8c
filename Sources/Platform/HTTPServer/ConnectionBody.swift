import EventLoop
import HTTP
import HTTPWire

/// How far the body of the request under way has been read.
struct BodyState {
  var turn: UInt64 = 0
  /// Still to come by the announced length; nil for chunks.
  var left: Int?
  var isFinished = true
  /// The client waits for 100 Continue.
  var expectsContinue = false
  /// Its framing was broken.
  var isMalformed = false
  /// The answer is a stream that is being written.
  var isStreaming = false
  var pace: Pace

  init(_ times: TimeLimits) {
    pace = Pace(times)
  }

  init(_ head: RequestHead, turn: UInt64, _ times: TimeLimits) {
    self.turn = turn
    left = head.body.knownLength
    isFinished = head.body == .none
    expectsContinue = head.expectsContinue
    pace = Pace(times)
  }
}

extension Connection {
  /// The next piece of the body of request `turn`. The socket is read only here: a reader that takes its time slows
  /// the sender down.
  func readBody(_ turn: UInt64) async throws(BodyError) -> [UInt8]? {
    guard body.turn == turn, !body.isFinished else {
      if body.turn == turn { return nil }
      throw .disconnected
    }
    if body.isMalformed { throw .malformed }
    if body.expectsContinue {
      body.expectsContinue = false
      if reader.buffered == 0 { try await sendContinue() }
    }
    while true {
      switch reader.next() {
      case .body(let piece):
        noteProgress(piece.count)
        return piece
      case .end:
        body.isFinished = true
        return nil
      case .refuse, .head:
        body.isMalformed = true
        throw .malformed
      case .wait: try await fillBody()
      }
    }
  }

  /// Reads the rest of a body that nobody wanted, so that the next request can follow. False if it cannot.
  func finishBody() async -> Bool {
    if body.isFinished, !reader.isInBody { return true }
    while true {
      switch reader.next() {
      case .end: return true
      case .body(let piece): body.pace.add(piece.count)
      case .refuse, .head: return false
      case .wait:
        do throws(BodyError) { try await fillBody() } catch { return false }
      }
    }
  }

  /// Whether the rest of the body is so small that reading it is cheaper than a new connection.
  var canFinishBody: Bool {
    if body.isMalformed { return false }
    if body.isFinished { return true }
    guard !body.expectsContinue, let left = body.left else { return false }
    return left <= 64 * 1024
  }

  private func noteProgress(_ count: Int) {
    body.left = body.left.map { max(0, $0 &- count) }
    body.pace.add(count)
    // An upload may take longer than its limit while bytes flow.
    if let deadline = requestDeadline {
      requestDeadline = max(deadline, desk.poller.now + desk.settings.times.request)
    }
  }

  private func sendContinue() async throws(BodyError) {
    do throws(TransportEnd) {
      try await transport.write(ResponseWriter.continueHead)
    } catch {
      throw error == .timedOut ? .tooSlow : .disconnected
    }
  }

  /// Takes what is here, or waits for it.
  private func fillBody() async throws(BodyError) {
    let before = reader.buffered
    while true {
      if !fill(upTo: 64 * 1024) { throw .disconnected }
      if reader.buffered > before { return }
      let start = desk.poller.now
      do throws(TransportEnd) {
        try await transport.readable(until: start + body.pace.patience)
      } catch {
        throw error == .timedOut ? .tooSlow : .disconnected
      }
      body.pace.waited(desk.poller.now.since(start))
    }
  }
}
