import Archive
import Bytes

/// Writes a zip as Apple's exporter does: deflated entries, sizes only after the data and in the directory.
struct ZipWriter {
  private struct Entry {
    var name: [UInt8]
    var checksum: UInt32
    var packed: UInt32
    var size: UInt32
    var place: UInt32
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// MS-DOS date and time of every entry.
  private let stamp: UInt32

  init(stamp: UInt32) { self.stamp = stamp }

  /// Entries and the whole must stay below 4 GiB. False when zlib had no memory.
  mutating func add(_ name: String, _ content: [UInt8]) -> Bool {
    var gzip: [UInt8] = []
    // A gzip member is ten bytes of head, the deflated data, checksum and size (RFC 1952).
    guard GzipEncoder(level: 6).encode(content, into: &gzip), gzip.count >= 18 else { return false }
    let deflated = gzip[10..<(gzip.count - 8)]
    let entry = Entry(
      name: Array(name.utf8), checksum: CRC32.sum(content), packed: UInt32(truncatingIfNeeded: deflated.count),
      size: UInt32(truncatingIfNeeded: content.count), place: UInt32(truncatingIfNeeded: bytes.count))
    bytes.put(0x0403_4b50, 4)
    putCommon(entry, checksum: 0, packed: 0, size: 0)
    bytes += entry.name
    bytes += deflated
    bytes.put(0x0807_4b50, 4)
    for number in [entry.checksum, entry.packed, entry.size] { bytes.put(number, 4) }
    entries.append(entry)
    return true
  }

  /// The whole file.
  mutating func finish() -> [UInt8] {
    let directory = bytes.count
    for entry in entries {
      bytes.put(0x0201_4b50, 4)
      bytes.put(0x0314, 2)
      putCommon(entry, checksum: entry.checksum, packed: entry.packed, size: entry.size)
      for zero in [2, 2, 2] { bytes.put(0, zero) }
      bytes.put(0o100644 << 16, 4)
      bytes.put(entry.place, 4)
      bytes += entry.name
    }
    let length = bytes.count - directory
    bytes.put(0x0605_4b50, 4)
    bytes.put(0, 4)
    bytes.put(UInt32(truncatingIfNeeded: entries.count), 2)
    bytes.put(UInt32(truncatingIfNeeded: entries.count), 2)
    bytes.put(UInt32(truncatingIfNeeded: length), 4)
    bytes.put(UInt32(truncatingIfNeeded: directory), 4)
    bytes.put(0, 2)
    return bytes
  }

  /// The fields that local head and directory share: version, flags (sizes follow, UTF-8 names), deflate, stamp, sizes.
  private mutating func putCommon(_ entry: Entry, checksum: UInt32, packed: UInt32, size: UInt32) {
    bytes.put(20, 2)
    bytes.put(0x0808, 2)
    bytes.put(8, 2)
    bytes.put(stamp, 4)
    for number in [checksum, packed, size] { bytes.put(number, 4) }
    bytes.put(UInt32(truncatingIfNeeded: entry.name.count), 2)
    bytes.put(0, 2)
  }
}

extension [UInt8] {
  /// A little-endian number.
  fileprivate mutating func put(_ number: UInt32, _ size: Int) {
    for place in 0..<size { append(UInt8(truncatingIfNeeded: number >> UInt32(8 * place))) }
  }
}
