// Bytes: the printing and scanning of plain `[UInt8]` buffers that every other room writes into.
// It knows no protocol, no file and no Foundation. Appends are `@inlinable`, grow the buffer as the array does
// and never trap, whatever value they are given.

extension [UInt8] {
  /// The UTF-8 of `text`.
  @inlinable
  package init(utf8 text: String) {
    self = Array(text.utf8)
  }

  /// Appends the UTF-8 of `text` without escaping anything.
  @inlinable
  package mutating func append(utf8 text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends the UTF-8 of a slice of text without escaping anything.
  @inlinable
  package mutating func append(utf8 text: Substring) {
    append(contentsOf: text.utf8)
  }

  /// Appends a literal; the cheapest way to write fixed text.
  @inlinable
  package mutating func append(_ literal: StaticString) {
    if literal.hasPointerRepresentation {
      append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    } else {
      literal.withUTF8Buffer { append(contentsOf: $0) }
    }
  }

  /// Appends the decimal digits of `number`, with `-` in front of a negative one.
  @inlinable
  package mutating func append<Number: FixedWidthInteger>(decimal number: Number) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(truncatingIfNeeded: number.magnitude), width: 1, groupedBy: 0)
  }

  /// Appends `number` with leading zeros up to `width` digits (at most 20); longer numbers are printed whole.
  @inlinable
  package mutating func append(padded number: Int, width: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(number.magnitude), width: width, groupedBy: 0)
  }

  /// Appends `number` with a comma between thousands: `12,345`.
  @inlinable
  package mutating func append(grouped number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(number.magnitude), width: 1, groupedBy: UInt8(ascii: ","))
  }

  /// Appends `number` rounded (half away from zero) to at most two decimals, without trailing zeros: `12.5`.
  /// What is not finite or is too large for a drawing is printed as 0.
  @inlinable
  package mutating func append(hundredths number: Double) {
    guard let scaled = Int64(exactly: (number * 100).rounded()), scaled != 0 else {
      append(UInt8(ascii: "0"))
      return
    }
    if scaled < 0 { append(UInt8(ascii: "-")) }
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: 100)
    append(digits: whole, width: 1, groupedBy: 0)
    guard rest != 0 else { return }
    append(UInt8(ascii: "."))
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 10))
    if rest % 10 != 0 { append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)) }
  }

  /// Digits of `number`, right to left into a scratch space of the stack; `groupedBy` 0 means no separator.
  @inlinable
  mutating func append(digits number: UInt64, width: Int, groupedBy separator: UInt8) {
    if number < 10, width <= 1 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { scratch in
      var rest = number
      var place = 32
      var written = 0
      repeat {
        if separator != 0, written != 0, written % 3 == 0 {
          place &-= 1
          scratch[place] = separator
        }
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        place &-= 1
        scratch[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
        rest = quotient
        written &+= 1
      } while rest != 0 || written < Swift.min(width, 20)
      append(contentsOf: UnsafeBufferPointer(rebasing: scratch[place...]))
    }
  }
}
