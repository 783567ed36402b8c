import CArchive

#if canImport(Glibc)
  import Glibc
#endif

/// Limits that a zip file must keep (a real export stays below 1 GB packed and 4 GB unpacked).
package struct ZipLimits: Sendable {
  package var packedBytes: Int64 = 4 << 30
  package var unpackedBytes: Int64 = 64 << 30
  /// Unpacked bytes per packed byte, looked at after `ratioFrom` unpacked bytes. Deflate itself ends near 1,030.
  package var ratio: Int64 = 400
  package var ratioFrom: Int64 = 256 << 20
  package var entries = 200_000

  package init() {}
}

/// Finds one entry of a zip file by its content and streams it. Names inside the archive are never looked at: they come in
/// any language and encoding. Zip64, data descriptors and archives that are cut before their directory are read by libarchive.
package enum ZipArchive {
  /// The front of an entry that is shown to `rate`.
  package static let headBytes = 64 << 10

  /// True if the bytes are the front of a zip file.
  package static func beginsLikeZip(_ head: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 7, 8], [0x50, 0x4B, 0x30, 0x30]]
    return marks.contains { head.starts(with: $0) }
  }

  /// The entry with the best rating, and among equals the one that unpacks to most; nil if none is rated. `rate` sees the first
  /// 64 KiB of each entry and answers nil for one that is not meant. Throws `encrypted` if nothing was found and some entry needs a password.
  package static func open(
    _ path: String, limits: ZipLimits = ZipLimits(), rate: ([UInt8]) -> Int?
  ) throws(ArchiveError) -> ByteSource? {
    guard let choice = try choose(path, limits, rate) else { return nil }
    let reader = try ZipReader(path: path, limits: limits)
    for _ in 0...choice { guard try reader.nextEntry() else { throw .cut } }
    return ByteSource(fileBytes: reader.packedBytes, place: { reader.packedPosition }) { buffer throws(ArchiveError) in
      try reader.read(into: buffer)
    }
  }

  private static func choose(
    _ path: String, _ limits: ZipLimits, _ rate: ([UInt8]) -> Int?
  ) throws(ArchiveError) -> Int? {
    let reader = try ZipReader(path: path, limits: limits)
    let hasDirectory = try ZipArchive.hasDirectory(path)
    var best: (index: Int, rating: Int, bytes: Int64)?
    var locked = false
    var index = -1
    do throws(ArchiveError) {
      while try reader.nextEntry() {
        index += 1
        if index >= limits.entries { throw .tooLarge }
        if reader.entryIsEncrypted {
          locked = true
          continue
        }
        guard let rating = rate(try reader.head()) else { continue }
        if let best, (best.rating, best.bytes) >= (rating, reader.entryBytes) { continue }
        best = (index, rating, reader.entryBytes)
        if !hasDirectory { break }
      }
    } catch {
      guard best != nil || error == .cut else { throw error }
    }
    if best == nil, locked { throw .encrypted }
    return best?.index
  }

  /// True if there is a zip directory at the end: of a zip file behind junk, too. One without it was cut; then every look
  /// behind an entry means unpacking it.
  package static func hasDirectory(_ path: String) throws(ArchiveError) -> Bool {
    let file = try OpenFile(path: path)
    let length = min(file.bytes, (64 << 10) + 22)
    var tail = [UInt8](repeating: 0, count: Int(length))
    var problem: ArchiveError?
    let got = tail.withUnsafeMutableBytes { buffer in
      do throws(ArchiveError) { return try file.read(into: buffer, at: file.bytes - length) } catch {
        problem = error
        return 0
      }
    }
    if let problem { throw problem }
    guard got >= 22 else { return false }
    return (0...got - 22).contains {
      tail[$0] == 0x50 && tail[$0 + 1] == 0x4B && tail[$0 + 2] == 5 && tail[$0 + 3] == 6
    }
  }
}

/// One pass over a zip file with libarchive. The handle is freed with the object.
private final class ZipReader {
  private let handle: OpaquePointer
  private let limits: ZipLimits
  private var unpacked: Int64 = 0
  /// What libarchive unpacked and nobody has taken yet; it owns the memory until the next call.
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var isDamaged = false
  private(set) var entryBytes: Int64 = 0
  private(set) var entryIsEncrypted = false
  let packedBytes: Int64

  init(path: String, limits: ZipLimits) throws(ArchiveError) {
    let file = try OpenFile(path: path)
    guard file.bytes <= limits.packedBytes else { throw .tooLarge }
    guard let handle = archive_read_new() else { throw .unreadable(errno: ENOMEM) }
    self.handle = handle
    self.limits = limits
    packedBytes = file.bytes
    archive_read_support_format_zip(handle)
    guard archive_read_open_filename(handle, path, 128 << 10) == ARCHIVE_OK else { throw .notThisFormat }
  }

  deinit { archive_read_free(handle) }

  var packedPosition: Int64 { archive_filter_bytes(handle, -1) }

  /// Moves to the next entry; false at the end. A broken archive throws `cut`.
  func nextEntry() throws(ArchiveError) -> Bool {
    var entry: OpaquePointer?
    block = UnsafeRawBufferPointer(start: nil, count: 0)
    isDamaged = false
    let result = archive_read_next_header(handle, &entry)
    if result == ARCHIVE_EOF { return false }
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw .cut }
    entryBytes = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : 0
    entryIsEncrypted = archive_entry_is_encrypted(entry) != 0
    return true
  }

  /// The first bytes of the entry; fewer if it is shorter or breaks.
  func head() throws(ArchiveError) -> [UInt8] {
    let source = ByteSource(fileBytes: 0, place: { 0 }) { [self] buffer throws(ArchiveError) in try read(into: buffer) }
    do throws(ArchiveError) { return try source.read(upTo: ZipArchive.headBytes) } catch {
      guard error == .cut else { throw error }
      return []
    }
  }

  /// Block by block: archive_read_data would drop what it had when the archive breaks off. A block that comes with a warning
  /// (a wrong checksum or size) is used, and the entry counts as cut behind it.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    while block.isEmpty {
      guard !isDamaged else { throw .cut }
      guard try nextBlock() else { return 0 }
    }
    let count = min(block.count, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
    block = UnsafeRawBufferPointer(rebasing: block[count...])
    return count
  }

  /// False at the end of the entry.
  private func nextBlock() throws(ArchiveError) -> Bool {
    var start: UnsafeRawPointer?
    var size = 0
    var offset: la_int64_t = 0
    let result = archive_read_data_block(handle, &start, &size, &offset)
    if result == ARCHIVE_EOF { return false }
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN || result == ARCHIVE_RETRY else { throw .cut }
    isDamaged = result == ARCHIVE_WARN
    block = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size)
    unpacked += Int64(block.count)
    let bomb = unpacked > limits.ratioFrom && unpacked / max(1, packedPosition) > limits.ratio
    guard unpacked <= limits.unpackedBytes, !bomb else { throw .tooLarge }
    return true
  }
}
