/// Means over days; only value and zero days count, and each says how many there were.
package enum Averages {
  /// The fewest days that make a mean worth drawing.
  package static let fewest = 4

  /// For each day up to yesterday the mean of the seven days that end with it; nil where fewer than 4 of them have data.
  /// `states` are consecutive days; the six before the first one asked for should be among them.
  package static func sevenDays(_ states: [DayState]) -> [Double?] {
    states.indices.map { place in
      switch states[place] {
      case .partial, .future: return nil
      default: break
      }
      let window = states[max(0, place - 6)...place].compactMap(\.counted)
      return window.count >= fewest ? Double(window.reduce(0, +)) / Double(window.count) : nil
    }
  }
}

/// What a weekday usually looks like: the mean of the last 8 same weekdays with data, from 4 on.
package struct UsualDay: Hashable, Sendable {
  package static let most = 8

  /// Mean of each hour 0…23 by the local clock; a repeated hour counts into its first.
  package let hours: [Double]
  package let total: Double
  /// How many days it rests on.
  package let days: Int

  /// `days`: the hours of earlier same weekdays with data, newest first. Nil with fewer than 4.
  package init?(_ days: [[Slot]]) {
    let used = days.prefix(UsualDay.most)
    guard used.count >= Averages.fewest else { return nil }
    var hours = [Double](repeating: 0, count: 24)
    for slot in used.joined() where hours.indices.contains(Int(slot.hour)) { hours[Int(slot.hour)] += slot.share }
    self.hours = hours.map { $0 / Double(used.count) }
    total = self.hours.reduce(0, +)
    self.days = used.count
  }

  /// "By this time you usually have": all full hours before and the part of the running one.
  package func soFar(hour: Int, minute: Int) -> Double {
    let running = hours.indices.contains(hour) ? hours[hour] * Double(min(max(minute, 0), 60)) / 60 : 0
    return hours.prefix(max(0, hour)).reduce(0, +) + running
  }
}
