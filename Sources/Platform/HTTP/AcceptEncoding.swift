/// What the client lets us do to a body (RFC 9110 12.5.3).
package enum AcceptEncoding {
  /// True when `coding` may be sent: named, or covered by "*", with a weight above zero. An explicit name beats "*".
  /// Without the field the answer is no: nothing is gained by compressing for a client that does not ask.
  package static func allows(_ coding: String, _ fields: HeaderFields) -> Bool {
    var byStar = false
    for field in fields.allBytes(of: "accept-encoding") {
      for element in field.split(separator: ASCII.comma) {
        let end = element.firstIndex(of: ASCII.semicolon) ?? element.endIndex
        let name = element[..<end].trimmed
        let isWanted = weight(element[end...]) > 0
        if name.equals(coding) { return isWanted }
        if name.elementsEqual([ASCII.asterisk]) { byStar = isWanted }
      }
    }
    return byStar
  }

  /// Thousandths; 1000 without a weight, 0 for one that cannot be read.
  private static func weight(_ parameters: ArraySlice<UInt8>) -> Int {
    let text = parameters.dropFirst().trimmed
    if text.isEmpty { return 1000 }
    guard text.count >= 3, text.prefix(2).equals("q=") else { return 0 }
    let digits = text.dropFirst(2)
    guard let first = digits.first, first == 48 || first == 49, digits.count <= 5 else { return 0 }
    var value = first == 49 ? 1000 : 0
    var unit = 100
    for (index, byte) in digits.dropFirst().enumerated() {
      if index == 0 {
        guard byte == ASCII.dot else { return 0 }
        continue
      }
      guard byte &- 48 < 10 else { return 0 }
      value += Int(byte &- 48) * unit
      unit /= 10
    }
    return Swift.min(value, 1000)
  }
}
