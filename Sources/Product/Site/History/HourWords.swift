import Activity

/// Texts of hours.
package enum HourText: String, TextKeys {
  case range = "hours.range"
  case column = "hours.column"
  case title = "hours.title"
  case descriptionToday = "hours.descriptionToday"
  case busiest = "hours.busiest"
  case with = "hours.with"
  case nothing = "hours.nothing"
  case usualLine = "hours.usualLine"
  case reached = "hours.reached"
}

extension Words {
  /// `07:00–08:00`; the hour that a change of the clock repeats is `02:00b–03:00b`.
  func hours(_ slot: Slot) -> String {
    let (from, to) = ends(slot)
    return text(HourText.range, ("from", from), ("to", to))
  }

  /// `07:00 to 08:00: 842 steps`.
  func column(_ slot: Slot) -> String {
    let (from, to) = ends(slot)
    return text(HourText.column, ("from", from), ("to", to), ("steps", count(CountText.steps, shownSteps(slot.share))))
  }

  private func ends(_ slot: Slot) -> (String, String) {
    let mark = String(slot.label.dropFirst(2))
    let end = (Int(slot.hour) + 1) % 25
    return (slot.label.prefix(2) + ":00" + mark, twoDigits(end) + ":00" + mark)
  }

  /// `Busiest hours: 16:00 with 1,728, 12:00 with 1,486 and 8:00 with 1,310 steps.`; nil when nothing was walked.
  func busiest(_ slots: [Slot]) -> String? {
    let best = slots.filter { shownSteps($0.share) > 0 }.sorted { $0.share > $1.share }.prefix(3)
    guard !best.isEmpty else { return nil }
    let parts = best.map { slot in
      text(HourText.with, ("hour", ends(slot).0), ("n", number(shownSteps(slot.share))))
    }
    return text(HourText.busiest, ("hours", list(parts)))
  }

  /// `a, b and c`.
  func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return text(CountText.and, ("some", items.dropLast().joined(separator: ", ")), ("last", last))
  }

  /// `reached between 15:00 and 16:00`: hours are what is stored, so that no minute is claimed.
  func goalReached(_ slots: [Slot], goal: Double) -> String? {
    var sum = 0.0
    for slot in slots {
      sum += slot.share
      if sum + 1e-6 >= goal, slot.share > 0 {
        let (from, to) = ends(slot)
        return text(HourText.reached, ("from", from), ("to", to))
      }
    }
    return nil
  }
}

/// Where the hours of a chart are named.
func hourLabels(_ slots: [Slot]) -> BarChart.Labels {
  if slots.count == 24, slots.allSatisfy({ $0.turn == 0 && $0.length == 3600 }) {
    return .spread(["0:00", "6:00", "12:00", "18:00", "24:00"])
  }
  return .each(slots.map { slot in String(slot.hour) + slot.label.dropFirst(2) })
}

/// Texts that count something.
package enum CountText: String, TextKeys {
  case steps = "count.steps"
  case days = "count.days"
  case daysWithData = "count.daysWithData"
  case ofDays = "count.ofDays"
  case mean = "count.mean"
  case and = "count.and"
  case fromTo = "count.fromTo"
}
