extension Collection<UInt8> {
  /// The number that these bytes print in decimal, or nil if they are empty, hold anything but digits or overflow.
  /// No sign and no blank is accepted.
  @inlinable
  package var decimalNumber: Int64? {
    guard !isEmpty else { return nil }
    var number: Int64 = 0
    for byte in self {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (tens, tooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(Int64(digit))
      guard !tooLarge, !overflow else { return nil }
      number = sum
    }
    return number
  }

  /// The number that these bytes print in hexadecimal (either case), or nil if they are empty, hold anything else
  /// or need more than 63 bits.
  @inlinable
  package var hexNumber: Int64? {
    guard !isEmpty else { return nil }
    var number: Int64 = 0
    for byte in self {
      guard let digit = Hex.digit(byte), number < 1 << 59 else { return nil }
      number = number << 4 | Int64(digit)
    }
    return number
  }

  /// Whether both are the same text when the letters A–Z are read as a–z.
  @inlinable
  package func equalsIgnoringCase(_ other: some Collection<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// These bytes as text; what is not UTF-8 becomes U+FFFD.
  @inlinable
  package var text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
  /// The byte with A–Z made a–z; every other byte unchanged.
  @inlinable
  package var asciiLowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }

  /// Whether this is one of `0`–`9`.
  @inlinable
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
