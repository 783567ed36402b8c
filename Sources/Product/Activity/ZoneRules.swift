/// The offsets of one time zone over all time, read from the bytes of a TZif file (RFC 9636) or fixed.
///
/// Times are whole seconds since 1970 in UTC, offsets seconds east of Greenwich. Any bytes may be given: a file that is
/// not well-formed gives nil, never a trap.
package struct ZoneRules: Hashable, Sendable {
  /// IANA name, or the offset as text.
  package let name: String
  /// Moments at which the offset changes, ascending; neighbours differ in their offset.
  private var changes: [Int64] = []
  /// `offsets[i]` holds from `changes[i]` on.
  private var offsets: [Int32] = []
  /// Before the first change.
  private var initial: Int32
  /// After `ruleStart`, for ever.
  private var rule: ZoneRecurrence?
  private var ruleStart = Int64.min

  package static let utc = ZoneRules(name: "UTC", fixed: 0)

  package init(name: String, fixed seconds: Int32) {
    self.name = name
    initial = seconds
  }

  /// Reads a TZif file: of version 2 and later the 64-bit block and the footer, of version 1 its only block.
  package init?(name: String, tzif bytes: [UInt8]) {
    guard bytes.count <= 1 << 18, let file = TZifFile(bytes) else { return nil }
    self.name = name
    initial = file.offsets[0]
    var current = initial
    for (time, type) in zip(file.times, file.types) {
      let moment = min(max(time, -ZoneRules.distant), ZoneRules.distant)
      let offset = file.offsets[Int(type)]
      ruleStart = moment
      guard offset != current, moment > (changes.last ?? Int64.min) else { continue }
      changes.append(moment)
      offsets.append(offset)
      current = offset
    }
    rule = file.recurrence
  }

  /// `+09:00`, `-0330`, `+5`: an offset of at most 18 hours.
  package init?(offset text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.allSatisfy({ $0 >= 48 && $0 <= 57 }), digits.count == 1 || digits.count == 2 || digits.count == 4
    else { return nil }
    let numbers = digits.map { Int32($0) - 48 }
    let hours = numbers.prefix(2).reduce(0) { $0 * 10 + $1 }
    let minutes = numbers.dropFirst(2).reduce(0) { $0 * 10 + $1 }
    guard minutes < 60, hours * 60 + minutes <= 18 * 60 else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    self.init(name: String(text), fixed: sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// Stands for "always" at both ends of a span.
  static let distant: Int64 = 1 << 50

  package func offset(at seconds: Int64) -> Int32 { span(at: seconds).offset }

  /// The offset at a moment and the stretch [from, until) on which it holds without a change.
  package func span(at seconds: Int64) -> ZoneSpan {
    if let rule, seconds >= ruleStart {
      var span = rule.span(at: seconds)
      if span.from < ruleStart {
        let before = offsets.last ?? initial
        span.from = before == span.offset ? changes.last ?? -ZoneRules.distant : ruleStart
      }
      return span
    }
    let after = firstChange(after: seconds)
    let from = after > 0 ? changes[after - 1] : -ZoneRules.distant
    let offset = after > 0 ? offsets[after - 1] : initial
    if after < changes.count { return ZoneSpan(offset: offset, from: from, until: changes[after]) }
    guard let rule else { return ZoneSpan(offset: offset, from: from, until: ZoneRules.distant) }
    let later = rule.span(at: ruleStart)
    return ZoneSpan(offset: offset, from: from, until: later.offset == offset ? later.until : ruleStart)
  }

  package func day(at instant: Instant) -> CivilDay { ZoneRules.day(instant, offset: offset(at: instant.seconds)) }

  /// The stretch around an instant in which this zone's clock runs evenly within one date.
  package func run(at instant: Instant) -> ClockRun {
    let span = span(at: instant.seconds)
    let day = ZoneRules.day(instant, offset: span.offset)
    let midnight = (Int64(day.number) &* 86_400 &- Int64(span.offset)) &* 1000
    return ClockRun(
      start: Instant(milliseconds: max(span.from &* 1000, midnight)),
      end: Instant(milliseconds: min(span.until &* 1000, midnight &+ 86_400_000)), offset: span.offset, day: day)
  }

  private static func day(_ instant: Instant, offset: Int32) -> CivilDay {
    let local = instant.milliseconds &+ Int64(offset) &* 1000
    return CivilDay(number: Int32(clamping: Instant.floorDivide(local, by: 86_400_000)))
  }

  /// Index of the first change later than `seconds`, by bisection.
  private func firstChange(after seconds: Int64) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An offset and the stretch [from, until), in seconds since 1970, on which it holds.
package struct ZoneSpan: Hashable, Sendable {
  package var offset: Int32
  package var from: Int64
  package var until: Int64
}
