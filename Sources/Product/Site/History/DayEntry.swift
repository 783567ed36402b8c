package import Activity

/// One day of a person as the pages read it.
package struct DayEntry: Sendable {
  package let day: CivilDay
  package let state: DayState
  /// Nil: no rings were delivered for the day.
  package let rings: Rings?
  /// By the person's own pause or by the phone.
  package let isPaused: Bool
  /// The goal for steps in force on the day.
  package let goal: Double?
  package let flags: DayFlags
  /// Its samples changed and the total is not counted again yet.
  package let isBeingCounted: Bool

  package init(
    day: CivilDay, state: DayState, rings: Rings? = nil, isPaused: Bool = false, goal: Double? = Goals.defaultSteps,
    flags: DayFlags = [], isBeingCounted: Bool = false
  ) {
    self.day = day
    self.state = state
    self.rings = rings
    self.isPaused = isPaused || rings?.paused == true
    self.goal = goal
    self.flags = flags
    self.isBeingCounted = isBeingCounted
  }

  /// A day that is over and has a number: what averages and "of n days" rest on.
  var counted: Int? { state.counted }

  var hasReachedGoal: Bool {
    guard let goal, goal > 0, let number = state.number else { return false }
    return Double(number) >= goal
  }

  /// The rings that are known, if any is.
  var knownRings: Rings? {
    guard let rings, rings.move != nil || rings.exercise != nil || rings.stand != nil else { return nil }
    return rings
  }

  var ringFace: RingPicture.Face {
    if case .future = state { return .future }
    if isPaused { return .paused }
    return knownRings.map(RingPicture.Face.rings) ?? .none
  }
}
