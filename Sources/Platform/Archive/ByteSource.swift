#if canImport(Glibc)
  import Glibc
#endif

/// A stream of bytes that is pulled by a reader on a worker thread. Not Sendable; used by one thread at a time.
package final class ByteSource {
  private let pull: (UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
  private let place: () -> Int64

  /// How many bytes of the underlying file are there in all, 0 if that is not known.
  package let fileBytes: Int64

  /// `pull` fills the front of the buffer and returns how many bytes it wrote, 0 at the end. `place` tells how far the
  /// underlying file has been read.
  package init(
    fileBytes: Int64, place: @escaping () -> Int64,
    pull: @escaping (UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
  ) {
    self.fileBytes = fileBytes
    self.place = place
    self.pull = pull
  }

  /// Bytes of the underlying file that were read so far: for progress, so packed bytes where the file is packed.
  package var filePosition: Int64 { place() }

  /// Writes at least one byte into `buffer`, or returns 0 at the end of the data.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    buffer.isEmpty ? 0 : try pull(buffer)
  }

  /// Reads until `count` bytes are there or the data ends.
  package func read(upTo count: Int) throws(ArchiveError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    var problem: ArchiveError?
    bytes.withUnsafeMutableBytes { whole in
      do throws(ArchiveError) {
        while filled < count {
          let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: whole[filled...]))
          if got == 0 { break }
          filled += got
        }
      } catch { problem = error }
    }
    if let problem, filled == 0 { throw problem }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Bytes in memory, handed out in pieces of at most `chunk` bytes: how tests try every split of an input.
  package static func bytes(_ bytes: [UInt8], chunk: Int = .max) -> ByteSource {
    var position = 0
    return ByteSource(fileBytes: Int64(bytes.count), place: { Int64(position) }) { buffer in
      let count = min(buffer.count, chunk, bytes.count - position)
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
      }
      position += count
      return count
    }
  }

  /// A file as it is. The descriptor is closed when the source goes away.
  package static func file(_ path: String) throws(ArchiveError) -> ByteSource {
    let file = try OpenFile(path: path)
    var position: Int64 = 0
    return ByteSource(fileBytes: file.bytes, place: { position }) { buffer throws(ArchiveError) in
      let got = try file.read(into: buffer)
      position += Int64(got)
      return got
    }
  }
}

/// An open descriptor with its owner.
final class OpenFile {
  let descriptor: Int32
  let bytes: Int64

  init(path: String) throws(ArchiveError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(errno: errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let problem = errno
      close(descriptor)
      throw .unreadable(errno: problem)
    }
    guard facts.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw .unreadable(errno: EISDIR)
    }
    bytes = Int64(facts.st_size)
  }

  deinit { close(descriptor) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    while true {
      let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if got >= 0 { return got }
      if errno != EINTR { throw .unreadable(errno: errno) }
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) -> Int {
    while true {
      let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if got >= 0 { return got }
      if errno != EINTR { throw .unreadable(errno: errno) }
    }
  }
}
