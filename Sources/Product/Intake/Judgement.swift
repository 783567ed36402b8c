import Activity

/// The tests of merge.md 7 that every format shares, in their order; each format reads the text its own way.
enum Judgement {
  /// 2000-01-01T00:00:00Z.
  static let oldest = Instant(seconds: 946_684_800)
  /// How far ahead a clock may be: ten minutes, in milliseconds.
  static let skew: Int64 = 600_000
  static let mostSteps = 1_000_000.0

  static func isStepUnit(_ unit: Span<UInt8>) -> Bool {
    let range = Blanks.trimmed(unit)
    return ["", "count", "counts", "step", "steps"].contains(String(unit.extracting(range)))
  }

  /// Which of the two instants is at fault, and why.
  static func times(start: Instant, end: Instant, receivedAt: Instant) -> (reason: RefusalReason, isStart: Bool)? {
    if end < start { return (.endBeforeStart, false) }
    if start < oldest { return (.tooOld, true) }
    let latest = receivedAt.advanced(milliseconds: skew)
    if start > latest { return (.future, true) }
    if end > latest { return (.future, false) }
    if end.milliseconds(since: start) > Sample.longest { return (.tooLong, false) }
    return nil
  }

  static func steps(_ count: Double) -> RefusalReason? {
    if count < 0 { return .negative }
    return count > mostSteps ? .absurd : nil
  }
}
