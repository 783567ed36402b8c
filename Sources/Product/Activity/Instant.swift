/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z. Arithmetic wraps instead of trapping; inputs from
/// outside are bounded by Intake (years 2000 to 9999).
@usableFromInline
package struct Instant: Hashable, Comparable, Sendable {
  @usableFromInline package var milliseconds: Int64

  @inlinable
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  @inlinable
  package init(seconds: Int64) { milliseconds = seconds &* 1000 }

  /// Microseconds since 1970, as PostgreSQL's binary form counts after its epoch is added.
  package init(microseconds: Int64) { milliseconds = Instant.floorDivide(microseconds, by: 1000) }

  package var microseconds: Int64 { milliseconds &* 1000 }

  /// Whole seconds since 1970, rounded towards the past.
  @inlinable
  package var seconds: Int64 { Instant.floorDivide(milliseconds, by: 1000) }

  @inlinable
  package static func < (one: Instant, other: Instant) -> Bool { one.milliseconds < other.milliseconds }

  // Without these the others are asked through the protocol.
  @inlinable
  package static func == (one: Instant, other: Instant) -> Bool { one.milliseconds == other.milliseconds }
  @inlinable
  package static func > (one: Instant, other: Instant) -> Bool { one.milliseconds > other.milliseconds }
  @inlinable
  package static func <= (one: Instant, other: Instant) -> Bool { one.milliseconds <= other.milliseconds }
  @inlinable
  package static func >= (one: Instant, other: Instant) -> Bool { one.milliseconds >= other.milliseconds }

  @inlinable
  package func advanced(milliseconds more: Int64) -> Instant { Instant(milliseconds: milliseconds &+ more) }

  package func advanced(hours: Int) -> Instant { advanced(milliseconds: Int64(hours) &* 3_600_000) }

  /// Milliseconds from `earlier` to this instant; negative when `earlier` is later.
  @inlinable
  package func milliseconds(since earlier: Instant) -> Int64 { milliseconds &- earlier.milliseconds }

  @usableFromInline
  static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The only way to the present moment. `stepwell` makes one from the system; tests make their own.
package struct Clock: Sendable {
  package var now: @Sendable () -> Instant

  package init(now: @escaping @Sendable () -> Instant) { self.now = now }
}
