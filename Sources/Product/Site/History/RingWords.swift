import Activity
import Bytes
import Templates

/// Texts of rings.
package enum RingText: String, TextKeys {
  case short = "rings.short"
  case long = "rings.long"
  case of = "rings.of"
  case none = "rings.none"
  case paused = "rings.paused"
  case unknown = "rings.unknown"
  case kilocaloriesLong = "rings.kilocaloriesLong"
  case minutesLong = "rings.minutesLong"
  case hoursLong = "rings.hoursLong"
}

extension Words {
  func ringName(_ kind: RingKind, _ mode: MoveMode) -> String {
    ringNames[mode == .minutes && kind == .move ? 3 : kind.rawValue]
  }

  func ringUnit(_ kind: RingKind, _ mode: MoveMode) -> String {
    ringUnits[mode == .minutes && kind == .move ? 3 : kind.rawValue]
  }

  func ringUnitLong(_ kind: RingKind, _ mode: MoveMode) -> String {
    switch kind {
    case .move: text(mode == .minutes ? RingText.minutesLong : .kilocaloriesLong)
    case .exercise: text(RingText.minutesLong)
    case .stand: text(RingText.hoursLong)
    }
  }

  /// `Move 82 %, Exercise 113 %, Stand 75 %`; `Paused`; `no ring data`.
  func ringsShort(_ entry: DayEntry) -> String {
    let known = entry.knownRings.map(ringsShort)
    if entry.isPaused { return [text(RingText.paused), known].compactMap { $0 }.joined(separator: ", ") }
    return known ?? text(RingText.none)
  }

  func ringsShort(_ rings: Rings) -> String {
    var sentence = ""
    for kind in RingKind.allCases {
      guard let ring = rings[kind] else { continue }
      if !sentence.isEmpty { sentence += ", " }
      sentence += text(
        RingText.short, ("ring", ringName(kind, rings.moveMode)), ("percent", percent(ring.percent)))
    }
    return sentence
  }

  /// The same straight into a page. The order of name and number is that of `rings.short` in languages so far.
  func append(ringsOf entry: DayEntry, to out: inout [UInt8]) {
    guard !entry.isPaused, let rings = entry.knownRings else { return out.append(escaped: ringsShort(entry)) }
    var isFirst = true
    for kind in RingKind.allCases {
      guard let ring = rings[kind] else { continue }
      if !isFirst { out.append(", ") }
      isFirst = false
      out.append(contentsOf: ringStarts[rings.moveMode == .minutes && kind == .move ? 3 : kind.rawValue])
      append(ring.percent, to: &out)
      out.append(contentsOf: percentEnd)
    }
  }

  /// `Move 412 of 500 kilocalories, 82 %. Exercise …`
  func ringsLong(_ rings: Rings) -> String {
    RingKind.allCases.compactMap { kind in
      rings[kind].map { ring in
        text(
          RingText.long, ("ring", ringName(kind, rings.moveMode)), ("value", number(floored: ring.value)),
          ("goal", number(rounded: ring.goal)), ("unit", ringUnitLong(kind, rings.moveMode)),
          ("percent", percent(ring.percent)))
      }
    }.joined(separator: " ")
  }
}

/// The rings of a day in words and numbers, beside the large picture.
struct RingLegendRow: PageModel {
  let isMove: Bool
  let isExercise: Bool
  let isStand: Bool
  let name: String
  let value: String
  /// ` / 500 kcal`, and the same for those who listen.
  let goal: String?
  let spoken: String
  let percent: String?

  init(_ kind: RingKind, of rings: Rings, words: Words) {
    (isMove, isExercise, isStand) = (kind == .move, kind == .exercise, kind == .stand)
    name = words.ringName(kind, rings.moveMode)
    guard let ring = rings[kind] else {
      value = words.none
      goal = nil
      spoken = words.text(RingText.unknown)
      percent = nil
      return
    }
    value = words.number(floored: ring.value)
    let goalNumber = words.number(rounded: ring.goal)
    goal = goalNumber + " " + words.ringUnit(kind, rings.moveMode)
    spoken = words.text(RingText.of, ("goal", goalNumber), ("unit", words.ringUnitLong(kind, rings.moveMode)))
    percent = words.percent(ring.percent)
  }

  static func rows(of rings: Rings, words: Words) -> [RingLegendRow] {
    RingKind.allCases.map { RingLegendRow($0, of: rings, words: words) }
  }

  static let fields = Fields<RingLegendRow>(
    .flag("isMove", \.isMove), .flag("isExercise", \.isExercise), .flag("isStand", \.isStand), .text("name", \.name),
    .text("value", \.value), .text("goal", \.goal), .text("spoken", \.spoken), .text("percent", \.percent))
}

/// The card with the large rings of one day.
struct RingCard: PageModel {
  let note: String?
  let isAllClosed: Bool
  let picture: RingPicture
  let rows: [RingLegendRow]
  let hasRows: Bool
  /// Below a picture that has no values to list.
  let remark: String?

  init(_ entry: DayEntry, note: String?, missing: RingCardText, words: Words) {
    self.note = note
    let rings = entry.knownRings
    isAllClosed = rings?.allClosed == true && !entry.isPaused
    rows = rings.map { RingLegendRow.rows(of: $0, words: words) } ?? []
    hasRows = !rows.isEmpty
    let title: String
    if entry.isPaused {
      title = words.text(RingText.paused)
      remark = words.text(RingCardText.paused)
    } else if let rings {
      title = words.ringsLong(rings)
      remark = nil
    } else {
      title = words.text(missing)
      remark = words.text(RingCardText.dashed)
    }
    picture = RingPicture(size: .large, face: entry.ringFace, title: .words(title))
  }

  static let fields = Fields<RingCard>(
    .text("note", \.note), .flag("isAllClosed", \.isAllClosed), .drawing("picture", \.picture), .list("rows", \.rows),
    .flag("hasRows", \.hasRows), .text("remark", \.remark))
}

/// Texts of the card with the large rings.
package enum RingCardText: String, TextKeys {
  case missingToday = "ringCard.missingToday"
  case missing = "ringCard.missing"
  case dashed = "ringCard.dashed"
  case paused = "ringCard.paused"
}
