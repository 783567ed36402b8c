// Phones: people who do not exist, with their phones and watches. A scenario says what happens on which days, a seed
// decides the rest; the same scenario, seed and moment give the same bytes. What comes out is what real phones hand over:
// samples with the devices that counted them, rings, an export.zip. It never reads a clock or a random source, and it
// knows nothing of servers and databases: seeds and tests bring its files and samples in the way people do.

/// A generator of which every draw is fixed by its seed (SplitMix64), the same on every machine and with every compiler.
struct Dice {
  private var state: UInt64

  init(seed: UInt64, day: Int32 = 0, stream: UInt64 = 0) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(UInt32(bitPattern: day)) << 20 ^ stream
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// 0 ..< limit; 0 when the limit is not positive.
  mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }

  mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
