import Activity
import Templates

/// Which device counted what: the sum, the lanes of time, the table.
struct DeviceCard: PageModel {
  let sum: [SumPart]
  let lanes: [LaneRow]
  let hasLanes: Bool
  let countedFirst: String
  let countedOthers: String
  let hiddenName: String
  let table: HourTable

  init(_ input: DayInput, words: Words) {
    let devices = input.devices
    var sum = devices.enumerated().map { place, device in
      SumPart(
        look: place == 0 ? "c-w" : "c-p",
        name: place == 0 ? device.name : words.text(DayText.plus, ("device", device.name)),
        value: words.number(shownSteps(device.alone)), isTotal: false)
    }
    sum.append(
      SumPart(look: "c-o", name: words.text(DayText.hidden), value: words.number(input.overlap), isTotal: false))
    sum.append(
      SumPart(
        look: nil, name: words.text(DayText.counted), value: words.number(input.entry.state.number ?? 0), isTotal: true)
    )
    self.sum = sum
    lanes = devices.enumerated().compactMap { LaneRow($0.element, place: $0.offset, input: input, words: words) }
    hasLanes = !lanes.isEmpty
    let (first, others) = (devices[0].name, words.list(devices.dropFirst().map(\.name)))
    countedFirst = words.text(DayText.countedName, ("device", first))
    countedOthers = words.text(DayText.countedName, ("device", others))
    hiddenName = words.text(DayText.hiddenName, ("device", others))
    table = HourTable(input, words: words)
  }

  static let fields = Fields<DeviceCard>(
    .list("sum", \.sum), .list("lanes", \.lanes), .flag("hasLanes", \.hasLanes), .text("countedFirst", \.countedFirst),
    .text("countedOthers", \.countedOthers), .text("hiddenName", \.hiddenName), .part("table", \.table))
}

/// One part of "watch + phone − overlap = counted".
struct SumPart: PageModel {
  let look: String?
  let name: String
  let value: String
  let isTotal: Bool

  static let fields = Fields<SumPart>(
    .text("look", \.look), .text("name", \.name), .text("value", \.value), .flag("isTotal", \.isTotal))
}

/// When one device counted.
struct LaneRow: PageModel {
  let name: String
  let lane: DeviceLane

  /// Nil when it is not known when the device counted.
  init?(_ device: DayDevice, place: Int, input: DayInput, words: Words) {
    guard !device.stretches.isEmpty else { return nil }
    name = device.name
    let start = input.interval.lowerBound
    let length = Double(max(1, input.interval.upperBound.milliseconds(since: start)))
    lane = DeviceLane(
      title: LaneRow.title(device, input: input, words: words),
      stretches: device.stretches.map { stretch in
        DeviceLane.Stretch(
          start: Double(stretch.time.lowerBound.milliseconds(since: start)) / length,
          end: Double(stretch.time.upperBound.milliseconds(since: start)) / length,
          kind: stretch.isCounted ? (place == 0 ? .first : .other) : .hidden)
      })
  }

  private static func title(_ device: DayDevice, input: DayInput, words: Words) -> String {
    let counted = device.stretches.filter(\.isCounted)
    guard !counted.isEmpty else { return words.text(DayText.laneNone, ("device", device.name)) }
    var spans: [Range<Instant>] = []
    for stretch in counted {
      // An hour without steps does not end a span: the title says the outline, the picture the detail.
      if let last = spans.last, stretch.time.lowerBound.milliseconds(since: last.upperBound) < 3_600_000 {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, stretch.time.upperBound)
      } else {
        spans.append(stretch.time)
      }
    }
    let names = spans.prefix(6).map { span in
      words.text(
        DayText.span, ("from", input.clock(span.lowerBound)), ("to", input.clock(span.upperBound)))
    }
    let text = words.text(DayText.lane, ("device", device.name), ("spans", words.list(names)))
    return device.stretches.count == counted.count ? text : text + words.text(DayText.laneHidden)
  }

  static let fields = Fields<LaneRow>(.text("name", \.name), .drawing("lane", \.lane))
}

extension DayInput {
  /// An instant of the day by the local clock: `15:37`, from the hour it lies in.
  func clock(_ instant: Instant) -> String {
    let seconds = Int(instant.milliseconds(since: interval.lowerBound) / 1000)
    let slot = slots.last { Int($0.start) <= seconds }
    guard let slot else { return "00:00" }
    // An hour cut by a change of zone ends at its full hour.
    let into = min(3_600, seconds - Int(slot.start) + max(0, 3_600 - Int(slot.length)))
    let minutes = Int(slot.hour) * 60 + into / 60
    return "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }
}
