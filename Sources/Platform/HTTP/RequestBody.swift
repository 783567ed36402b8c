/// Why a body could not be read to its end.
package enum BodyError: Error, Equatable, Sendable {
  /// More bytes than the reader allows. The answer is 413 with this number.
  case tooLarge(limit: Int)
  /// Broken framing (chunks). The connection is of no further use.
  case malformed
  /// The client slower than 1 KiB/s or silent for too long.
  case tooSlow
  /// The client went away.
  case disconnected
}

/// The body of a request, pulled piece by piece: nothing is read from the socket before somebody asks, so a slow
/// reader slows the sender down. One task reads; a body is read once.
package final class RequestBody {
  /// Gives the next piece (never empty, at most 64 KiB) or nil at the end.
  package typealias Source = () async throws(BodyError) -> [UInt8]?

  /// The length that the client announced; nil when it sends chunks.
  package let length: Int?
  private let source: Source
  private var isFinished = false

  package init(length: Int?, source: @escaping Source) {
    self.length = length
    self.source = source
  }

  /// A body that is already here: for tests, seeds and requests without one. Handed out in pieces of `pieceSize`.
  package convenience init(bytes: [UInt8], pieceSize: Int = 65_536) {
    var position = 0
    self.init(length: bytes.count) {
      guard position < bytes.count else { return nil }
      let end = Swift.min(bytes.count, position + Swift.max(1, pieceSize))
      defer { position = end }
      return Array(bytes[position..<end])
    }
  }

  package static var empty: RequestBody { RequestBody(length: 0) { () throws(BodyError) in nil } }

  /// The next piece, never empty, at most 64 KiB; nil at the end and ever after.
  package func read() async throws(BodyError) -> [UInt8]? {
    if isFinished { return nil }
    while let piece = try await source() {
      if !piece.isEmpty { return piece }
    }
    isFinished = true
    return nil
  }

  /// The whole rest. Throws `.tooLarge` as soon as it is known that more than `limit` bytes will come.
  package func collect(limit: Int) async throws(BodyError) -> [UInt8] {
    if let length, length > limit { throw .tooLarge(limit: limit) }
    var bytes: [UInt8] = []
    while let piece = try await read() {
      if piece.count > limit - bytes.count { throw .tooLarge(limit: limit) }
      if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
      // Room for the rest at once, but only when what has come makes the announced length believable.
      if let length, bytes.capacity < length, bytes.count >= length / 16 { bytes.reserveCapacity(length) }
    }
    return bytes
  }
}
