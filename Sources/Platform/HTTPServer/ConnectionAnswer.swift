import Archive
import Bytes
import EventLoop
import Glibc
import HTTP
import HTTPWire

extension Connection {
  /// Writes an answer: head and body by one write where the body is here. Says the status that was sent and whether
  /// the connection goes on. `head` nil: the answer to bytes that were no request.
  func send(_ response: Response, to head: RequestHead?) async -> (status: Status, goesOn: Bool) {
    var writer = ResponseWriter(to: head)
    if !canFinishBody || desk.isDraining || isCancelled { writer.close() }
    do throws(TransportEnd) {
      switch response.body {
      case .empty: try await sendWhole(response, [], head, &writer)
      case .bytes(let bytes): try await sendWhole(response, bytes, head, &writer)
      case .kept(let kept): try await sendWhole(response, kept.bytes, head, &writer, in: kept)
      case .file(let path, let length): return try await sendFile(response, path, length, head, &writer)
      case .stream(let write): try await sendStream(response, write, head, &writer)
      }
    } catch {
      transport.close()
      return (response.status, false)
    }
    return (response.status, writer.keepsAlive)
  }

  private func sendWhole(
    _ response: Response, _ bytes: [UInt8], _ head: RequestHead?, _ writer: inout ResponseWriter,
    in kept: KeptBody? = nil
  ) async throws(TransportEnd) {
    var output = desk.takeBuffer()
    if bytes.count > Compression.threshold, let head, Compression.suits(response) {
      writePacked(response, bytes, kept, head, &writer, into: &output)
    } else {
      writer.whole(response.status, response.fields, body: bytes, date: desk.date, into: &output)
    }
    try await transport.write(output)
    desk.giveBack(output)
  }

  /// Compressed if the client takes it; of a kept body the compressed form is kept too.
  private func writePacked(
    _ response: Response, _ bytes: [UInt8], _ kept: KeptBody?, _ head: RequestHead, _ writer: inout ResponseWriter,
    into output: inout [UInt8]
  ) {
    if AcceptEncoding.allows("gzip", head.fields) {
      let fields = Compression.fields(of: response)
      if let packed = kept?.gzip {
        return writer.whole(response.status, fields, body: packed, date: desk.date, into: &output)
      }
      var packed = desk.takeBuffer()
      defer { desk.giveBack(packed) }
      if desk.gzip.encode(bytes, into: &packed) {
        kept?.gzip = [UInt8](packed[...])
        return writer.whole(response.status, fields, body: packed, date: desk.date, into: &output)
      }
    }
    var fields = response.fields
    Compression.markVaried(&fields)
    writer.whole(response.status, fields, body: bytes, date: desk.date, into: &output)
  }

  private func sendFile(
    _ response: Response, _ path: String, _ length: Int, _ head: RequestHead?, _ writer: inout ResponseWriter
  ) async throws(TransportEnd) -> (Status, Bool) {
    guard let file = try? await desk.poller.onWorker({ FileReader(path: path) }) else {
      let missing = refused.failed(0)
      if case .bytes(let bytes) = missing.body { try await sendWhole(missing, bytes, head, &writer) }
      return (missing.status, writer.keepsAlive)
    }
    var output = desk.takeBuffer()
    writer.start(response.status, response.fields, length: .known(length), date: desk.date, into: &output)
    if head?.method != .head {
      var left = length
      while left > 0 {
        let count = min(left, 256 * 1024)
        guard let piece = try? await desk.poller.onWorker({ file.read(count) }), !piece.isEmpty else { break }
        left &-= piece.count
        writer.write(piece, into: &output)
        try await transport.write(output)
        output.removeAll(keepingCapacity: true)
      }
    }
    let isWhole = writer.finish(into: &output)
    try await transport.write(output)
    desk.giveBack(output)
    if !isWhole { throw .closed }
    return (response.status, writer.keepsAlive)
  }

  private func sendStream(
    _ response: Response, _ write: (any BodyWriter) async throws -> Void, _ head: RequestHead?,
    _ writer: inout ResponseWriter
  ) async throws(TransportEnd) {
    let stream = StreamWriter(self, writer, Compression.stream(for: response, head))
    try await stream.start(response)
    if head?.method != .head {
      body.isStreaming = true
      transport.watch.onHangUp = { [unowned self] in cancel() }
      defer {
        body.isStreaming = false
        transport.watch.onHangUp = nil
      }
      do {
        try await write(stream)
      } catch {
        // A stream that the server itself ends is whole; everything else is cut, so that the client notices.
        guard desk.isDraining, !(error is BodyError) else { throw .closed }
      }
    }
    try await stream.finish()
    writer = stream.writer
    if isCancelled { writer.close() }
  }
}

/// Where a streamed answer is written: framed, perhaps compressed, and sent piece by piece.
final class StreamWriter: BodyWriter {
  private let connection: Connection
  private(set) var writer: ResponseWriter
  private let gzip: GzipEncoder?

  init(_ connection: Connection, _ writer: ResponseWriter, _ gzip: GzipEncoder?) {
    self.connection = connection
    self.writer = writer
    self.gzip = gzip
  }

  func start(_ response: Response) async throws(TransportEnd) {
    var output = connection.desk.takeBuffer()
    let fields = gzip == nil ? response.fields : Compression.fields(of: response)
    writer.start(response.status, fields, length: .unknown, date: connection.desk.date, into: &output)
    try await connection.transport.write(output)
    connection.desk.giveBack(output)
  }

  func write(_ bytes: [UInt8]) async throws(BodyError) {
    if bytes.isEmpty { return }
    var output = connection.desk.takeBuffer()
    if let gzip {
      var packed: [UInt8] = []
      guard gzip.add(bytes, flush: false, into: &packed) else { throw .disconnected }
      writer.write(packed, into: &output)
    } else {
      writer.write(bytes, into: &output)
    }
    do throws(TransportEnd) {
      try await connection.transport.write(output)
    } catch {
      throw error == .timedOut ? .tooSlow : .disconnected
    }
    connection.desk.giveBack(output)
  }

  func finish() async throws(TransportEnd) {
    var output = connection.desk.takeBuffer()
    if let gzip {
      var packed: [UInt8] = []
      guard gzip.finish(into: &packed) else { throw .closed }
      writer.write(packed, into: &output)
    }
    guard writer.finish(into: &output) else { throw .closed }
    try await connection.transport.write(output)
    connection.desk.giveBack(output)
  }
}

/// A file that worker threads read from front to back.
final class FileReader: @unchecked Sendable {
  private let descriptor: Int32

  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  func read(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      filled = max(0, Glibc.read(descriptor, room.baseAddress, count))
    }
  }
}
