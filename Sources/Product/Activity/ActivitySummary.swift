/// Whether the Move ring counts energy (kcal) or minutes. Raw values are stored and are Apple's.
package enum MoveMode: Int16, Sendable {
  case energy = 1
  case minutes = 2
}

/// One ring as delivered: kilocalories or minutes for Move, minutes for Exercise, hours for Stand.
package struct RingValue: Hashable, Sendable {
  package var value: Double
  /// Nil or 0 means that the day has no such goal.
  package var goal: Double?

  @inlinable
  package init(value: Double, goal: Double?) {
    self.value = value
    self.goal = goal
  }
}

/// The rings of one calendar day as a phone delivered them (merge.md 9); stored as they are, never recomputed. A ring
/// that was not delivered is nil.
package struct ActivitySummary: Hashable, Sendable {
  package var day: CivilDay
  package var moveMode: MoveMode
  package var move: RingValue?
  package var exercise: RingValue?
  package var stand: RingValue?
  package var paused: Bool

  package init(
    day: CivilDay, moveMode: MoveMode, move: RingValue?, exercise: RingValue?, stand: RingValue?, paused: Bool = false
  ) {
    self.day = day
    self.moveMode = moveMode
    self.move = move
    self.exercise = exercise
    self.stand = stand
    self.paused = paused
  }

  /// All values 0 and no move goal: the watch was never set up, so there is no row (merge.md 9.5).
  package var isEmpty: Bool {
    let values = [move, exercise, stand].compactMap { $0?.value }
    return values.allSatisfy { $0 == 0 } && !((move?.goal ?? 0) > 0)
  }
}
