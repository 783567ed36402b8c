/// What counts steps on a simulated person.
package enum Device: Int, Hashable, Sendable, CaseIterable {
  case watch, phone, app, hand

  /// As the phone names the source.
  package func sourceName(of owner: String) -> String {
    switch self {
    case .watch: "\(owner)’s Apple\u{a0}Watch"
    case .phone: "\(owner)’s iPhone"
    case .app: "Stride"
    case .hand: "Health"
    }
  }

  package var sourceVersion: String {
    switch self {
    case .watch: "11.5"
    case .phone, .hand: "18.5"
    case .app: "4.2.0"
    }
  }

  /// HealthKit's product type; nil for what is no device of Apple's.
  package var productType: String? {
    switch self {
    case .watch: "Watch7,1"
    case .phone: "iPhone15,2"
    case .app, .hand: nil
    }
  }

  package var bundle: String {
    switch self {
    case .watch: "com.apple.health.5EED0000-0000-4000-8000-00000000000A"
    case .phone: "com.apple.health.5EED0000-0000-4000-8000-00000000000B"
    case .app: "com.example.stride"
    case .hand: "com.apple.Health"
    }
  }

  /// The description that an export carries; nil where it has none.
  var description: String? {
    switch self {
    case .watch:
      "<<HKDevice: 0x301a45c00>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, "
        + "software:11.5, creation date:2024-09-20 07:12:00 +0000>"
    case .phone:
      "<<HKDevice: 0x301a45d40>, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:18.5>"
    case .app, .hand: nil
    }
  }
}
