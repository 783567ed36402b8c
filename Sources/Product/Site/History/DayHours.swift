import Activity
import Templates

/// The hours of a day, stacked by device where two counted.
struct DayHours: PageModel {
  let note: String?
  let chart: BarChart
  /// Names of the two stacked colours; nil with one device.
  let legend: DeviceLegend?
  /// The table of hours, when the card about devices does not hold it.
  let table: HourTable?

  init(_ input: DayInput, words: Words) {
    let devices = input.devices
    let isSplit = devices.count > 1 && devices.allSatisfy { $0.countedByHour.count == input.slots.count }
    note = DayHours.note(input, words)
    let sentences = [
      words.busiest(input.slots) ?? words.text(HourText.nothing), words.text(DayText.chartTable),
    ]
    chart = BarChart(
      id: "dh", title: isSplit ? words.text(DayText.chartTitle) : words.text(HourText.title),
      description: sentences.joined(separator: " "),
      columns: input.slots.indices.map { DayHours.column($0, input, isSplit: isSplit, words) },
      labels: hourLabels(input.slots))
    legend = isSplit ? DeviceLegend(devices, words: words) : nil
    table = devices.count > 1 ? nil : HourTable(input, words: words)
  }

  private static func note(_ input: DayInput, _ words: Words) -> String? {
    guard let goal = input.entry.goal, goal > 0, input.entry.state.number != nil else { return nil }
    let text = words.text(DayText.goalIs, ("n", words.number(rounded: goal)))
    guard let when = words.goalReached(input.slots, goal: goal), input.entry.hasReachedGoal else { return text }
    return words.text(DayText.goalReached, ("goal", text), ("when", when))
  }

  private static func column(_ place: Int, _ input: DayInput, isSplit: Bool, _ words: Words) -> BarChart.Column {
    let slot = input.slots[place]
    guard shownSteps(slot.share) > 0 else { return BarChart.Column(bar: .value(0), title: words.column(slot)) }
    guard isSplit else { return BarChart.Column(bar: .value(slot.share), title: words.column(slot)) }
    let first = input.devices[0].countedByHour[place]
    let more = input.devices.dropFirst().reduce(0) { $0 + $1.countedByHour[place] }
    let parts = input.devices.map { device in
      words.text(
        DayText.deviceSteps, ("n", words.number(shownSteps(device.countedByHour[place]))), ("device", device.name))
    }
    return BarChart.Column(
      bar: .stacked(first, more),
      title: words.text(
        DayText.columnDevices, ("column", words.column(slot)), ("devices", parts.joined(separator: ", "))))
  }

  static let fields = Fields<DayHours>(
    .text("note", \.note), .drawing("chart", \.chart), .optional("legend", \.legend), .optional("table", \.table))
}

/// What the colours of the stacked bars mean.
struct DeviceLegend: PageModel {
  let first: String
  let others: String

  init(_ devices: [DayDevice], words: Words) {
    first = devices.first?.name ?? ""
    others = words.text(DayText.onlyName, ("devices", words.list(devices.dropFirst().map(\.name))))
  }

  static let fields = Fields<DeviceLegend>(.text("first", \.first), .text("others", \.others))
}

/// Every hour in numbers; by device where several counted.
struct HourTable: PageModel {
  struct Row: PageModel {
    let name: String
    let devices: [String]
    let hidden: String?
    let counted: String

    static let fields = Fields<Row>(
      .text("name", \.name), .list("devices", \.devices), .text("hidden", \.hidden), .text("counted", \.counted))
  }
  let devices: [String]
  let hasHidden: Bool
  let rows: [Row]
  let sum: Row?

  init(_ input: DayInput, words: Words) {
    let split = input.devices.count > 1 && input.devices.allSatisfy { $0.aloneByHour.count == input.slots.count }
    let columns = split ? input.devices : []
    devices = columns.map(\.name)
    hasHidden = split
    rows = input.slots.indices.compactMap { place in
      let slot = input.slots[place]
      let alone = columns.map { shownSteps($0.aloneByHour[place]) }
      let total = shownSteps(slot.share)
      if split, total == 0, alone.allSatisfy({ $0 == 0 }) { return nil }
      return Row(
        name: words.hours(slot), devices: alone.map { $0 == 0 ? words.none : words.number($0) },
        hidden: split ? HourTable.hidden(alone.reduce(0, +) - total, words) : nil, counted: words.number(total))
    }
    sum =
      split
      ? Row(
        name: words.text(DayText.stepsName), devices: columns.map { words.number(shownSteps($0.alone)) },
        hidden: HourTable.hidden(input.overlap, words), counted: words.number(input.entry.state.number ?? 0)) : nil
  }

  private static func hidden(_ steps: Int, _ words: Words) -> String {
    steps == 0 ? words.none : words.number(-steps)
  }

  static let fields = Fields<HourTable>(
    .list("devices", \.devices), .flag("hasHidden", \.hasHidden), .list("rows", \.rows), .optional("sum", \.sum))
}

extension DayInput {
  /// Steps that a better device counted too: what makes the sum of the devices the total, as printed.
  var overlap: Int { max(0, devices.reduce(0) { $0 + shownSteps($1.alone) } - (entry.state.number ?? 0)) }
}
