/// The value axis of a chart: from zero, in steps that people count in.
struct Axis: Sendable, Equatable {
  /// Value at the top of the plot.
  let top: Int
  let step: Int

  /// Chooses the smallest step with which `highest` needs at most four; there are always two at least.
  init(highest: Double) {
    let steps = [25, 50, 100, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 25_000, 50_000, 100_000]
    let highest = min(max(highest, 0), 1e9)
    var step = steps.first { highest <= Double(4 * $0) } ?? 100_000
    while highest > Double(4 * step) { step *= 2 }
    let count = max(2, Int((highest / Double(step)).rounded(.up)))
    self.step = step
    top = step * count
  }

  /// From the top down to zero: `15k`, `10k`, `5k`, `0`.
  var labels: [String] { stride(from: top, through: 0, by: -step).map(Axis.short) }

  /// Height of a value in the plot, 0 at the top and 100 at the base.
  func y(_ value: Double) -> Double { 100 - 100 * min(max(value, 0), Double(top)) / Double(top) }

  private static func short(_ value: Int) -> String {
    guard value >= 1_000 else { return String(value) }
    let (whole, hundreds) = (value / 1_000, value % 1_000 / 100)
    return hundreds == 0 ? "\(whole)k" : "\(whole).\(hundreds)k"
  }
}
