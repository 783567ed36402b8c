import Bytes
import Templates

/// The bar under today's steps: how much of the goal is reached.
struct GoalMeter: Drawing {
  /// 0…1 and beyond; full from 1 on.
  let fraction: Double
  let title: String

  func draw(into out: inout [UInt8]) {
    out.append("<svg class=\"meter\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\"><title>")
    out.append(escaped: title)
    out.append("</title><rect class=\"meter-bg\" width=\"100\" height=\"10\" rx=\"1.2\" ry=\"5\"/>")
    if fraction > 0 {
      out.append("<rect class=\"meter-v\" width=\"")
      out.append(hundredths: max(1.2, 100 * min(1, fraction)))
      out.append("\" height=\"10\" rx=\"1.2\" ry=\"5\"/>")
    }
    out.append("</svg>")
  }
}

/// The bar in a row of a list of days; the number stands beside it.
struct RowBar: Drawing {
  /// Of the longest bar in the list; nil when there is no number: nothing is drawn.
  let fraction: Double?

  func draw(into out: inout [UInt8]) {
    guard let fraction else { return }
    out.append(
      """
      <svg class="inbar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">\
      <rect class="bt" width="100" height="8" rx="2" ry="4"/>
      """)
    if fraction > 0 {
      out.append("<rect class=\"bv\" width=\"")
      out.append(hundredths: 100 * min(1, fraction))
      out.append("\" height=\"8\" rx=\"2\" ry=\"4\"/>")
    }
    out.append("</svg>")
  }
}

/// The upright bar of one day in the strip of a week, with the goal as a tick.
struct WeekBar: Drawing {
  /// Of the top of the strip; nil: no bar.
  let fraction: Double?
  /// Where the goal of the day lies; nil on days that have not come.
  let goal: Double?

  func draw(into out: inout [UInt8]) {
    out.append(
      "<svg class=\"wk-b\" viewBox=\"0 0 18 92\" aria-hidden=\"true\"><rect class=\"bt\" x=\"3\" width=\"12\" height=\"92\" rx=\"6\"/>"
    )
    if let fraction, fraction > 0 {
      let height = max(3, 92 * min(1, fraction))
      out.append("<rect x=\"3\" y=\"")
      out.append(hundredths: 92 - height)
      out.append("\" width=\"12\" height=\"")
      out.append(hundredths: height)
      out.append("\" rx=\"")
      out.append(hundredths: min(6, height / 2))
      out.append("\"/>")
    }
    if let goal {
      out.append("<path d=\"M0 ")
      out.append(hundredths: 92 - 92 * min(1, max(0, goal)))
      out.append("H18\"/>")
    }
    out.append("</svg>")
  }
}

/// When one device counted on a day, on the same axis as the hours above it.
struct DeviceLane: Drawing {
  struct Stretch: Sendable {
    enum Kind: Sendable {
      /// Counted by the device that comes first; by another one; not counted since a better one counted the same time.
      case first, other, hidden
    }
    /// Fractions of the day, 0…1.
    let start: Double
    let end: Double
    let kind: Kind
  }
  let title: String
  let stretches: [Stretch]

  func draw(into out: inout [UInt8]) {
    out.append("<svg viewBox=\"0 0 1440 26\" preserveAspectRatio=\"none\" role=\"img\"><title>")
    out.append(escaped: title)
    out.append("</title><rect class=\"lane-bg\" y=\"2\" width=\"1440\" height=\"22\"/>")
    // Sources of one device may have counted the same time: what counted lies on top of what did not.
    for stretch in stretches.filter({ $0.kind == .hidden }) + stretches.filter({ $0.kind != .hidden }) {
      switch stretch.kind {
      case .first: out.append("<rect class=\"sg-w\" x=\"")
      case .other: out.append("<rect class=\"sg-p\" x=\"")
      case .hidden: out.append("<rect class=\"sg-o\" x=\"")
      }
      out.append(hundredths: 1440 * stretch.start)
      out.append("\" y=\"3\" width=\"")
      out.append(hundredths: max(1, 1440 * (stretch.end - stretch.start)))
      out.append("\" height=\"20\" vector-effect=\"non-scaling-stroke\"/>")
    }
    out.append("</svg>")
  }
}
