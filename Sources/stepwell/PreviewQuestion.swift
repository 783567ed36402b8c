import Activity
import Glibc

/// The words behind `stepwell preview`.
struct PreviewQuestion {
  struct Fault: Error {
    let message: String
  }

  private(set) var path = ""
  private(set) var isFolder = false
  private(set) var zone = ""
  private(set) var weekStart = 0
  private(set) var includeManual = true
  private(set) var streakOn: CivilDay?
  private(set) var receivedAt: Instant?

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--without-manual" {
        includeManual = false
      } else if word.hasPrefix("--") {
        guard let value = rest.popFirst() else { throw Fault(message: "\(word) needs a value") }
        try set(word, value)
      } else {
        guard path.isEmpty else { throw Fault(message: "one folder or file at a time") }
        path = word
      }
    }
    guard !path.isEmpty else { throw Fault(message: "which folder or file?") }
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw Fault(message: "\(path): \(String(cString: strerror(errno)))") }
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
    guard isFolder || !zone.isEmpty else { throw Fault(message: "in which time zone? --zone Europe/Berlin") }
  }

  private mutating func set(_ option: String, _ value: String) throws(Fault) {
    switch option {
    case "--zone": zone = value
    case "--week-start": weekStart = try PreviewQuestion.weekday(value)
    case "--streak-on":
      guard let day = CivilDay(iso: value) else { throw Fault(message: "\(value) is no date") }
      streakOn = day
    case "--received-at":
      guard let instant = Instant(utc: value) else { throw Fault(message: "\(value) is no instant") }
      receivedAt = instant
    default: throw Fault(message: "\(option) is not known")
    }
  }

  private static func weekday(_ text: String) throws(Fault) -> Int {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    if let number = Int(text), (0...6).contains(number) { return number }
    guard let place = names.firstIndex(of: text.lowercased()) else { throw Fault(message: "\(text) is no weekday") }
    return place
  }
}
