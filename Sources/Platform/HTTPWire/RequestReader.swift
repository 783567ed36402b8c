import HTTP

/// Reads the requests of one HTTP/1.1 connection. Bytes go in by `receive`, what they mean comes out of `next`.
///
/// The server calls `next` until it says `.wait`, then reads the socket. It does not call `next` after `.end` before it
/// has answered: requests that are sent ahead stay in the buffer, and the socket is not read, so nobody can make the
/// buffer grow beyond one head and one read.
package struct RequestReader {
  /// What the caller is to do next.
  package enum Action {
    /// Nothing more can be said before bytes come.
    case wait
    case head(RequestHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The request is complete. The next call starts with the next request.
    case end
    /// Answer with the refusal's status and close. Every later call says the same.
    case refuse(Refusal)
  }

  //   head ──────────────── no body ───────────────────────┐
  //    │ ├── length ─► counted ── 0 left ─────────────────┤
  //    │ └── chunked ─► chunkSize ── 0 ─► trailer ────────┤
  //    │                 ▲     │ n                         ▼
  //    │                 │     ▼                          end ─► head (next request)
  //    │              chunkEnd ◄─ chunk ── n left
  //    └── anything wrong, in every state ─► refused (stays)
  private enum State {
    case head
    case counted(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailer
    case end
    case refused(Refusal)
  }

  private let limits: WireLimits
  private var state = State.head
  private var parser = HeadParser()
  private var trailer = TrailerParser()
  private var extensionBytes = 0
  private var buffer: [UInt8] = []
  private var position = 0

  package init(limits: WireLimits = WireLimits()) { self.limits = limits }

  /// True when no byte of a next request is here: the connection is idle, and may be closed without a word.
  package var isIdle: Bool {
    if case .head = state { return parser.isUntouched && position == buffer.count }
    return false
  }

  /// True between a request's head and its end: a body is still to be read or to be thrown away.
  package var isInBody: Bool {
    switch state {
    case .head, .refused: false
    default: true
    }
  }

  /// Bytes that came and were not handed out.
  package var buffered: Int { buffer.count - position }

  /// Takes bytes from the connection.
  package mutating func receive(_ bytes: [UInt8]) {
    makeRoom()
    if buffer.isEmpty, bytes.count > 1024 { buffer = bytes } else { buffer.append(contentsOf: bytes) }
  }

  /// Takes bytes straight into the buffer: `fill` gets room for `count` bytes and says how many it wrote.
  package mutating func receive<Failure: Error>(
    upTo count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom()
    let old = buffer.count
    try buffer.append(addingCapacity: max(0, count)) { span throws(Failure) in
      try span.withUnsafeMutableBufferPointer { room, initialized throws(Failure) in
        initialized = min(max(0, try fill(UnsafeMutableRawBufferPointer(room))), max(0, count))
      }
    }
    return buffer.count - old
  }

  /// Gives the buffer's memory back when it holds nothing: for idle connections.
  package mutating func releaseMemory() {
    if position == buffer.count {
      buffer = []
      position = 0
    }
  }

  package mutating func next() -> Action {
    while true {
      switch state {
      case .head: return readHead()
      case .counted(let left): return readCounted(left)
      case .chunkSize:
        if let action = readChunkSize() { return action }
      case .chunk(let left): return readChunk(left)
      case .chunkEnd:
        if let action = readChunkEnd() { return action }
      case .trailer:
        if let action = readTrailer() { return action }
      case .end:
        state = .head
        parser = HeadParser()
        return .end
      case .refused(let refusal): return .refuse(refusal)
      }
    }
  }

  private mutating func makeRoom() {
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: true)
    } else if position > 0 {
      buffer.removeSubrange(..<position)
    }
    position = 0
  }

  private mutating func refuse(_ refusal: Refusal) -> Action {
    state = .refused(refusal)
    buffer = []
    position = 0
    return .refuse(refusal)
  }

  private mutating func readHead() -> Action {
    switch parser.parse(buffer, from: position, limits) {
    case .incomplete: return .wait
    case .refused(let refusal): return refuse(refusal)
    case .complete(let length):
      let head = makeHead(length)
      position += length
      switch head.body {
      case .none: state = .end
      case .length(let length): state = .counted(left: length)
      case .chunked:
        state = .chunkSize
        extensionBytes = 0
        trailer = TrailerParser()
      }
      return .head(head)
    }
  }

  private func makeHead(_ length: Int) -> RequestHead {
    var bytes = Array(buffer[position..<position + length])
    lowercaseNames(&bytes)
    let fields = HeaderFields(head: bytes, slots: parser.slots)
    return RequestHead(
      method: parser.method, target: Target(head: bytes, layout: parser.layout), fields: fields,
      minorVersion: parser.minorVersion, body: parser.framing, keepsAlive: parser.keepsAlive(fields),
      expectsContinue: parser.expectsContinue)
  }

  private func lowercaseNames(_ bytes: inout [UInt8]) {
    var span = bytes.mutableSpan
    for slot in parser.slots { Scan.lowercase(&span, slot.nameRange) }
  }

  private mutating func readCounted(_ left: Int) -> Action {
    guard let piece = takePiece(left) else { return .wait }
    state = left == piece.count ? .end : .counted(left: left - piece.count)
    return .body(piece)
  }

  private mutating func readChunk(_ left: Int) -> Action {
    guard let piece = takePiece(left) else { return .wait }
    state = left == piece.count ? .chunkEnd : .chunk(left: left - piece.count)
    return .body(piece)
  }

  /// Up to `left` bytes of what is here; the buffer itself when it holds nothing else.
  private mutating func takePiece(_ left: Int) -> [UInt8]? {
    let count = min(left, buffer.count - position, limits.piece)
    guard count > 0 else { return nil }
    if position == 0, count == buffer.count {
      let whole = buffer
      buffer = []
      return whole
    }
    position += count
    return Array(buffer[position - count..<position])
  }

  private mutating func readChunkSize() -> Action? {
    switch ChunkLine.parse(buffer, from: position, limits) {
    case .incomplete: return .wait
    case .refused(let refusal): return refuse(refusal)
    case .size(let size, let length, let extensions):
      position += length
      extensionBytes += extensions
      if extensionBytes > limits.chunkExtensions { return refuse(.chunkExtensionTooLong) }
      state = size == 0 ? .trailer : .chunk(left: size)
      return nil
    }
  }

  private mutating func readChunkEnd() -> Action? {
    let available = buffer.count - position
    if available >= 1, buffer[position] != 13 { return refuse(.badChunkEnd) }
    guard available >= 2 else { return .wait }
    if buffer[position + 1] != 10 { return refuse(.badChunkEnd) }
    position += 2
    state = .chunkSize
    return nil
  }

  private mutating func readTrailer() -> Action? {
    switch trailer.parse(buffer, from: position, limits) {
    case .incomplete: return .wait
    case .refused(let refusal): return refuse(refusal)
    case .complete(let length):
      position += length
      state = .end
      return nil
    }
  }
}
