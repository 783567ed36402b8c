import Glibc

/// Tests have two lengths: the short one of `make test`, and the long one of `make soak` (STEPWELL_SOAK=1).
package enum Soak {
  package static let isOn = getenv("STEPWELL_SOAK") != nil

  /// How often a test does what it does: `short` in every run, `long` in a soak.
  package static func times(_ short: Int, _ long: Int) -> Int { isOn ? long : short }
}
