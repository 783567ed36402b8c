import Bytes

/// Small rings, drawn once: track and dot, arc or circle for every step of the way. A year has a thousand of them; at 27 px
/// a step of 1/256 of the circle is a third of a pixel. Fractions are rounded down, so that no ring looks fuller than it
/// is. A constant of the program: 100 KB.
struct ArcTable: Sendable {
  private static let steps = 256
  static let small = ArcTable()

  private let bytes: [UInt8]
  /// For each ring the end of its zero, of its arcs by step and of its circle.
  private let ends: [Int]

  private init() {
    let picture = RingPicture(size: .small, face: .none, title: .none)
    var bytes: [UInt8] = []
    var ends: [Int] = [0]
    for ring in 0..<3 {
      picture.drawZero(ring, into: &bytes)
      ends.append(bytes.count)
      for step in 0..<Self.steps {
        picture.drawTrack(ring, into: &bytes)
        picture.drawArc(max(Double(step) / Double(Self.steps), 1e-9), ring, into: &bytes)
        ends.append(bytes.count)
      }
      picture.drawTrack(ring, into: &bytes)
      picture.drawCircle(ring, into: &bytes)
      ends.append(bytes.count)
    }
    self.bytes = bytes
    self.ends = ends
  }

  func append(_ fraction: Double, isClosed: Bool, ring: Int, to out: inout [UInt8]) {
    let step =
      fraction <= 0
      ? 0
      : isClosed || fraction >= 1 ? Self.steps + 1 : 1 + min(Self.steps - 1, Int(fraction * Double(Self.steps)))
    let place = ring * (Self.steps + 2) + step
    out.append(contentsOf: bytes[ends[place]..<ends[place + 1]])
  }
}
