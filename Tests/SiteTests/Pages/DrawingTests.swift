import Activity
import Foundation
import Templates
import Testing

@testable import Site

struct DrawingTests {
  private func rings(_ move: Double?, _ exercise: Double? = 1, _ stand: Double? = 1) -> Rings {
    func value(_ fraction: Double?) -> RingValue? { fraction.map { RingValue(value: $0 * 100, goal: 100) } }
    return Rings(
      ActivitySummary(
        day: MockYear.today, moveMode: .energy, move: value(move), exercise: value(exercise), stand: value(stand)))
  }

  private func svg(_ face: RingPicture.Face, _ size: RingSize = .large) -> String {
    var out: [UInt8] = []
    RingPicture(size: size, face: face, title: .none).draw(into: &out)
    return String(decoding: out, as: UTF8.self)
  }

  @Test("what a device counted is not covered by what it counted a second time")
  func lane() throws {
    var out: [UInt8] = []
    let halves = [DeviceLane.Stretch.Kind.first, .hidden].map { DeviceLane.Stretch(start: 0.25, end: 0.5, kind: $0) }
    DeviceLane(title: "Watch", stretches: halves).draw(into: &out)
    let svg = String(decoding: out, as: UTF8.self)
    let (counted, hidden) = (try #require(svg.range(of: "sg-w")), try #require(svg.range(of: "sg-o")))
    #expect(counted.lowerBound > hidden.lowerBound)
  }

  @Test("the sweep grows with the value and leaves a gap until the goal is reached")
  func sweep() {
    for size in [RingSize.large, .medium, .small] {
      for ring in 0..<3 {
        let most = 1 - (size.width + size.gap) / (2 * .pi * size.radii[ring])
        var last = 0.0
        for step in 1..<1000 {
          let sweep = size.sweep(Double(step) / 1000, ring: ring)
          #expect(sweep >= last && sweep <= max(most, 0.004) + 1e-9)
          last = sweep
        }
      }
    }
    #expect(RingSize.large.sweep(0.5, ring: 0) == 0.5)
    #expect(RingSize.large.sweep(1e-9, ring: 0) == 0.004)
  }

  @Test("an open ring is an arc, a closed one a circle, one beyond has a tip with its shade")
  func states() {
    #expect(
      svg(.rings(rings(0.5))).contains("<path class=\"rg rg-m\" stroke-width=\"20\" d=\"M0 -88A88 88 0 0 1 0 88\"/>"))
    #expect(svg(.rings(rings(0.9999))).contains("<path class=\"rg rg-m\""))
    let closed = svg(.rings(rings(1)))
    #expect(closed.contains("<circle class=\"rg rg-m\"") && !closed.contains("rsh"))
    let beyond = svg(.rings(rings(1.37)))
    #expect(beyond.ranges(of: "class=\"rsh\"").count == 5)
    #expect(!svg(.rings(rings(1.37)), .small).contains("rsh"))
  }

  @Test("zero is a dot, unknown is dashed, a pause has two bars, the future is a speck")
  func others() {
    #expect(svg(.rings(rings(0))).contains("<circle class=\"rz rz-m\" cy=\"-88\" r=\"6\"/>"))
    let phone = svg(.rings(rings(0.4, nil, nil)))
    #expect(phone.contains("class=\"rg rg-m\"") && phone.ranges(of: "rg-miss").count == 2)
    #expect(svg(.none).contains("rg-missx") && svg(.none, .small).ranges(of: "rg-miss").count == 1)
    #expect(svg(.paused, .medium).contains("rg-pbar"))
    #expect(svg(.future, .small).contains("rg-fut"))
    #expect(svg(.zero, .small).ranges(of: "class=\"rz").count == 3)
  }

  @Test("small arcs come from the table and never look fuller than they are")
  func table() {
    for percent in 1..<100 {
      let picture = svg(.rings(rings(Double(percent) / 100)), .small)
      #expect(picture.contains("<path class=\"rg rg-m\" stroke-width=\"3.6\" d=\"M0 -13.7A13.7 13.7 0 "))
    }
  }

  @Test("absurd values draw something and do not trap", arguments: [1e300, 1e-300, Double.greatestFiniteMagnitude])
  func absurd(value: Double) {
    let summary = ActivitySummary(
      day: MockYear.today, moveMode: .energy, move: RingValue(value: value, goal: 1e-300),
      exercise: RingValue(value: 1, goal: value), stand: RingValue(value: -value, goal: 3))
    #expect(svg(.rings(Rings(summary))).hasSuffix("</svg>"))
    #expect(svg(.rings(Rings(summary)), .small).hasSuffix("</svg>"))
    #expect(Axis(highest: value).top > 0)
  }

  @Test(
    "axes count in round steps, four at most and two at least",
    arguments: [
      (0, ["50", "25", "0"]), (900, ["1k", "750", "500", "250", "0"]), (8_432, ["10k", "7.5k", "5k", "2.5k", "0"]),
      (14_286, ["15k", "10k", "5k", "0"]), (1_728, ["2k", "1.5k", "1k", "500", "0"]),
      (61_000, ["80k", "60k", "40k", "20k", "0"]), (3_735, ["4k", "3k", "2k", "1k", "0"]),
    ] as [(Double, [String])])
  func axis(highest: Double, labels: [String]) {
    #expect(Axis(highest: highest).labels == labels)
  }
}
