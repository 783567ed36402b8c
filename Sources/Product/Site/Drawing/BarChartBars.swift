import Bytes
import Templates

extension BarChart {
  /// Columns are ten units wide. Few columns have slimmer bars, so that a week does not look like a wall.
  private var barWidth: Double { columns.count > 8 ? 6.8 : 3.6 }

  private var cornerX: Double { 1.4 * min(1, Double(columns.count) / 24) }

  func draw(_ column: Column, at place: Int, _ axis: Axis, into out: inout [UInt8]) {
    let x = Double(place * 10) + (10 - barWidth) / 2
    switch column.bar {
    case .empty: return
    case .missing: return drawMissing(column.title, x, into: &out)
    default: break
    }
    out.append("<g class=\"bg\"><rect class=\"hit\" x=\"")
    out.append(decimal: place * 10)
    out.append("\" width=\"10\" height=\"100\"><title>")
    drawTitle(column.title, into: &out)
    out.append("</title></rect>")
    switch column.bar {
    case .value(let value): drawBar("<rect class=\"bar\" x=\"", x, axis.y(value), 100, into: &out)
    case .partial(let value): drawBar("<rect class=\"bar soft\" x=\"", x, axis.y(value), 100, into: &out)
    case .stacked(let first, let more):
      let middle = axis.y(first)
      drawBar("<rect class=\"bar soft\" x=\"", x, axis.y(first + more), middle, into: &out)
      drawBar("<rect class=\"bar\" x=\"", x, middle, 100, into: &out)
    case .empty, .missing: break
    }
    out.append("</g>")
  }

  private func drawTitle(_ title: Column.Title, into out: inout [UInt8]) {
    switch title {
    case .words(let words): out.append(escaped: words)
    case .day(let day, let steps, let words): words.append(day, steps: steps, to: &out)
    }
  }

  private func drawMissing(_ title: Column.Title, _ x: Double, into out: inout [UInt8]) {
    out.append("<g class=\"bg\"><rect class=\"b-miss\" x=\"")
    out.append(hundredths: x)
    out.append("\" y=\"2\" width=\"")
    out.append(hundredths: barWidth)
    out.append("\" height=\"96\" vector-effect=\"non-scaling-stroke\"><title>")
    drawTitle(title, into: &out)
    out.append("</title></rect></g>")
  }

  private func drawBar(
    _ start: StaticString, _ x: Double, _ top: Double, _ base: Double, into out: inout [UInt8]
  ) {
    let height = base - top
    guard height >= 0.005 else { return }
    out.append(start)
    out.append(hundredths: x)
    out.append("\" y=\"")
    out.append(hundredths: top)
    out.append("\" width=\"")
    out.append(hundredths: barWidth)
    out.append("\" height=\"")
    out.append(hundredths: height)
    out.append("\" rx=\"")
    out.append(hundredths: cornerX)
    out.append("\" ry=\"")
    out.append(hundredths: min(2.2, height / 2))
    out.append("\"/>")
  }

  // MARK: Lines, each on a halo in the colour of the ground

  func draw(_ line: Line, _ axis: Axis, into out: inout [UInt8]) {
    switch line {
    case .goal(let levels):
      let path = steps(levels, axis)
      guard !path.isEmpty else { return }
      for style in ["ln-halo thin", "ln-goal"] as [StaticString] {
        out.append("<path class=\"")
        out.append(style)
        out.append("\" vector-effect=\"non-scaling-stroke\" d=\"")
        out.append(contentsOf: path)
        out.append("\"/>")
      }
    case .average(let values): drawCurves(values, "ln-halo", "ln-avg", axis, into: &out)
    case .usual(let values): drawCurves(values, "ln-halo thin", "ln-usual", axis, into: &out)
    }
  }

  /// `M0 33.33H70V40H300`: only changes are written.
  private func steps(_ levels: [Double?], _ axis: Axis) -> [UInt8] {
    var path: [UInt8] = []
    var last: Double?
    for (place, level) in levels.enumerated() {
      if let level {
        if last == nil {
          path.append("M")
          path.append(decimal: place * 10)
          path.append(" ")
          path.append(hundredths: axis.y(level))
        } else if last != level {
          path.append("H")
          path.append(decimal: place * 10)
          path.append("V")
          path.append(hundredths: axis.y(level))
        }
      } else if last != nil {
        path.append("H")
        path.append(decimal: place * 10)
      }
      last = level
    }
    if last != nil {
      path.append("H")
      path.append(decimal: levels.count * 10)
    }
    return path
  }

  private func drawCurves(
    _ values: [Double?], _ halo: StaticString, _ style: StaticString, _ axis: Axis, into out: inout [UInt8]
  ) {
    var curves: [[UInt8]] = []
    var isOpen = false
    for (place, value) in values.enumerated() {
      guard let value else {
        isOpen = false
        continue
      }
      if !isOpen { curves.append([]) }
      isOpen = true
      let last = curves.count - 1
      if !curves[last].isEmpty { curves[last].append(UInt8(ascii: " ")) }
      curves[last].append(decimal: place * 10 + 5)
      curves[last].append(UInt8(ascii: ","))
      curves[last].append(hundredths: axis.y(value))
    }
    for kind in [halo, style] {
      for points in curves {
        out.append("<polyline class=\"")
        out.append(kind)
        out.append("\" vector-effect=\"non-scaling-stroke\" points=\"")
        out.append(contentsOf: points)
        out.append("\"/>")
      }
    }
  }
}
