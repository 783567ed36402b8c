import Activity
import Bytes
import Templates

/// The rings of one day as a picture. Everything that the picture says by shape is said in words by its title, or by the
/// text beside it; then it is hidden from readers.
struct RingPicture: Drawing {
  enum Face: Sendable {
    /// Known values; a ring without one is dashed.
    case rings(Rings)
    /// A known zero in all three.
    case zero
    /// Nothing known about the day.
    case none
    case paused
    /// Not yet.
    case future
  }
  enum Title: Sendable {
    /// The same words stand beside the picture.
    case none
    case words(String)
    /// The short sentence about the rings of a day.
    case short(DayEntry, Words)
  }
  let size: RingSize
  let face: Face
  let title: Title

  func draw(into out: inout [UInt8]) {
    out.append("<svg class=\"rings r-")
    out.append(size.name)
    switch title {
    case .none: out.append("\" aria-hidden=\"true\" viewBox=\"")
    case .words, .short: out.append("\" role=\"img\" viewBox=\"")
    }
    out.append(size.viewBox)
    out.append("\" focusable=\"false\">")
    drawTitle(into: &out)
    drawFace(into: &out)
    out.append("</svg>")
  }

  private func drawTitle(into out: inout [UInt8]) {
    switch title {
    case .none: return
    case .words(let words):
      out.append("<title>")
      out.append(escaped: words)
    case .short(let entry, let words):
      out.append("<title>")
      words.append(ringsOf: entry, to: &out)
    }
    out.append("</title>")
  }

  private func drawFace(into out: inout [UInt8]) {
    switch face {
    case .rings(let rings):
      draw(rings.move, ring: 0, into: &out)
      draw(rings.exercise, ring: 1, into: &out)
      draw(rings.stand, ring: 2, into: &out)
      if isLarge { drawGlyphs(of: rings, into: &out) }
    case .zero: for ring in 0..<3 { drawZero(ring, into: &out) }
    case .none: drawNone(into: &out)
    case .paused: drawPaused(into: &out)
    case .future: out.append("<circle class=\"rg-fut\" r=\"1.4\"/>")
    }
  }

  private var isSmall: Bool { size.width < 4 }
  private var isLarge: Bool { size.width > 10 }

  private func draw(_ known: Ring?, ring: Int, into out: inout [UInt8]) {
    guard let known else { return drawUnknown(ring, into: &out) }
    let fraction = known.fraction
    if isSmall { return ArcTable.small.append(fraction, isClosed: known.closed, ring: ring, to: &out) }
    if fraction <= 0 { return drawZero(ring, into: &out) }
    drawTrack(ring, into: &out)
    if known.closed || fraction >= 1 {
      drawCircle(ring, into: &out)
      drawTip(fraction, ring, into: &out)
    } else {
      drawArc(fraction, ring, into: &out)
    }
  }

  func drawTrack(_ ring: Int, into out: inout [UInt8]) {
    out.append(RingPicture.trackStart[ring])
    drawSize(ring, into: &out)
  }

  func drawCircle(_ ring: Int, into out: inout [UInt8]) {
    out.append(RingPicture.circleStart[ring])
    drawSize(ring, into: &out)
  }

  private func drawSize(_ ring: Int, into out: inout [UInt8]) {
    out.append(size.radiusText[ring])
    out.append("\" stroke-width=\"")
    out.append(size.widthText)
    out.append("\"/>")
  }

  func drawArc(_ fraction: Double, _ ring: Int, into out: inout [UInt8]) {
    beginArc(ring, into: &out)
    out.append(
      arcFrom: 0, to: 2 * .pi * size.sweep(fraction, ring: ring), radius: size.radii[ring],
      radiusText: size.radiusText[ring])
    out.append("\"/>")
  }

  private func beginArc(_ ring: Int, into out: inout [UInt8]) {
    out.append(RingPicture.arcStart[ring])
    out.append(size.widthText)
    out.append("\" d=\"")
  }

  /// Beyond the goal the tip lies on top of the full circle: five strokes of the ring's own width shade the ground under
  /// its head, then the head itself. The same width on the same radius cannot leave the band.
  private func drawTip(_ fraction: Double, _ ring: Int, into out: inout [UInt8]) {
    let beyond = fraction.truncatingRemainder(dividingBy: 1)
    guard fraction > 1.005, beyond.isFinite else { return }
    let angle = 2 * .pi * beyond
    let radius = size.radii[ring]
    for (reach, opacity) in RingPicture.shades {
      out.append("<path class=\"rsh\" stroke-width=\"")
      out.append(size.widthText)
      out.append("\" stroke-opacity=\"")
      out.append(opacity)
      out.append("\" d=\"")
      out.append(
        arcFrom: angle - 0.05, to: angle + size.width * reach * 1.25 / radius, radius: radius,
        radiusText: size.radiusText[ring])
      out.append("\"/>")
    }
    beginArc(ring, into: &out)
    out.append(arcFrom: angle - 1, to: angle, radius: radius, radiusText: size.radiusText[ring])
    out.append("\"/>")
  }

  func drawZero(_ ring: Int, into out: inout [UInt8]) {
    drawTrack(ring, into: &out)
    out.append(RingPicture.dotStart[ring])
    out.append(size.dotPlaces[ring])
    out.append("\" r=\"")
    out.append(size.dotRadius)
    out.append("\"/>")
  }

  private func drawUnknown(_ ring: Int, into out: inout [UInt8]) {
    out.append("<circle class=\"rg-miss\" r=\"")
    out.append(size.radiusText[ring])
    out.append("\" stroke-width=\"")
    out.append(size.dashWidth)
    out.append("\" stroke-dasharray=\"")
    out.append(size.dashes[ring])
    out.append("\"/>")
  }

  private func drawNone(into out: inout [UInt8]) {
    for ring in 0..<(isSmall ? 1 : 3) { drawUnknown(ring, into: &out) }
    if isLarge { out.append("<path class=\"rg-missx\" d=\"M-10 0H10\"/>") }
  }

  private func drawPaused(into out: inout [UInt8]) {
    if isSmall {
      out.append("<circle class=\"rg-pause\" r=\"13.7\" stroke-width=\"2.2\"/>")
      return out.append("<path class=\"rg-pbar\" stroke-width=\"1.9\" d=\"M-2.1 -4V4M2.1 -4V4\"/>")
    }
    for ring in 0..<3 {
      out.append("<circle class=\"rg-pause\" r=\"")
      drawSize(ring, into: &out)
    }
    out.append(
      isLarge
        ? "<path class=\"rg-pbar\" stroke-width=\"7\" d=\"M-8 -14V14M8 -14V14\"/>"
        : "<path class=\"rg-pbar\" stroke-width=\"2.2\" d=\"M-2.6 -4.6V4.6M2.6 -4.6V4.6\"/>")
  }

  private func drawGlyphs(of rings: Rings, into out: inout [UInt8]) {
    for (ring, known) in [rings.move, rings.exercise, rings.stand].enumerated() {
      if let known, known.fraction > 0.03 { out.append(RingPicture.glyphs[ring]) }
    }
  }
}

extension RingPicture {
  fileprivate static let trackStart: [StaticString] = [
    "<circle class=\"tr tr-m\" r=\"", "<circle class=\"tr tr-e\" r=\"", "<circle class=\"tr tr-s\" r=\"",
  ]
  fileprivate static let circleStart: [StaticString] = [
    "<circle class=\"rg rg-m\" r=\"", "<circle class=\"rg rg-e\" r=\"", "<circle class=\"rg rg-s\" r=\"",
  ]
  fileprivate static let arcStart: [StaticString] = [
    "<path class=\"rg rg-m\" stroke-width=\"", "<path class=\"rg rg-e\" stroke-width=\"",
    "<path class=\"rg rg-s\" stroke-width=\"",
  ]
  fileprivate static let dotStart: [StaticString] = [
    "<circle class=\"rz rz-m\" cy=\"", "<circle class=\"rz rz-e\" cy=\"", "<circle class=\"rz rz-s\" cy=\"",
  ]
  fileprivate static let shades: [(Double, StaticString)] = [
    (0.40, "0.05"), (0.32, "0.06"), (0.24, "0.08"), (0.16, "0.09"), (0.08, "0.11"),
  ]
  /// Flame, stopwatch, person: 24-unit icons scaled by .54 and centred on the start of each large ring.
  fileprivate static let glyphs: [StaticString] = [
    """
    <g class="rico ri-m" transform="translate(-6.5 -94.5) scale(.54)"><path d="M12 3c.6 3.4 5.5 5.6 5.5 10.5A5.5 5.5 0 0 1 \
    12 19.5a5.5 5.5 0 0 1-5.5-6c0-2 1-3.3 2.2-4.4.3 1.5 1 2.3 1.9 2.6C10.3 8.5 10.6 5.5 12 3z"/></g>
    """,
    """
    <g class="rico ri-e" transform="translate(-6.5 -71) scale(.54)"><circle cx="12" cy="13.5" r="7"/><path d="M12 13.5v-4M9.5 \
    3h5M17.5 6.5 19 8"/></g>
    """,
    """
    <g class="rico ri-s" transform="translate(-6.5 -47.5) scale(.54)"><circle cx="12" cy="4.8" r="1.9"/><path d="M12 9v6.5M8 \
    10.5c1.3-.9 2.6-1.4 4-1.4s2.7.5 4 1.4M9.8 20.5l1-5h2.4l1 5"/></g>
    """,
  ]
}
