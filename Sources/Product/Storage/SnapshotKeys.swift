import Activity

/// The samples that a full export holds, by the first 8 bytes of their keys: about 8 bytes a sample, in sorted pieces of a
/// million, so that nothing large is ever copied. A wrong "is there" needs two keys with equal first halves: for five
/// million samples a chance of about one in a million that a single sample stays that should have gone.
///
/// Above eight million samples it keeps only a half, a quarter … of the keys and asks for the file to be read again for the
/// rest: memory stays under 64 MB whatever comes.
struct SnapshotKeys {
  private let pieceLength: Int
  private let piecesKept: Int
  private var pieces: [[UInt64]] = []
  private var last: [UInt64] = []
  /// This pass covers the keys whose first `bits` bits are `part`.
  private var bits: UInt64 = 0
  private var part: UInt64 = 0
  private var isSorted = false

  init(pieceLength: Int = 1 << 20, piecesKept: Int = 8) {
    self.pieceLength = pieceLength
    self.piecesKept = piecesKept
  }

  mutating func add(_ key: SampleKey) {
    guard covers(key.high) else { return }
    isSorted = false
    last.append(key.high)
    guard last.count == pieceLength else { return }
    pieces.append(last)
    last.removeAll(keepingCapacity: false)
    while pieces.count >= piecesKept, bits < 20 { halve() }
  }

  /// Whether the export is known not to hold this key; false also for keys of another pass.
  mutating func misses(_ key: SampleKey) -> Bool {
    guard covers(key.high) else { return false }
    if !isSorted { sort() }
    return !pieces.contains { SnapshotKeys.contains(key.high, in: $0) } && !SnapshotKeys.contains(key.high, in: last)
  }

  /// Goes on to the next part of the keys; false when all parts are done.
  mutating func next() -> Bool {
    pieces.removeAll()
    last.removeAll()
    part += 1
    return bits > 0 && part < 1 << bits
  }

  private func covers(_ high: UInt64) -> Bool { bits == 0 || high >> (64 - bits) == part }

  private mutating func halve() {
    bits += 1
    part <<= 1
    let kept = pieces
    pieces.removeAll()
    last.removeAll()
    for piece in kept {
      for high in piece where covers(high) {
        last.append(high)
        if last.count == pieceLength {
          pieces.append(last)
          last.removeAll()
        }
      }
    }
  }

  private mutating func sort() {
    for place in pieces.indices { pieces[place].sort() }
    last.sort()
    isSorted = true
  }

  private static func contains(_ high: UInt64, in sorted: [UInt64]) -> Bool {
    var low = 0
    var end = sorted.count
    while low < end {
      let middle = (low + end) / 2
      if sorted[middle] < high { low = middle + 1 } else { end = middle }
    }
    return low < sorted.count && sorted[low] == high
  }
}
