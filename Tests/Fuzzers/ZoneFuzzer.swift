// rooms: Bytes Activity
import Activity

/// Time-zone files (TZif): any bytes give rules or nil, and rules give spans that hold the moment that was asked for.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = ZoneRules(offset: String(decoding: bytes.prefix(12), as: UTF8.self))
  guard let rules = ZoneRules(name: "Fuzz/Zone", tzif: bytes) else { return 0 }
  for seconds in [0, 1_796_000_000, -3_000_000_000, 4_102_444_800, 1 << 40, -(1 << 40), 951_782_400] as [Int64] {
    let span = rules.span(at: seconds)
    check(span.from <= seconds && seconds < span.until, "\(seconds) is not in \(span)")
    check(rules.offset(at: span.from) == span.offset)
  }
  let history = ZoneHistory(rules)
  let day = history.day(at: Instant(milliseconds: 1_796_000_000_000))
  let interval = history.interval(of: day)
  check(interval.lowerBound <= interval.upperBound)
  check(!history.slots(of: day).isEmpty || interval.isEmpty)
  return 0
}
