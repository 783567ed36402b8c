import Bytes
import Glibc

/// Points on a circle around the origin: y points down, 0 is 12 o'clock, angles grow clockwise.
extension [UInt8] {
  mutating func append(pointAt angle: Double, radius: Double) {
    append(hundredths: radius * sin(angle))
    append(UInt8(ascii: " "))
    append(hundredths: -radius * cos(angle))
  }

  /// `M… A…` from one angle to another; less than a full turn.
  mutating func append(arcFrom start: Double, to end: Double, radius: Double, radiusText: StaticString) {
    append("M")
    append(pointAt: start, radius: radius)
    append("A")
    append(radiusText)
    append(" ")
    append(radiusText)
    append(end - start > .pi ? " 0 1 1 " : " 0 0 1 ")
    append(pointAt: end, radius: radius)
  }
}
