// The binary formats of the server's *send/*recv functions (src/backend/utils/adt), written behind one another into
// one buffer that is kept between statements. Nothing here allocates except when the buffer grows.

extension [UInt8] {
  /// Big-endian, as everything on the wire.
  @inline(__always)
  mutating func append<T: FixedWidthInteger>(wire value: T) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Writes the value's bytes without a length in front. NULL writes nothing.
  mutating func append(parameter: Parameter) {
    switch parameter {
    case .null: break
    case .bool(let value): append(value ? 1 : 0)
    case .int16(let value): append(wire: value)
    case .int32(let value): append(wire: value)
    case .int64(let value): append(wire: value)
    case .double(let value): append(wire: value.bitPattern)
    case .text(let value): append(text: value)
    case .bytes(let value): append(contentsOf: value)
    case .date(let value): append(wire: serverDate(value))
    case .instant(let value): append(wire: serverInstant(value))
    case .uuid(let high, let low):
      append(wire: high)
      append(wire: low)
    case .json(let value):
      append(1)  // the version of jsonb's binary form
      append(text: value)
    case .bools(let list):
      array(.bool, list.count)
      for value in list {
        append(wire: Int32(1))
        append(value ? 1 : 0)
      }
    case .int16s(let list): fixed(.int16, list) { $0 }
    case .int32s(let list): fixed(.int32, list) { $0 }
    case .int64s(let list): fixed(.int64, list) { $0 }
    case .doubles(let list): fixed(.double, list) { $0.bitPattern }
    case .dates(let list): fixed(.date, list) { serverDate($0) }
    case .instants(let list): fixed(.instant, list) { serverInstant($0) }
    case .texts(let list):
      array(.text, list.count)
      for value in list { append(element: value) }
    case .bytesList(let list):
      array(.bytes, list.count)
      for value in list {
        append(wire: Int32(truncatingIfNeeded: value.count))
        append(contentsOf: value)
      }
    case .uuids(let list):
      array(.uuid, list.count)
      reserveCapacity(count + list.count * 20)
      for value in list {
        append(wire: Int32(16))
        append(wire: value.0)
        append(wire: value.1)
      }
    case .int16sOrNil(let list): gaps(.int16, list) { $0 }
    case .int32sOrNil(let list): gaps(.int32, list) { $0 }
    case .int64sOrNil(let list): gaps(.int64, list) { $0 }
    case .doublesOrNil(let list): gaps(.double, list) { $0.bitPattern }
    case .instantsOrNil(let list): gaps(.instant, list) { serverInstant($0) }
    case .textsOrNil(let list):
      array(.text, list.count, gaps: true)
      for value in list {
        if let value { append(element: value) } else { append(wire: Int32(-1)) }
      }
    }
  }

  private mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  private mutating func append(element text: String) {
    var text = text
    text.withUTF8 {
      append(wire: Int32(truncatingIfNeeded: $0.count))
      append(contentsOf: $0)
    }
  }

  /// Head of a one-dimensional array: dimensions, "has NULLs", element type, length, lower bound 1. Empty: no dimension.
  private mutating func array(_ element: PGType, _ count: Int, gaps: Bool = false) {
    append(wire: Int32(count == 0 ? 0 : 1))
    append(wire: Int32(gaps ? 1 : 0))
    append(wire: element.rawValue)
    guard count > 0 else { return }
    append(wire: Int32(truncatingIfNeeded: count))
    append(wire: Int32(1))
  }

  /// Elements of one size: the room is made once and filled by plain stores (uploads bring thousands).
  private mutating func fixed<T, W: FixedWidthInteger>(_ element: PGType, _ list: [T], _ wire: (T) -> W) {
    array(element, list.count)
    let size = MemoryLayout<W>.size
    let start = count
    append(contentsOf: repeatElement(0, count: list.count * (4 + size)))
    withUnsafeMutableBytes { bytes in
      var at = start
      for value in list {
        bytes.storeBytes(of: Int32(truncatingIfNeeded: size).bigEndian, toByteOffset: at, as: Int32.self)
        bytes.storeBytes(of: wire(value).bigEndian, toByteOffset: at + 4, as: W.self)
        at += 4 + size
      }
    }
  }

  private mutating func gaps<T, W: FixedWidthInteger>(_ element: PGType, _ list: [T?], _ wire: (T) -> W) {
    array(element, list.count, gaps: true)
    for value in list {
      guard let value else {
        append(wire: Int32(-1))
        continue
      }
      append(wire: Int32(truncatingIfNeeded: MemoryLayout<W>.size))
      append(wire: wire(value))
    }
  }
}

/// Ours to the server's epoch. What does not fit becomes a value that the server refuses (22008), never a wrong one.
@inline(__always)
func serverDate(_ days: Int32) -> Int32 {
  if days == .max || days == .min { return days }
  let (value, overflow) = days.subtractingReportingOverflow(daysToServerEpoch)
  return overflow || value == .min ? .min + 1 : value
}

@inline(__always)
func serverInstant(_ microseconds: Int64) -> Int64 {
  if microseconds == .max || microseconds == .min { return microseconds }
  let (value, overflow) = microseconds.subtractingReportingOverflow(microsecondsToServerEpoch)
  return overflow || value == .min ? .min + 1 : value
}
