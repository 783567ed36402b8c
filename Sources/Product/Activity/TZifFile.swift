/// The parts of a TZif file (RFC 9636, section 3) that say which offset holds when. Leap seconds, abbreviations and the
/// standard/wall and UT/local indicators are skipped.
struct TZifFile {
  var times: [Int64] = []
  /// Positions in `offsets`, checked.
  var types: [UInt8] = []
  /// At least one.
  var offsets: [Int32] = []
  var recurrence: ZoneRecurrence?

  private struct Header {
    var version: UInt8
    /// In the order of the file: UT/local, standard/wall, leap seconds, transitions, types, abbreviation characters.
    var counts: [Int]

    func length(timeSize: Int) -> Int {
      counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1] + counts[0]
    }
  }

  init?(_ bytes: [UInt8]) {
    guard let first = TZifFile.header(bytes, at: 0) else { return nil }
    guard first.version >= 0x32 else {
      guard read(bytes, first, at: 44, timeSize: 4) else { return nil }
      return
    }
    let second = 44 + first.length(timeSize: 4)
    guard let header = TZifFile.header(bytes, at: second), header.version >= 0x32,
      read(bytes, header, at: second + 44, timeSize: 8)
    else { return nil }
    let footer = second + 44 + header.length(timeSize: 8)
    guard readFooter(bytes, at: footer) else { return nil }
  }

  private static func header(_ bytes: [UInt8], at place: Int) -> Header? {
    guard place >= 0, place + 44 <= bytes.count, bytes[place..<place + 4].elementsEqual("TZif".utf8) else { return nil }
    let counts = (0..<6).map { Int(number(bytes, at: place + 20 + 4 * $0, size: 4) & 0xffff_ffff) }
    guard counts.allSatisfy({ $0 <= bytes.count }), (1...256).contains(counts[4]) else { return nil }
    return Header(version: bytes[place + 4], counts: counts)
  }

  private mutating func read(_ bytes: [UInt8], _ header: Header, at place: Int, timeSize: Int) -> Bool {
    guard place + header.length(timeSize: timeSize) <= bytes.count else { return false }
    let count = header.counts[3]
    let typesAt = place + count * timeSize
    let offsetsAt = typesAt + count
    times = (0..<count).map { TZifFile.number(bytes, at: place + $0 * timeSize, size: timeSize) }
    types = Array(bytes[typesAt..<offsetsAt])
    offsets = (0..<header.counts[4]).map {
      Int32(truncatingIfNeeded: TZifFile.number(bytes, at: offsetsAt + $0 * 6, size: 4))
    }
    let ascending = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    return ascending && types.allSatisfy { Int($0) < offsets.count }
      && offsets.allSatisfy { (-89_999...93_599).contains($0) }
  }

  /// A newline, a POSIX TZ string, a newline. An empty string means that the last offset holds for ever.
  private mutating func readFooter(_ bytes: [UInt8], at place: Int) -> Bool {
    guard place < bytes.count, bytes[place] == 10 else { return false }
    guard let end = bytes[(place + 1)...].firstIndex(of: 10) else { return false }
    let text = bytes[(place + 1)..<end]
    guard !text.isEmpty else { return true }
    guard let read = ZoneRecurrence(posix: Array(text)) else { return false }
    recurrence = read
    return true
  }

  /// A big-endian two's complement number; the caller has checked the bounds.
  private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> Int64 {
    var value = Int64(Int8(bitPattern: bytes[place]))
    for byte in bytes[(place + 1)..<(place + size)] { value = value << 8 | Int64(byte) }
    return value
  }
}
