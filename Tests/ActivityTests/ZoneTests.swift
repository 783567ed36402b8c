import Activity
import Support
import Testing

@Suite("Dates in time zones")
struct ZoneTests {
  private func utc(_ text: String) -> Instant { at(text) }

  @Test("a day begins at the first instant with its date")
  func firstInstants() {
    let cairo = Zones.history("Africa/Cairo")
    #expect(cairo.firstInstant(of: day("2024-04-26")) == utc("2024-04-25T22:00:00Z"))
    #expect(cairo.length(of: day("2024-04-26")) == 23 * 3_600_000)
    #expect(cairo.slots(of: day("2024-04-26")).first?.label == "01")
    let newYork = Zones.history("America/New_York")
    #expect(newYork.firstInstant(of: day("2025-03-09")) == utc("2025-03-09T05:00:00Z"))
    #expect(newYork.length(of: day("2025-03-09")) == 23 * 3_600_000)
    #expect(newYork.length(of: day("2025-11-02")) == 25 * 3_600_000)
  }

  @Test("a date that an island skipped has no instant and no length")
  func skippedDate() {
    let apia = Zones.history("Pacific/Apia")
    let skipped = day("2011-12-30")
    #expect(apia.runs(of: skipped).isEmpty)
    #expect(apia.length(of: skipped) == 0)
    #expect(apia.interval(of: skipped).isEmpty)
    #expect(apia.firstInstant(of: skipped) == apia.firstInstant(of: skipped + 1))
    #expect(apia.firstInstant(of: skipped + 1) == utc("2011-12-30T10:00:00Z"))
    #expect(apia.length(of: skipped - 1) == 24 * 3_600_000)
  }

  @Test("a clock that falls back just after midnight shows a date twice")
  func dateTwice() {
    let johns = Zones.history("America/St_Johns")
    let runs = johns.runs(of: day("2007-11-04"))
    #expect(runs.count == 2)
    #expect(runs[0].end.milliseconds(since: runs[0].start) == 60_000)
    #expect(johns.length(of: day("2007-11-03")) + johns.length(of: day("2007-11-04")) == 49 * 3_600_000)
  }

  @Test("hours are named by the local clock, a repeated one with a letter")
  func hourLabels() {
    let berlin = Zones.history("Europe/Berlin").slots(of: day("2025-10-26"))
    #expect(berlin.count == 25)
    #expect(berlin.map(\.label)[1...4] == ["01", "02", "02b", "03"])
    #expect(berlin.allSatisfy { $0.length == 3600 })
    let spring = Zones.history("Europe/Berlin").slots(of: day("2025-03-30"))
    #expect(spring.map(\.label)[1...2] == ["01", "03"])
    let howe = Zones.history("Australia/Lord_Howe").slots(of: day("2025-04-06"))
    #expect(howe.prefix(4).map(\.label) == ["00", "01", "01b", "02"])
    #expect(howe.prefix(4).map(\.length) == [3600, 3600, 1800, 3600])
    let chatham = Zones.history("Pacific/Chatham")
    #expect(chatham.slots(of: day("2025-06-10")).count == 24)
    #expect(chatham.firstInstant(of: day("2025-06-10")) == utc("2025-06-09T11:15:00Z"))
  }

  @Test("the hours of a day of travel follow the clock on the wrist")
  func travel() {
    let history = ZoneHistory(
      [(since: nil, zone: "America/New_York"), (since: utc("2025-06-12T09:20:00Z"), zone: "Asia/Tokyo")],
      in: Zones.table)
    let slots = history.slots(of: day("2025-06-12"))
    #expect(slots.map(\.label) == ["00", "01", "02", "03", "04", "05", "18", "19", "20", "21", "22", "23"])
    #expect(slots[5].length == 20 * 60)
    #expect(slots[6].length == 40 * 60)
    #expect(history.length(of: day("2025-06-12")) == 11 * 3_600_000)
    #expect(
      history.days(from: utc("2025-06-12T03:30:00Z"), through: utc("2025-06-12T15:30:00Z"))
        == day("2025-06-11")...day("2025-06-13"))
  }

  @Test("going back over the date line gives a date in two stretches and a change without effect gives one")
  func backwards() {
    let tokyoFirst = ZoneHistory(
      [(since: nil, zone: "Asia/Tokyo"), (since: utc("2025-06-12T00:30:00Z"), zone: "America/New_York")],
      in: Zones.table)
    #expect(tokyoFirst.runs(of: day("2025-06-12")).count == 2)
    #expect(tokyoFirst.slots(of: day("2025-06-12")).contains { $0.label == "00b" })
    #expect(tokyoFirst.day(at: utc("2025-06-12T00:29:59Z")) == day("2025-06-12"))
    #expect(tokyoFirst.day(at: utc("2025-06-12T00:30:00Z")) == day("2025-06-11"))
    let same = ZoneHistory(
      [
        (since: nil, zone: "Europe/Berlin"), (since: utc("2025-06-12T09:20:00Z"), zone: "Europe/Oslo"),
        (since: utc("2025-06-12T10:20:00Z"), zone: "+02:00"),
      ], in: Zones.table)
    #expect(same.runs(of: day("2025-06-12")).count == 1)
    #expect(same.slots(of: day("2025-06-12")).count == 24)
  }

  @Test("names that nobody knows and offsets beyond 18 hours are refused")
  func names() {
    #expect(Zones.table.zone(named: "Mars/Olympus") == nil)
    #expect(Zones.table.zone(named: "+09:00")?.offset(at: 0) == 32_400)
    #expect(Zones.table.zone(named: "-0330")?.offset(at: 0) == -12_600)
    #expect(Zones.table.zone(named: "+5")?.offset(at: 0) == 18_000)
    for bad in ["+19:00", "+1:2:3", "09:00", "+", "-ab", "+09:61", "+123"] { #expect(ZoneRules(offset: bad) == nil) }
    #expect(!ZoneTable.isPlausible("../../etc/passwd"))
    #expect(!ZoneTable.isPlausible("/etc/passwd"))
    #expect(ZoneTable.isPlausible("America/Port-au-Prince"))
  }

  @Test("a table is read from a folder by its lists of names")
  func loading() {
    let files: [String: [UInt8]] = [
      "zone.tab": Array("# codes\nDE\t+5230+01322\tEurope/Berlin\tmost\nEG\t+3003\tAfrica/Cairo\n".utf8),
      "tzdata.zi": Array("# version 2025b\nZ Asia/Tokyo 9:18:59 - LMT\nL Europe/Berlin Europe/../passwd\n".utf8),
    ]
    let table = ZoneTable { name in files[name] ?? (try? Repository.bytes("Tests/Fixtures/zoneinfo/\(name)")) }
    #expect(table.names == ["Africa/Cairo", "Asia/Tokyo", "Europe/Berlin", "UTC"])
    #expect(table.offered == ["Africa/Cairo", "Europe/Berlin", "UTC"])
  }

  @Test("every zone has the offsets that Python finds in the same files, 1900 to 2100")
  func againstPython() throws {
    let script = """
      import zoneinfo, sys, random
      from datetime import datetime, timedelta, timezone
      rng = random.Random(5)
      start = datetime(1900, 1, 1, tzinfo=timezone.utc)
      for name in sys.argv[1:]:
        z = zoneinfo.ZoneInfo(name)
        def off(s): return int((start + timedelta(seconds=s)).astimezone(z).utcoffset().total_seconds())
        points = [rng.randrange(0, 201 * 31557600) for _ in range(100)]
        s = 0
        while s < 201 * 31557600:
          n = s + 30 * 86400
          if off(s) != off(n):
            a, b = s, n
            while b - a > 1:
              m = (a + b) // 2
              if off(m) == off(s): a = m
              else: b = m
            points += [a, b]
          s = n
        print(name, *("%d:%d" % (p - 2208988800, off(p)) for p in points))
      """
    guard let output = python(["-c", script] + Zones.names) else { return }
    var compared = 0
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      let zone = try #require(Zones.table.zone(named: String(words[0])))
      for pair in words.dropFirst() {
        let numbers = pair.split(separator: ":").map { Int64($0)! }
        #expect(Int64(zone.offset(at: numbers[0])) == numbers[1], "\(words[0]) at \(numbers[0])")
        compared += 1
      }
    }
    #expect(compared > 3000)
  }

  @Test("the stretch around a moment has one offset, and another one begins where it ends")
  func spans() throws {
    for name in Zones.names {
      let zone = try #require(Zones.table.zone(named: name))
      var place = Int64(-2_208_988_800)
      while place < 5_000_000_000 {
        let span = zone.span(at: place)
        #expect(span.from <= place && place < span.until, "\(name) \(place)")
        #expect(zone.span(at: span.until - 1) == span, "\(name) \(place)")
        if span.from > -1 << 49 { #expect(zone.span(at: span.from) == span, "\(name) \(place)") }
        if span.until < 1 << 49 { #expect(zone.offset(at: span.until) != span.offset, "\(name) \(place)") }
        place = span.until
      }
    }
  }

  @Test("no bytes make the reader trap")
  func corruption() throws {
    var random = Seeded(77)
    for name in ["America/New_York", "Europe/Dublin", "Pacific/Apia", "UTC"] {
      let good = try Repository.bytes("Tests/Fixtures/zoneinfo/\(name)")
      for _ in 0..<400 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        guard let zone = ZoneRules(name: name, tzif: bytes) else { continue }
        for seconds in [Int64.min, -1 << 50, -5_000_000_000, 0, 1_750_000_000, 9_000_000_000, 1 << 50, .max] {
          _ = zone.offset(at: seconds)
        }
        let history = ZoneHistory(zone)
        _ = history.slots(of: day("2025-03-30"))
        _ = history.days(from: at("2025-06-01T00:00:00Z"), through: at("2025-06-05T00:00:00Z"))
      }
    }
    for bytes in [[], Array("TZif".utf8), Array(repeating: UInt8(0xff), count: 300)] as [[UInt8]] {
      #expect(ZoneRules(name: "x", tzif: bytes) == nil)
    }
  }

  @Test(
    "rules of years to come are read in all their forms",
    arguments: [
      ("<-03>3", 1_900_000_000, -10_800), ("EST5EDT,M3.2.0,M11.1.0", 1_750_000_000, -14_400),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_736_000_000, 0), ("XXX3EDT4,0/0,J365/23", 1_736_000_000, -14_400),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1_736_000_000, 39_600), ("AAA0BBB,J60,J300", 1_709_290_000, 3600),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_750_000_000, -3600),
    ])
  func recurrences(posix: String, seconds: Int, offset: Int) throws {
    let zone = try #require(ZoneRules(name: posix, tzif: tzif(footer: posix)))
    #expect(Int(zone.offset(at: Int64(seconds))) == offset)
  }

  @Test(
    "a footer that is no rule is refused",
    arguments: [
      "E5", "EST", "EST5EDT", "EST5EDT,M13.1.0,M11.1.0", "EST5EDT,M3.2.0", "EST99", "EST5EDT,M3.2.0/200,M11.1.0", "<A",
      "EST5x",
    ])
  func badFooters(posix: String) {
    #expect(ZoneRules(name: posix, tzif: tzif(footer: posix)) == nil)
  }

  /// A file without changes: everything comes from the footer.
  private func tzif(footer: String) -> [UInt8] {
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    let block =
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts + [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8)
    return block + block + [10] + Array(footer.utf8) + [10]
  }
}
