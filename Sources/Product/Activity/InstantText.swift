extension Instant {
  /// `2026-11-26T15:42:00.000Z` (RFC 3339): what answers to phones and hashed records carry.
  package var iso: String {
    let days = Instant.floorDivide(seconds, by: 86_400)
    let second = Int(seconds &- days &* 86_400)
    let thousandths = Int(milliseconds &- seconds &* 1000)
    let day = CivilDay(number: Int32(clamping: days)).iso
    return "\(day)T\(Self.padded(second / 3600, 2)):\(Self.padded(second / 60 % 60, 2)):\(Self.padded(second % 60, 2))"
      + ".\(Self.padded(thousandths, 3))Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
