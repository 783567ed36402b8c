import Activity
import Intake
import Support
import Testing

private let noon = Instant(seconds: 1_749_556_800)  // 2025-06-10T12:00:00Z
private let berlin = ZoneHistory(.utc)

private func read(_ text: String) throws(UploadFault) -> Upload {
  try HealthKitReader.read(Array(text.utf8), receivedAt: noon)
}

private func item(_ changes: [String: String] = [:]) -> String {
  var fields = [
    "uuid": #""A1""#, "type": #""HKQuantityTypeIdentifierStepCount""#, "start": #""2025-06-10T08:00:00Z""#,
    "end": #""2025-06-10T08:10:00Z""#, "value": "12.5", "unit": #""count""#,
    "source": #"{"name":"Watch","bundle":"com.apple.health.1","productType":"Watch7,1"}"#,
  ]
  for (key, value) in changes { fields[key] = value.isEmpty ? nil : value }
  return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}

@Test(
  "an item is refused for its first fault, in the order of the rules",
  arguments: [
    (["unit": #""km""#, "source": ""], RefusalReason.badUnit), (["source": ""], .noSource),
    (["source": "{}"], .noSource),
    (["uuid": ""], .noID), (["uuid": "7"], nil), (["value": #""12,5""#], .badNumber), (["value": "true"], .badNumber),
    (["value": ""], .badNumber), (["value": #"" 12 ""#], nil), (["start": #""2025-06-10T08:00:00""#], .badDate),
    (["end": ""], .badDate), (["recorded": #""soon""#], .badDate), (["recorded": "null"], nil),
    (["end": #""2025-06-10T07:00:00Z""#], .endBeforeStart), (["start": #""1999-01-01T00:00:00Z""#], .tooOld),
    (["end": #""2025-06-10T12:11:00Z""#], .future), (["end": #""2025-06-10T12:09:00Z""#], nil),
    (["start": #""2025-06-05T08:00:00Z""#], .tooLong), (["value": "-1"], .negative), (["value": "1000001"], .absurd),
    (["unit": ""], nil), (["unit": #""steps""#], nil), (["type": #""stepCount""#], nil), (["type": ""], nil),
  ] as [([String: String], RefusalReason?)])
func refused(changes: [String: String], reason: RefusalReason?) throws {
  let upload = try read(#"{"added":["# + item(changes) + "," + item(["uuid": #""B2""#]) + "]}")
  #expect(upload.refused.map(\.reason) == (reason.map { [$0] } ?? []))
  #expect(upload.batch.samples.count == (reason == nil ? 2 : 1))
  #expect(upload.refused.first.map(\.item.record) ?? 1 == 1)
}

@Test("what a device is follows from its bundle and its product")
func classes() throws {
  for (source, expected, key) in [
    (#"{"bundle":"com.apple.health.X","productType":"Watch7,1"}"#, SourceClass.watch, "hk:com.apple.health.X"),
    (#"{"bundle":"com.apple.health.X","productType":"iPhone15,2"}"#, .phone, "hk:com.apple.health.X"),
    (#"{"bundle":"org.ring","productType":"Watch7,1"}"#, .other, "hk:org.ring"),
    (#"{"bundle":"com.apple.health.","productType":"Watch7,1"}"#, .other, "hk:com.apple.health."),
  ] {
    let upload = try read(#"{"added":["# + item(["source": source]) + "]}")
    #expect(upload.batch.sources.map(\.key) == [key])
    #expect(upload.batch.sources.map(\.sourceClass) == [expected])
  }
  let typed = try read(
    #"{"added":["# + item(["metadata": #"{"HKWasUserEntered":true,"HKTimeZone":"Asia/Tokyo"}"#]) + "]}")
  #expect(typed.batch.samples.map { typed.batch.sources[Int($0.source)].key } == ["manual"])
  #expect(typed.batch.zones == ["Asia/Tokyo"])
}

@Test("an upload says its batch, its zone and what it was asked; other types are left alone")
func envelope() throws {
  let upload = try read(
    #"{"later":{"a":[1,{"b":2}]},"zone":"Europe/Berlin","batch":"ABC","asked":[{"type":"stepCount","from":"2025-06-01T00:00:00Z","to":"2025-06-10T11:00:00.5Z","complete":true},{"type":"x"},7],"#
      + #""deleted":[{"uuid":"GONE","start":"2025-06-01T00:00:00Z"},{"uuid":""},null],"added":[{"type":"HKQuantityTypeIdentifierHeartRate"},17,null,{}]}"#
  )
  #expect(upload.id == "abc")
  #expect(upload.zone == "Europe/Berlin")
  #expect(upload.asked.count == 1)
  #expect(upload.asked.first?.interval.upperBound == Instant(milliseconds: 1_749_553_200_500))
  #expect(upload.batch.deletions.count == 1)
  #expect(upload.ignored == 1)
  #expect(upload.refused.map(\.reason) == [.noID, .noID, .noSource, .noSource, .noSource])
  #expect(upload.received == 7)
}

@Test("ids are compared without regard to case")
func ids() throws {
  let one = try read(#"{"added":["# + item(["uuid": #""aB-1""#]) + "]}").batch.samples.map(\.key)
  let other = try read(#"{"deleted":[{"uuid":"Ab-1"}]}"#).batch.deletions.map(\.key)
  #expect(one == other)
}

@Test(
  "a body that cannot be read is refused as a whole, and nothing traps",
  arguments: [
    "", "[]", "7", "{", #"{"added":{}}"#, #"{"added":[}"#, #"{"zone":"x"}"#, #"{"added":[{"uuid":]}"#,
    "{\"added\":[]}x",
  ])
func unreadable(text: String) {
  #expect(throws: UploadFault.self) { try read(text) }
}

@Test("cut at every byte, a body is refused; changed at every byte, it is read or refused")
func everyByte() throws {
  let whole = Array(
    (#"{"added":["# + item(["metadata": #"{"HKTimeZone":"Asia/Tokyo"}"#]) + #"],"deleted":[{"uuid":"a\u00e9"}]}"#).utf8)
  for length in 0..<whole.count {
    #expect(throws: UploadFault.self) { try HealthKitReader.read(Array(whole.prefix(length)), receivedAt: noon) }
  }
  for place in whole.indices {
    for byte in [0, 34, 44, 48, 92, 123, 125, 200, 255] as [UInt8] {
      var changed = whole
      changed[place] = byte
      _ = try? HealthKitReader.read(changed, receivedAt: noon)
      _ = try? HealthAutoExportReader.read(changed, aggregation: nil, zones: berlin, receivedAt: noon)
    }
  }
}

@Test("ten thousand items are read, one more is refused with the limit")
func tooMany() throws {
  let many = String(repeating: "{},", count: 9_999)
  #expect(try read(#"{"added":["# + many + "{}]}").refused.count == 10_000)
  #expect(throws: UploadFault.tooManyItems(limit: 10_000)) { try read(#"{"added":["# + many + "{},{}]}") }
}

@Test("a bucket is as long as the header says, a day ends at midnight, weeks are refused")
func buckets() throws {
  let body = Array(
    #"{"data":{"metrics":[{"data":[{"date":"2025-06-09 00:00:00 +0000","qty":5},{"qty":1}],"units":"count","name":"step_count"}]}}"#
      .utf8)
  func lengths(_ aggregation: String?) throws -> [Int64] {
    let upload = try HealthAutoExportReader.read(body, aggregation: aggregation, zones: berlin, receivedAt: noon)
    #expect(upload.refused.last?.reason == .badDate)
    return upload.batch.samples.map { $0.end.milliseconds(since: $0.start) / 1000 }
  }
  #expect(try lengths(nil) == [60])
  #expect(try lengths("Seconds") == [1])
  #expect(try lengths("Hours") == [3600])
  #expect(try lengths("Days") == [86_400])
  #expect(try lengths("Weeks") == [])
}

@Test("an empty export of the app is no fault")
func emptyExport() throws {
  let upload = try HealthAutoExportReader.read(
    Array(#"{"data":{}}"#.utf8), aggregation: nil, zones: berlin, receivedAt: noon)
  #expect(upload.received == 0)
  #expect(throws: UploadFault.self) {
    try HealthAutoExportReader.read(Array("{}".utf8), aggregation: nil, zones: berlin, receivedAt: noon)
  }
}
