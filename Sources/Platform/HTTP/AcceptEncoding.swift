/// What the client lets us do to a body (RFC 9110 12.5.3).
package enum AcceptEncoding {
  /// True when `coding` may be sent: named, or covered by "*", with a weight above zero. An explicit name beats "*".
  /// Without the field the answer is no: nothing is gained by compressing for a client that does not ask.
  package static func allows(_ coding: String, _ fields: HeaderFields) -> Bool {
    var byName: Bool?
    var byStar = false
    _ = fields.hasElement(of: "accept-encoding", separator: ASCII.comma) { bytes, element in
      var end = element.lowerBound
      while end < element.upperBound, bytes[end] != ASCII.semicolon { end &+= 1 }
      let name = bytes.trimmed(element.lowerBound..<end)
      if bytes.equals(name, coding) {
        byName = weight(bytes, end..<element.upperBound) > 0
      } else if bytes.equals(name, "*") {
        byStar = weight(bytes, end..<element.upperBound) > 0
      }
      return byName != nil
    }
    return byName ?? byStar
  }

  /// Thousandths; 1000 without a weight, 0 for one that cannot be read. `parameters` starts at the semicolon.
  private static func weight(_ bytes: Span<UInt8>, _ parameters: Range<Int>) -> Int {
    if parameters.isEmpty { return 1000 }
    let text = bytes.trimmed((parameters.lowerBound &+ 1)..<parameters.upperBound)
    if text.isEmpty { return 1000 }
    guard text.count >= 3, text.count <= 7, bytes[text.lowerBound].lowercasedASCII == UInt8(ascii: "q"),
      bytes[text.lowerBound &+ 1] == ASCII.equals
    else { return 0 }
    let first = bytes[text.lowerBound &+ 2]
    guard first == 48 || first == 49 else { return 0 }
    var value = first == 49 ? 1000 : 0
    var unit = 100
    for index in (text.lowerBound &+ 3)..<text.upperBound {
      if index == text.lowerBound &+ 3 {
        guard bytes[index] == ASCII.dot else { return 0 }
        continue
      }
      guard bytes[index] &- 48 < 10 else { return 0 }
      value += Int(bytes[index] &- 48) * unit
      unit /= 10
    }
    return Swift.min(value, 1000)
  }
}
