import Activity
import Phones

/// The words behind `stepwell simulate`.
struct SimulateQuestion {
  struct Fault: Error {
    let message: String
  }

  private(set) var server = ""
  private(set) var token = ""
  private(set) var trust: String?
  private(set) var scenario: Scenario?
  private(set) var seed: UInt64?
  private(set) var until: Instant?
  /// Hours between two passes.
  private(set) var step = 24
  private(set) var queue: String?
  /// Seconds of the phone's life in a second of ours; nil: as fast as it goes.
  private(set) var speed: Double?
  /// One pass at the end instead of many.
  private(set) var isOnce = false
  /// Seconds to go on trying when the server does not take what is sent.
  private(set) var patience = 120
  private var isReal = false

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--once": isOnce = true
      case "--really": isReal = true
      default:
        guard let value = rest.popFirst() else { throw Fault(message: "\(word) needs a value") }
        try set(word, value)
      }
    }
    guard !token.isEmpty else { throw Fault(message: "with which token? --token swu_…") }
    guard scenario != nil else { throw Fault(message: "which scenario? \(Self.names)") }
    guard let origin = Origin(server) else { throw Fault(message: "which server? --server https://localhost:8443") }
    server = origin.text
    guard isReal || Self.isLoopback(origin.host) else {
      throw Fault(
        message:
          "\(origin.host) is not this machine, and these steps were walked by nobody. Say --really to send them there.")
    }
    if let seed { scenario?.seed = seed }
  }

  private mutating func set(_ option: String, _ value: String) throws(Fault) {
    switch option {
    case "--server": server = value
    case "--token": token = value
    case "--trust": trust = value
    case "--queue": queue = value
    case "--scenario":
      guard let found = Scenario.named(value) else { throw Fault(message: "\(value) is no scenario. \(Self.names)") }
      scenario = found
    case "--seed":
      guard let number = UInt64(value) else { throw Fault(message: "--seed needs a whole number") }
      seed = number
    case "--until":
      guard let instant = Instant(utc: value) else {
        throw Fault(message: "--until needs an instant, 2026-11-26T16:00:00Z")
      }
      until = instant
    case "--step":
      guard let hours = Self.hours(value) else { throw Fault(message: "--step needs days or hours: 1d, 6h") }
      step = hours
    case "--speed":
      guard let factor = Double(value), factor.isFinite, factor > 0 else {
        throw Fault(message: "--speed needs a number: 3600 is an hour a second")
      }
      speed = factor
    case "--patience":
      guard let seconds = Int(value), seconds >= 0 else { throw Fault(message: "--patience needs seconds") }
      patience = seconds
    default: throw Fault(message: "\(option) is not known")
    }
  }

  private static let names = "There are: \(Scenario.all.map(\.name).joined(separator: ", ")), streak-N."

  /// `1d`, `6h`.
  private static func hours(_ text: String) -> Int? {
    guard let number = Int(text.dropLast()), (1...10_000).contains(number) else { return nil }
    switch text.last {
    case "d": return number * 24
    case "h": return number
    default: return nil
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return host == "localhost" || host == "[::1]" || parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
  }
}

extension Instant {
  /// `2025-12-31T12:00:00Z`.
  init?(utc text: some StringProtocol) {
    let parts = text.split(separator: "T")
    guard parts.count == 2, parts[1].last == "Z", let day = CivilDay(iso: parts[0]) else { return nil }
    let clock = parts[1].dropLast().split(separator: ":").map { Int($0) ?? -1 }
    guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0..<60).contains(clock[2])
    else { return nil }
    self.init(seconds: Int64(day.number) * 86_400 + Int64(clock[0] * 3600 + clock[1] * 60 + clock[2]))
  }

  /// To the second, as `init(utc:)` reads it.
  var utc: String {
    let day = CivilDay(number: Int32(clamping: (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400))
    let clock = seconds - Int64(day.number) * 86_400
    let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(day.iso)T\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))Z"
  }
}
