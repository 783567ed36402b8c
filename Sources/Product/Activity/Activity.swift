// Activity: steps, rings and days as pure values. It knows how samples merge into day totals, what a civil day is in a
// person's time zones, and how rings, goals, streaks and weeks are read. It never reads a clock, a random source, a file
// or a database: the present moment and the zone data are arguments. Names of formats, tables and pages do not occur here.

/// Rounds an exact sum to the one integer that pages, weeks and exports show: floor(x + 1/2 + 10⁻⁶), merge.md 6.
/// Out of range or not a number gives the nearest representable integer or 0, never a trap.
@inlinable
package func shownSteps(_ exact: Double) -> Int {
  let rounded = (exact + 0.5 + 1e-6).rounded(.down)
  return Int(exactly: rounded) ?? (rounded > 0 ? Int.max : 0)
}
