/// The three rings, outside to inside.
package enum RingKind: Int, Sendable, CaseIterable {
  case move, exercise, stand
}

/// One ring that has a goal, as pages read it (merge.md 9.4).
package struct Ring: Hashable, Sendable {
  package var value: Double
  package var goal: Double

  /// floor(100·value/goal + 10⁻⁶), no upper cap.
  package var percent: Int {
    let exact = (100 * value / goal + 1e-6).rounded(.down)
    return Int(exactly: exact) ?? (exact > 0 ? Int.max : 0)
  }

  package var closed: Bool { value + 1e-6 >= goal }

  /// value / goal for drawing; 1 is a full circle, above 1 it overlaps.
  package var fraction: Double { value / goal }

  /// Nil without a goal above 0: no ring, not an open one.
  package init?(_ delivered: RingValue?) {
    guard let delivered, let goal = delivered.goal, goal > 0, goal.isFinite, delivered.value.isFinite else {
      return nil
    }
    value = delivered.value
    self.goal = goal
  }
}

/// The rings of a day. A ring without a goal is nil.
package struct Rings: Hashable, Sendable {
  package var moveMode: MoveMode
  package var move: Ring?
  package var exercise: Ring?
  package var stand: Ring?
  package var paused: Bool

  package init(_ summary: ActivitySummary) {
    moveMode = summary.moveMode
    move = Ring(summary.move)
    exercise = Ring(summary.exercise)
    stand = Ring(summary.stand)
    paused = summary.paused
  }

  /// A ring that came without a goal takes the person's own goal of that day (semantics.md 3).
  package init(_ summary: ActivitySummary, goals: Goals) {
    var completed = summary
    let moveType: DataType = summary.moveMode == .energy ? .activeEnergyBurned : .appleMoveTime
    completed.move = Rings.complete(summary.move, goals.daily(moveType, on: summary.day))
    completed.exercise = Rings.complete(summary.exercise, goals.daily(.appleExerciseTime, on: summary.day))
    completed.stand = Rings.complete(summary.stand, goals.daily(.appleStandHour, on: summary.day))
    self.init(completed)
  }

  private static func complete(_ delivered: RingValue?, _ own: Double?) -> RingValue? {
    guard let delivered, !((delivered.goal ?? 0) > 0) else { return delivered }
    return RingValue(value: delivered.value, goal: own)
  }

  package subscript(kind: RingKind) -> Ring? {
    switch kind {
    case .move: move
    case .exercise: exercise
    case .stand: stand
    }
  }

  /// Every ring that has a goal is closed, and there is one (merge.md 9.6).
  package var allClosed: Bool {
    if move == nil && exercise == nil && stand == nil { return false }
    return move?.closed ?? true && exercise?.closed ?? true && stand?.closed ?? true
  }
}
