import Activity
import Archive
import Testing

@testable import Intake

private let received = Instant(seconds: 1_767_182_400)

private func record(_ minute: Int, value: String = "5", source: String = "Ring", rest: String = "/>") -> String {
  let time = "2025-06-10 \(8 + minute / 60 % 12):\(minute % 60):00 -0400"
  return "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"\(source)\" unit=\"count\""
    + " startDate=\"\(time)\" endDate=\"\(time)\" value=\"\(value)\"\(rest)\n"
}

private func reader(_ body: String, sliceSize: Int = 1000, chunk: Int = .max) -> AppleExportReader {
  let text = "<HealthData><ExportDate value=\"2025-12-31 07:00:00 -0500\"/>\n\(body)</HealthData>"
  return AppleExportReader(.bytes(Array(text.utf8), chunk: chunk), receivedAt: received, sliceSize: sliceSize)
}

private func slices(_ reader: AppleExportReader) throws -> [Batch] {
  var slices: [Batch] = []
  while let slice = try reader.next() { slices.append(slice) }
  return slices
}

@Suite("Apple export reader")
struct AppleExportReaderTests {
  @Test("slices hold what one slice would hold, in order, and sources only grow")
  func sliceSizes() throws {
    let body = (0..<500).map { record($0, value: $0 % 7 == 0 ? "x" : "\($0)", source: "Ring \($0 % 9)") }.joined()
    let whole = try slices(reader(body))
    #expect(whole.count == 1)
    for size in [1, 3, 100] {
      let some = try slices(reader(body, sliceSize: size, chunk: 700))
      #expect(some.flatMap(\.samples) == whole[0].samples)
      #expect(some.flatMap(\.refused) == whole[0].refused)
      #expect(some.last?.sources == whole[0].sources)
      for (one, next) in zip(some, some.dropFirst()) { #expect(next.sources.starts(with: one.sources)) }
      #expect(some.allSatisfy { $0.samples.count + $0.refused.count <= size })
    }
  }

  @Test("long stretches without a sample are read in slices, behind the data, too")
  func emptySlices() throws {
    let blanks = String(repeating: " ", count: 20 << 20)
    let within = try slices(reader(record(0) + "<!--" + blanks + "-->" + record(1)))
    #expect((3...4).contains(within.count) && within.flatMap(\.samples).count == 2)
    let bytes = Array("<HealthData>\(record(0))</HealthData>\(blanks)".utf8)
    let behind = try slices(AppleExportReader(.bytes(bytes), receivedAt: received))
    #expect(behind.count > 2 && behind.flatMap(\.samples).count == 1)
    let entries = String(
      repeating: "<MetadataEntry key=\"k\" value=\"\(String(repeating: "x", count: 60_000))\"/>", count: 300)
    #expect(try slices(reader(record(0) + entries)).count == 3)
  }

  @Test("a value that lost its closing quote is refused, and the record behind it is read", arguments: [1, 7, Int.max])
  func lostQuote(chunk: Int) throws {
    let broken = record(1, value: "100").replacing("\"/>", with: "/>")
    for place in 0..<4 {
      var body = (10..<14).map { record($0) }
      body.insert(broken, at: place)
      let read = try slices(reader(body.joined(), chunk: chunk))
      #expect(read.flatMap(\.samples).count == 4, "behind record \(place)")
      #expect(read.flatMap(\.refused).map(\.record) == [place + 1], "behind record \(place)")
      #expect(read.flatMap(\.refused).first?.detail.hasPrefix("100/>") == true)
    }
  }

  @Test("what people are shown of a refused value is cut by bytes: a character may be of any length")
  func longDetails() throws {
    let marks = "5" + String(repeating: "\u{301}", count: 10_000)
    let refused = try slices(reader(record(0, value: marks))).flatMap(\.refused)
    #expect(
      refused.count == 1
        && refused.allSatisfy { $0.detail.utf8.count == 119 && $0.detail.utf8.starts(with: "5\u{301}".utf8) })
  }

  @Test("sources under long names of any kind are known, but not kept in the cache")
  func cachedSources() {
    var table = SourceTable()
    let short = [UInt8](repeating: 1, count: 2048)
    let long = [UInt8](repeating: 1, count: 2049)
    #expect(table.remember(short, name: "Ring", version: "", device: "").name == "Ring")
    #expect(table.remember(long, name: "Ring", version: "", device: "").name == "Ring")
    #expect(table.cached(short) != nil && table.cached(long) == nil)
    for number in 0..<10_000 {
      _ = table.remember(Array("\(number)".utf8), name: "Ring", version: "", device: "")
      #expect(table.cache.count <= 4096)
    }
  }

  @Test("keys of samples never change")
  func keys() throws {
    let samples = try slices(
      reader(record(0) + record(0, rest: "><MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/></Record>"))
    )
    .flatMap(\.samples)
    #expect(samples.map { [$0.key.high, $0.key.low] } == AppleExportReaderTests.pinned)
  }

  /// What is stored in every database: a change here would import all samples a second time.
  private static let pinned: [[UInt64]] = [
    [5_709_151_566_920_329_744, 4_926_936_788_207_389_250], [1_235_324_532_789_131_540, 2_558_793_469_743_906_006],
  ]

  @Test("records, samples, summaries and refusals are counted")
  func counts() throws {
    let reader = reader(
      record(1) + record(1) + "<Record type=\"X\"/><ActivitySummary dateComponents=\"2025-06-10\"/>"
        + record(2, value: "y"))
    let all = try slices(reader)
    #expect(reader.counts.records == 5 && reader.counts.samples == 2 && reader.counts.summaries == 1)
    #expect(
      reader.counts.refused == [.badNumber: 1]
        && all[0].refused == [Refusal(record: 5, reason: .badNumber, detail: "y")])
    #expect(reader.exportedAt == Instant(seconds: 1_767_182_400) && !reader.isTruncated)
  }

  @Test("refused records are listed up to a limit and counted beyond it")
  func manyRefusals() throws {
    let reader = reader(String(repeating: record(1, value: "y"), count: AppleExportReader.mostRefusals + 5))
    #expect(try slices(reader).flatMap(\.refused).count == AppleExportReader.mostRefusals)
    #expect(reader.counts.refusedInAll == AppleExportReader.mostRefusals + 5)
  }

  @Test("an entity in the middle refuses the file after what was read before")
  func lateEntity() throws {
    let reader = reader(record(1) + record(2) + "<!ENTITY a \"b\">" + record(3), sliceSize: 1)
    #expect(throws: IntakeProblem.refused(.entityDeclaration, detail: "the document type declares entities")) {
      while try reader.next() != nil {}
    }
  }

  @Test("a record that lost its end tag ends where the next begins, and takes no notice of that one's children")
  func lostEnd() throws {
    let byHand = "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/></Record>"
    let slices = try slices(
      reader(
        record(1, rest: ">") + record(2, rest: ">" + byHand) + record(3, rest: ">") + "<Record type=\"X\">" + byHand))
    let classes = slices[0].samples.map { slices[0].sources[Int($0.source)].sourceClass }
    #expect(classes == [.other, .manual, .other])
  }

  @Test("a file with more sources than a person can have is cut, not obeyed")
  func manySources() throws {
    let reader = reader((0..<10_020).map { record($0 % 60, source: "S\($0)") }.joined())
    let all = try slices(reader)
    #expect(all.last?.sources.count == 10_000)
    #expect(reader.counts.refused == [.noSource: 20])
  }

  @Test("every cut of a file keeps the records before it")
  func everyCut() throws {
    let text = Array(
      "<HealthData>\(record(1))\(record(2, rest: "><MetadataEntry key=\"HKTimeZone\" value=\"Asia/Tokyo\"/></Record>"))</HealthData>"
        .utf8)
    var before = 0
    for length in 12..<text.count {
      let reader = AppleExportReader(.bytes(Array(text[..<length])), receivedAt: received)
      let samples = try slices(reader).flatMap(\.samples)
      #expect(reader.isTruncated && samples.count >= before && samples.count <= 2)
      before = samples.count
    }
    #expect(before == 2)
  }
}
