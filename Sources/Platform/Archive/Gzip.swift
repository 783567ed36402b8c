import CZlib

/// Compresses to gzip (RFC 1952). One encoder is reused for many answers: making one costs more than compressing a page.
/// Not Sendable.
package final class GzipEncoder {
  private let stream: UnsafeMutablePointer<z_stream>
  private let ready: Bool

  /// `level` 1 is the fastest; a page of 20 KB takes about 0.2 ms of it.
  package init(level: Int32 = 1) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let gzipWindow: Int32 = 15 + 16
    ready =
      deflateInit2_(
        stream, level, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
      == Z_OK
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// One whole gzip member for `bytes`, appended to `output`; false if zlib had no memory (then `output` is as it was).
  package func encode(_ bytes: [UInt8], into output: inout [UInt8]) -> Bool {
    guard ready, deflateReset(stream) == Z_OK else { return false }
    return run(bytes, Z_FINISH, &output)
  }

  /// Begins a stream; then `add` any number of times, then `finish`.
  package func start() -> Bool { ready && deflateReset(stream) == Z_OK }

  /// Compresses more of a stream and flushes, so that the other side can show what was sent so far.
  package func add(_ bytes: [UInt8], flush: Bool = true, into output: inout [UInt8]) -> Bool {
    run(bytes, flush ? Z_SYNC_FLUSH : Z_NO_FLUSH, &output)
  }

  /// Ends the stream.
  package func finish(into output: inout [UInt8]) -> Bool { run([], Z_FINISH, &output) }

  private func run(_ bytes: [UInt8], _ flush: Int32, _ output: inout [UInt8]) -> Bool {
    let before = output.count
    let done = bytes.withUnsafeBytes { input in
      stream.pointee.next_in = input.baseAddress.map {
        UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: UInt8.self)
      }
      stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
      var room = max(1 << 10, input.count / 4)
      while true {
        var result = Z_OK
        output.append(
          contentsOf: [UInt8](unsafeUninitializedCapacity: room) { piece, filled in
            stream.pointee.next_out = piece.baseAddress
            stream.pointee.avail_out = UInt32(truncatingIfNeeded: room)
            result = deflate(stream, flush)
            filled = room - Int(stream.pointee.avail_out)
          })
        if result == Z_STREAM_END { return true }
        guard result == Z_OK || result == Z_BUF_ERROR else { return false }
        if stream.pointee.avail_out > 0 { return flush != Z_FINISH }
        room *= 2
      }
    }
    if !done { output.removeLast(output.count - before) }
    return done
  }
}

/// Unpacks gzip with a limit on what comes out.
package enum GzipDecoder {
  /// The unpacked bytes of all members; `tooLarge` above `limit`, `cut` if the data breaks off or is damaged.
  package static func decode(_ bytes: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
    // zlib keeps the address of the stream, so it must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard inflateInit2_(stream, 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .unreadable(errno: 12)
    }
    defer { inflateEnd(stream) }
    var output: [UInt8] = []
    let problem = bytes.withUnsafeBytes { input -> ArchiveError? in
      stream.pointee.next_in = input.baseAddress.map {
        UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: UInt8.self)
      }
      stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
      while true {
        var result = Z_OK
        let room = 64 << 10
        output.append(
          contentsOf: [UInt8](unsafeUninitializedCapacity: room) { piece, filled in
            stream.pointee.next_out = piece.baseAddress
            stream.pointee.avail_out = UInt32(room)
            result = inflate(stream, Z_NO_FLUSH)
            filled = room - Int(stream.pointee.avail_out)
          })
        if output.count > limit { return .tooLarge }
        switch result {
        case Z_STREAM_END:
          if stream.pointee.avail_in == 0 { return nil }
          guard inflateReset(stream) == Z_OK else { return .cut }
        case Z_OK: continue
        case Z_DATA_ERROR where output.isEmpty: return .notThisFormat
        default: return .cut
        }
      }
    }
    if let problem { throw problem }
    return output
  }
}
