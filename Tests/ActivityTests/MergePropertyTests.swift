import Activity
import Support
import Testing

/// A random life around changes of clock, like the reference's `random_case`, made here from a seed.
struct RandomLife {
  static let classes: [SourceClass] = [.watch, .phone, .phone, .other, .other, .manual, .merged]
  static let keys = ["watch:A", "phone:A", "phone:B", "app:Ring", "app:Band", "manual", "merged:HAE"]
  static let hot = [
    "2025-03-09T04:00:00Z", "2025-11-02T03:00:00Z", "2024-04-25T20:00:00Z", "2025-10-04T14:00:00Z",
    "2025-03-30T00:00:00Z", "2025-06-15T22:00:00Z", "2024-02-28T20:00:00Z", "2025-12-31T20:00:00Z",
    "2011-12-29T20:00:00Z", "2025-04-05T13:00:00Z", "2007-11-04T01:30:00Z",
  ]
  static let places = [
    "UTC", "America/New_York", "Europe/Berlin", "Asia/Tokyo", "Africa/Cairo", "Pacific/Chatham", "America/St_Johns",
    "Australia/Lord_Howe", "Pacific/Apia", "Europe/Dublin", "America/Asuncion",
  ]
  static let walkZones: [ZoneRules?] = ["+09:00", "-03:30", "America/New_York"].map { Zones.table.zone(named: $0) }

  var sources = zip(keys, classes).map { Source(key: $0, sourceClass: $1, device: $0) }
  var samples: [Sample] = []
  var history: ZoneHistory
  var options = MergeOptions()

  init(_ random: inout Seeded, span: Int64 = 6 * 3600, most: Int = 14) {
    let base = at(RandomLife.hot.pick(&random)).seconds
    var entries: [(since: Instant?, zone: String)] = [(nil, RandomLife.places.pick(&random))]
    for _ in 0..<[0, 0, 0, 1, 2].pick(&random) {
      let since = Instant(seconds: base + Int64.random(in: 0..<span, using: &random))
      entries.append((since, RandomLife.places.pick(&random)))
    }
    history = ZoneHistory(entries, in: Zones.table)
    let used = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int32.random(in: 0..<7, using: &random) }
    for number in 0..<Int.random(in: 1...most, using: &random) {
      add(UInt64(number), base, span, used.pick(&random), &random)
    }
    options.priority = Array(
      used.shuffled(using: &random).prefix([0, 0, 1, 2].pick(&random)).map { Self.keys[Int($0)] })
    options.includeManual = Int.random(in: 0..<10, using: &random) > 0
  }

  private mutating func add(_ id: UInt64, _ base: Int64, _ span: Int64, _ source: Int32, _ random: inout Seeded) {
    var start = base + Int64.random(in: 0..<span, using: &random)
    var end = start + Int64.random(in: 1...[60, 600, 3600, 8000].pick(&random), using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case ..<12: end = start
    case ..<20: (start, end) = (base, base + Int64.random(in: 1...span, using: &random))
    case ..<30:
      if let other = samples.randomElement(using: &random) {
        start = other.end.seconds
        end = start + Int64.random(in: 1...900, using: &random)
      }
    default: break
    }
    let counts: [Double] = [
      0, Double(Int.random(in: 1...400, using: &random)), Double(Int.random(in: 1...4000, using: &random)) / 7,
    ]
    let zones: [Int16?] = [nil, nil, nil, 0, 1, 2]
    let sample = Sample(
      start: Instant(seconds: start), end: Instant(seconds: end), count: counts.pick(&random),
      recorded: Instant(seconds: end + [0, 0, 1, 30, 600].pick(&random)), key: SampleKey(high: id, low: 0),
      source: source,
      zone: zones.pick(&random))
    samples.append(sample)
    if Int.random(in: 0..<12, using: &random) == 0 {
      samples.append(sample)
      samples[samples.count - 1].key.low = 1
    }
  }

  var merge: Merge { Merge(sources: sources, zones: RandomLife.walkZones, history: history, options: options) }

  var usable: [Sample] {
    samples.filter { $0.count > 0 && (options.includeManual || sources[Int($0.source)].sourceClass != .manual) }
  }

  /// The rank of merge.md 4.1, written down a second time and plainly.
  func isBetter(_ one: Sample, _ other: Sample) -> Bool {
    let (first, second) = (sources[Int(one.source)], sources[Int(other.source)])
    let (place, otherPlace) = (
      options.priority.firstIndex(of: first.key), options.priority.firstIndex(of: second.key)
    )
    if (place ?? 99) != (otherPlace ?? 99) { return (place ?? 99) < (otherPlace ?? 99) }
    if place == nil, first.sourceClass != second.sourceClass { return first.sourceClass < second.sourceClass }
    if first.key != second.key { return first.key < second.key }
    if one.recorded != other.recorded { return one.recorded > other.recorded }
    if one.start != other.start { return one.start > other.start }
    if one.end != other.end { return one.end > other.end }
    return one.count != other.count ? one.count > other.count : one.key > other.key
  }

  func date(_ sample: Sample, _ instant: Instant) -> CivilDay {
    let zone = sample.zone.flatMap { RandomLife.walkZones[Int($0)] }
    return zone?.day(at: instant) ?? history.day(at: instant)
  }

  /// Each second belongs to one sample: the opinion of somebody who knows nothing of sweeps.
  func secondBySecond() -> [CivilDay: Double] {
    var totals: [CivilDay: Double] = [:]
    let usable = usable.sorted(by: isBetter)
    let intervals = usable.filter { $0.start < $0.end }
    let seconds = Set(intervals.flatMap { $0.start.seconds..<$0.end.seconds })
    for second in seconds.sorted() {
      let instant = Instant(seconds: second)
      guard let best = intervals.first(where: { $0.start <= instant && instant < $0.end }) else { continue }
      totals[date(best, instant), default: 0] += best.count / Double(best.end.seconds - best.start.seconds)
    }
    for moment in Set(usable.filter { $0.start == $0.end }.map(\.start)) {
      let here = usable.first { $0.start == $0.end ? $0.start == moment : $0.start <= moment && moment < $0.end }
      if let here, here.start == here.end { totals[date(here, moment), default: 0] += here.count }
    }
    for zero in samples where zero.count == 0 {
      if !options.includeManual, sources[Int(zero.source)].sourceClass == .manual { continue }
      totals[date(zero, zero.start), default: 0] += 0
    }
    return totals
  }
}

@Suite("What holds for every merge (merge.md 10)")
struct MergePropertyTests {
  private func each(
    _ seed: UInt64, _ count: Int = Soak.times(300, 10_000), _ body: (inout RandomLife, inout Seeded, Int) -> Void
  ) {
    var random = Seeded(seed)
    for number in 0..<count {
      var life = RandomLife(&random, span: [900, 3600, 6 * 3600].pick(&random))
      body(&life, &random, number)
    }
  }

  private func sum(_ days: [CivilDay: DayTotal]) -> Double { days.values.reduce(0) { $0 + $1.exact } }

  @Test("P1: it equals a count second by second")
  func bruteForce() {
    each(1, 60) { life, _, number in
      let days = life.merge.days(life.samples)
      let plain = life.secondBySecond()
      #expect(Set(days.keys) == Set(plain.keys), "case \(number)")
      for (date, exact) in plain {
        #expect(abs((days[date]?.exact ?? -1) - exact) < 1e-6, "case \(number) \(date.iso)")
      }
    }
  }

  @Test("P2: the order of samples does not matter, to the last bit")
  func order() {
    each(2) { life, random, number in
      let days = life.merge.days(life.samples)
      #expect(days == life.merge.days(life.samples.shuffled(using: &random)), "case \(number)")
    }
  }

  @Test("P3: everything twice changes nothing, also with fresh ids")
  func twice() {
    each(3) { life, _, number in
      let days = life.merge.days(life.samples)
      #expect(days == life.merge.days(life.samples + life.samples), "case \(number)")
      let fresh = life.samples.map { sample in
        var copy = sample
        copy.key.low &+= 7
        return copy
      }
      #expect(days == life.merge.days(life.samples + fresh), "case \(number)")
    }
  }

  @Test("P4: zones move steps between days and never change the sum")
  func zones() {
    each(4) { life, random, number in
      let total = sum(life.merge.days(life.samples))
      life.history = Zones.history(RandomLife.places.pick(&random))
      #expect(abs(sum(life.merge.days(life.samples)) - total) < 1e-6, "case \(number)")
    }
  }

  @Test("P5: not less than the best source alone, not more than the plain sum")
  func bounds() {
    each(5) { life, _, number in
      let total = sum(life.merge.days(life.samples))
      #expect(total <= life.usable.reduce(0) { $0 + $1.count } + 1e-6, "case \(number)")
      guard let best = life.usable.min(by: life.isBetter) else { return }
      let alone = life.samples.filter { $0.source == best.source }
      #expect(total >= sum(life.merge.days(alone)) - 1e-6, "case \(number)")
    }
  }

  @Test("P6: cutting a sample in two proportional parts changes nothing")
  func cut() {
    each(6) { life, random, number in
      let days = life.merge.days(life.samples)
      let long = life.samples.indices.filter { place in
        let sample = life.samples[place]
        let ties = life.samples.filter { $0.source == sample.source && $0.recorded == sample.recorded }
        return sample.count > 0 && sample.end.seconds - sample.start.seconds >= 2 && ties.count == 1
      }
      guard let place = long.randomElement(using: &random) else { return }
      var first = life.samples.remove(at: place)
      var second = first
      let middle = Int64.random(in: (first.start.seconds + 1)..<first.end.seconds, using: &random)
      let part = Double(middle - first.start.seconds) / Double(first.end.seconds - first.start.seconds)
      (first.end, second.start) = (Instant(seconds: middle), Instant(seconds: middle))
      (first.count, second.count) = (first.count * part, first.count * (1 - part))
      let after = life.merge.days(life.samples + [first, second])
      #expect(Set(days.keys) == Set(after.keys), "case \(number)")
      for (date, total) in days { #expect(abs(total.exact - after[date]!.exact) < 1e-6, "case \(number)") }
    }
  }

  @Test("P7: removing a sample that is wholly hidden changes no total")
  func hidden() {
    each(7, 100) { life, _, number in
      let days = life.merge.days(life.samples).mapValues(\.exact)
      for (place, sample) in life.samples.enumerated() where sample.count > 0 {
        var alone = life
        alone.samples.remove(at: place)
        let better = alone.usable.filter { life.isBetter($0, sample) && $0.start < $0.end }
        let seconds = max(1, sample.end.seconds - sample.start.seconds)
        let covered = (0..<seconds).allSatisfy { second in
          let instant = Instant(seconds: sample.start.seconds + second)
          return better.contains { $0.start <= instant && instant < $0.end }
        }
        if covered { #expect(alone.merge.days(alone.samples).mapValues(\.exact) == days, "case \(number)") }
      }
    }
  }

  @Test("P8: pieces never overlap: what each hour gets is within what one sample may give")
  func slotsTileTheDay() {
    each(8) { life, _, number in
      for (date, total) in life.merge.days(life.samples) {
        #expect(abs(total.slots.reduce(0) { $0 + $1.share } - total.exact) < 1e-6, "case \(number) \(date.iso)")
        let own = life.history.slots(of: date)
        let lengths = own.reduce(0) { $0 + Int64($1.length) }
        #expect(lengths * 1000 == life.history.length(of: date), "case \(number) \(date.iso)")
        #expect(Set(own.map(\.label)).count == own.count, "case \(number) \(date.iso)")
        for slot in own {
          #expect(total.slots.contains { $0.start == slot.start && $0.label == slot.label }, "case \(number)")
        }
      }
    }
  }

  @Test("P9: rounding moves a day by half a step at most")
  func rounding() {
    each(9) { life, _, number in
      for total in life.merge.days(life.samples).values {
        #expect(abs(Double(total.shown) - total.exact) <= 0.5 + 1e-6, "case \(number)")
      }
    }
  }

  @Test("a day computed from the samples that overlap it has the bits of the whole merge")
  func dayByDay() {
    var random = Seeded(10)
    for number in 0..<Soak.times(300, 10_000) {
      let life = RandomLife(&random, span: [3600, 30 * 3600, 80 * 3600].pick(&random), most: 30)
      let merge = life.merge
      let days = merge.days(life.samples)
      guard let first = days.keys.min(), let last = days.keys.max() else { continue }
      for date in (first - 2)...(last + 2) {
        let window = merge.window(of: date...date)
        let near = life.samples.filter { $0.start < window.upperBound && $0.end >= window.lowerBound }
        #expect(
          merge.days(near.shuffled(using: &random), in: date...date)[date] == days[date], "case \(number) \(date.iso)")
      }
      let range = first...(first + Int.random(in: 0...3, using: &random))
      let window = merge.window(of: range)
      let near = life.samples.filter { $0.start < window.upperBound && $0.end >= window.lowerBound }
      #expect(merge.days(near, in: range) == days.filter { range.contains($0.key) }, "case \(number)")
    }
  }

  @Test("adding a sample changes only the days that it is said to touch")
  func touched() {
    each(11) { life, _, number in
      let before = life.merge.days(Array(life.samples.dropLast()))
      let after = life.merge.days(life.samples)
      guard let added = life.samples.last else { return }
      let touched = life.merge.days(touchedFrom: added.start, to: added.end)
      for date in Set(before.keys).union(after.keys) where before[date] != after[date] {
        #expect(touched.contains(date), "case \(number) \(date.iso)")
      }
    }
  }

  @Test("what the sources counted adds up to the day, and counted with hidden is what each would give alone")
  func bySource() {
    each(12) { life, _, number in
      let days = life.merge.days(life.samples)
      for (date, total) in days {
        #expect(abs(total.bySource.reduce(0) { $0 + $1.counted } - total.exact) < 1e-6, "case \(number)")
        for count in total.bySource {
          #expect(count.counted >= 0 && count.hidden >= 0, "case \(number)")
          let alone = life.merge.days(life.samples.filter { $0.source == count.source })
          #expect(abs(count.counted + count.hidden - (alone[date]?.exact ?? 0)) < 1e-6, "case \(number) \(date.iso)")
        }
      }
    }
  }

  @Test("the picture of a day shares out its hours among the sources, and at no time do two of them count")
  func picture() {
    each(13) { life, _, number in
      for (date, total) in life.merge.days(life.samples) where total.exact > 0 {
        guard let picture = life.merge.picture(of: date, life.samples) else {
          Issue.record("case \(number) \(date.iso): no picture")
          continue
        }
        #expect(picture.slots.map(\.start) == total.slots.map(\.start), "case \(number)")
        for (place, slot) in total.slots.enumerated() {
          let counted = picture.parts.reduce(0) { $0 + $1.counted[place] }
          #expect(abs(counted - slot.share) < 1e-6, "case \(number) \(date.iso) \(slot.label)")
        }
        for count in total.bySource {
          let part = picture.parts.first { $0.sources.first == count.source }
          #expect(abs((part?.counted.reduce(0, +) ?? 0) - count.counted) < 1e-6, "case \(number)")
          // A walk that counts nowhere may have had an hour that the day does not have.
          #expect((part?.alone.reduce(0, +) ?? 0) <= count.counted + count.hidden + 1e-6, "case \(number)")
        }
        for part in picture.parts {
          #expect(part.stretches.allSatisfy { !$0.time.isEmpty }, "case \(number)")
          for (one, next) in zip(part.stretches, part.stretches.dropFirst()) {
            #expect(one.time.upperBound <= next.time.lowerBound, "case \(number)")
          }
        }
      }
    }
  }
}
