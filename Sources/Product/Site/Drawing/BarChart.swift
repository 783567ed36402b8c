import Activity
import Bytes
import Templates

/// Columns over days or hours with their axes. The SVG holds only the plot and stretches to the card; axes are real text
/// that does not shrink on phones, hidden from readers, who have the table or list beside the chart.
struct BarChart: Drawing {
  struct Column: Sendable {
    enum Bar: Sendable {
      /// Not yet, or nothing to say.
      case empty
      case missing
      case value(Double)
      /// A day or hour that is not over.
      case partial(Double)
      /// Stacked: what the best device counted, and what others added on top.
      case stacked(Double, Double)
    }
    enum Title: Sendable {
      case words(String)
      /// `Sun 22 Nov: 14,286 steps`.
      case day(CivilDay, steps: Int, Words)
    }
    let bar: Bar
    let title: Title

    init(bar: Bar, title: String) {
      self.bar = bar
      self.title = .words(title)
    }

    init(bar: Bar, day: CivilDay, steps: Int, words: Words) {
      self.bar = bar
      title = .day(day, steps: steps, words)
    }
  }

  enum Line: Sendable {
    /// A level for each column, nil where there is none: a dotted line in steps.
    case goal([Double?])
    /// A curve through the middles, broken where a value is nil.
    case average([Double?])
    case usual([Double?])
  }

  /// Distinguishes the charts of one page.
  let id: StaticString
  let title: String
  let description: String
  let columns: [Column]
  var lines: [Line] = []
  let labels: Labels
  /// `h-s`, `h-l` or nothing: how high the stylesheet makes the plot.
  var heightClass: StaticString?

  enum Labels: Sendable {
    /// One under each column; every seventh stays on phones when there are many.
    case each([String])
    /// Spread evenly from the left edge to the right one.
    case spread([String])
  }

  func draw(into out: inout [UInt8]) {
    let axis = Axis(highest: highest)
    out.append("<div class=\"plot")
    if let heightClass { out.append(" "); out.append(heightClass) }
    out.append("\"><svg class=\"plot-svg\" viewBox=\"0 0 ")
    out.append(decimal: columns.count * 10)
    out.append(" 100\" preserveAspectRatio=\"none\" role=\"img\" aria-labelledby=\"")
    out.append(id)
    out.append("-t ")
    out.append(id)
    out.append("-d\">")
    drawNames(into: &out)
    drawGrid(axis, into: &out)
    for (place, column) in columns.enumerated() { draw(column, at: place, axis, into: &out) }
    for line in lines { draw(line, axis, into: &out) }
    out.append("</svg><ol class=\"yax\" aria-hidden=\"true\">")
    for label in axis.labels {
      out.append("<li>")
      out.append(escaped: label)
      out.append("</li>")
    }
    out.append("</ol></div>")
    drawLabels(into: &out)
  }

  /// Goal and usual line belong to the picture: the axis must reach them.
  private var highest: Double {
    var highest = 0.0
    for column in columns {
      switch column.bar {
      case .empty, .missing: break
      case .value(let value), .partial(let value): highest = max(highest, value)
      case .stacked(let one, let other): highest = max(highest, one + other)
      }
    }
    for line in lines {
      switch line {
      case .goal(let values), .usual(let values), .average(let values):
        for case let value? in values { highest = max(highest, value) }
      }
    }
    return highest
  }

  private func drawNames(into out: inout [UInt8]) {
    out.append("<title id=\"")
    out.append(id)
    out.append("-t\">")
    out.append(escaped: title)
    out.append("</title><desc id=\"")
    out.append(id)
    out.append("-d\">")
    out.append(escaped: description)
    out.append("</desc>")
  }

  private func drawGrid(_ axis: Axis, into out: inout [UInt8]) {
    for value in stride(from: 0, through: axis.top, by: axis.step) {
      out.append(value == 0 ? "<path class=\"gridl base\" d=\"M0 " : "<path class=\"gridl\" d=\"M0 ")
      out.append(hundredths: axis.y(Double(value)))
      out.append("H")
      out.append(decimal: columns.count * 10)
      out.append("\" vector-effect=\"non-scaling-stroke\"/>")
    }
  }

  private func drawLabels(into out: inout [UInt8]) {
    let (texts, isEach) =
      switch labels {
      case .each(let texts): (texts, true)
      case .spread(let texts): (texts, false)
      }
    let isMany = isEach && texts.count > 8
    out.append(isEach ? (isMany ? "<div class=\"xax many\"" : "<div class=\"xax\"") : "<div class=\"xax spread\"")
    out.append(" aria-hidden=\"true\">")
    for (place, text) in texts.enumerated() {
      out.append(isMany && place % 7 == 0 ? "<span class=\"k\">" : "<span>")
      out.append(escaped: text)
      out.append("</span>")
    }
    out.append("</div>")
  }
}
