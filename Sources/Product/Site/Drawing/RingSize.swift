/// The three sizes in which rings are drawn. Radii and widths are in units of the picture's view box, whose origin is the
/// common centre; from outside to inside Move, Exercise, Stand. R(k+1) = R(k) − W − g.
struct RingSize: Sendable {
  let name: StaticString
  let viewBox: StaticString
  let width: Double
  let gap: Double
  let radii: [Double]
  /// Radii, widths and dashes as they stand in attributes, so that no number is formatted twice.
  let radiusText: [StaticString]
  let widthText: StaticString
  let dashWidth: StaticString
  let dashes: [StaticString]
  let dotRadius: StaticString
  let dotPlaces: [StaticString]

  /// Up to 348 px wide: Today, Day.
  static let large = RingSize(
    name: "l", viewBox: "-100 -100 200 200", width: 20, gap: 3.5, radii: [88, 64.5, 41],
    radiusText: ["88", "64.5", "41"], widthText: "20", dashWidth: "6.4",
    dashes: ["9.95 12.16", "10.13 12.38", "9.66 11.81"], dotRadius: "6", dotPlaces: ["-88", "-64.5", "-41"])

  /// 64 px: lists of states.
  static let medium = RingSize(
    name: "m", viewBox: "-32 -32 64 64", width: 6.6, gap: 1.2, radii: [28, 20.2, 12.4],
    radiusText: ["28", "20.2", "12.4"], widthText: "6.6", dashWidth: "2.1",
    dashes: ["3.3 4.03", "3.36 4.11", "3.19 3.9"], dotRadius: "2", dotPlaces: ["-28", "-20.2", "-12.4"])

  /// 27 to 38 px: calendar, week, table.
  static let small = RingSize(
    name: "s", viewBox: "-16 -16 32 32", width: 3.6, gap: 0.7, radii: [13.7, 9.4, 5.1],
    radiusText: ["13.7", "9.4", "5.1"], widthText: "3.6", dashWidth: "1.2",
    dashes: ["3.23 3.95", "3.32 4.06", "3.6 4.41"], dotRadius: "1.5", dotPlaces: ["-13.7", "-9.4", "-5.1"])

  /// The part of the circle to draw for a fraction below 1. A round cap adds half its width at both ends, so that a ring
  /// at 93 % would look closed: from 0.8 on the sweep is squeezed so that a gap of about `gap` stays until the goal is
  /// reached. Monotonic; very small values read as the round cap alone.
  func sweep(_ fraction: Double, ring: Int) -> Double {
    let most = 1 - (width + gap) / (2 * .pi * radii[ring])
    guard fraction > 0.8, most > 0.8 else { return max(0.004, min(fraction, most)) }
    return 0.8 + (fraction - 0.8) * (most - 0.8) / 0.2
  }
}
