/// The arcs of small rings, drawn once. A year has a thousand of them; at 27 px a step of 1/512 of the circle is not
/// seen. Fractions are rounded down, so that no ring looks fuller than it is.
struct ArcTable: Sendable {
  private static let steps = 512
  static let small = ArcTable(.small)

  private let bytes: [UInt8]
  private let ends: [Int]

  private init(_ size: RingSize) {
    var bytes: [UInt8] = []
    var ends: [Int] = [0]
    for ring in 0..<3 {
      for step in 0..<Self.steps {
        let sweep = size.sweep(max(Double(step) / Double(Self.steps), 1e-9), ring: ring)
        bytes.append(arcFrom: 0, to: 2 * .pi * sweep, radius: size.radii[ring], radiusText: size.radiusText[ring])
        ends.append(bytes.count)
      }
    }
    self.bytes = bytes
    self.ends = ends
  }

  /// Appends the path data of a ring whose fraction is in 0..<1.
  func append(_ fraction: Double, ring: Int, to out: inout [UInt8]) {
    let step = min(Self.steps - 1, max(0, Int(fraction * Double(Self.steps))))
    let place = ring * Self.steps + step
    out.append(contentsOf: bytes[ends[place]..<ends[place + 1]])
  }
}
