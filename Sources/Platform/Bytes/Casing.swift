extension [UInt8] {
  /// Makes the capitals of ASCII small, from a place on. False when a byte there is beyond ASCII: those are left as they are.
  package mutating func lowerASCII(from start: Int) -> Bool {
    guard start >= 0, start <= count else { return true }
    return withUnsafeMutableBufferPointer { bytes in
      var all: UInt8 = 0
      // Without branches, so that the compiler does many at once.
      for place in start..<bytes.count {
        let byte = bytes[place]
        all |= byte
        bytes[place] = byte | (byte &- UInt8(ascii: "A") < 26 ? 0x20 : 0)
      }
      return all < 0x80
    }
  }
}
