import EventLoop
import Support
import Testing

@testable import Postgres

/// SplitMix64: the same values on each run.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func number<T: FixedWidthInteger>(_: T.Type) -> T {
    switch next() % 6 {
    case 0: 0
    case 1: .max
    case 2: .min
    case 3: 1
    default: T(truncatingIfNeeded: next())
    }
  }

  mutating func double() -> Double {
    switch next() % 8 {
    case 0: .nan
    case 1: .infinity
    case 2: -.infinity
    case 3: -0.0
    case 4: .leastNonzeroMagnitude
    default: Double(bitPattern: next() & ~(1 << 62))
    }
  }

  mutating func text() -> String {
    let letters: [Character] = ["a", "Z", "0", " ", "'", "\\", "\"", "{", "}", ",", "ß", "ж", "漢", "👩‍👧", "\n", "\t"]
    return String((0..<Int(next() % 12)).compactMap { _ in letters.randomElement(using: &self) })
  }

  /// Within the server's range: 4713 BC … 294276 AD.
  mutating func instant() -> Int64 {
    next() % 8 == 0 ? .max : Int64(next() % 18_000_000_000_000_000_000 >> 6) - 100_000_000_000_000_000
  }
  mutating func date() -> Int32 { next() % 8 == 0 ? .min : Int32(next() % 3_000_000) - 1_000_000 }

  mutating func list<T>(_ make: (inout Dice) -> T) -> [T] {
    let count = next() % 3 == 0 ? 0 : next() % 40
    return (0..<count).map { _ in make(&self) }
  }
  mutating func gaps<T>(_ make: (inout Dice) -> T) -> [T?] {
    list { $0.next() % 3 == 0 ? nil : make(&$0) }
  }
}

@Suite struct CodecTests {
  static let scalars = Statement(
    "ct_scalars", "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10",
    [.bool, .int16, .int32, .int64, .double, .text, .bytes, .date, .instant, .uuid],
    returns: [.bool, .int16, .int32, .int64, .double, .text, .bytes, .date, .instant, .uuid])
  static let lists = Statement(
    "ct_lists", "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10",
    [.bools, .int16s, .int32s, .int64s, .doubles, .texts, .bytesList, .dates, .instants, .uuids],
    returns: [.bools, .int16s, .int32s, .int64s, .doubles, .texts, .bytesList, .dates, .instants, .uuids])
  static let gaps = Statement(
    "ct_gaps", "SELECT $1, $2, $3, $4, $5, $6", [.int16s, .int32s, .int64s, .doubles, .texts, .instants])

  @Test("every single value comes back from the server as it went", arguments: [1, 2, 3])
  func scalarsRoundTrip(seed: UInt64) async throws {
    try await House().run { pool in
      var dice = Dice(state: seed)
      for _ in 0..<100 {
        let (a, b, c, d) = (
          dice.next() & 1 == 0, dice.number(Int16.self), dice.number(Int32.self), dice.number(Int64.self)
        )
        let (e, f, g) = (dice.double(), dice.text(), dice.list { UInt8(truncatingIfNeeded: $0.next()) })
        let (h, i, j) = (dice.date(), dice.instant(), (dice.next(), dice.next()))
        let rows = try await pool.query(
          Self.scalars,
          [
            .bool(a), .int16(b), .int32(c), .int64(d), .double(e), .text(f), .bytes(g), .date(h), .instant(i),
            .uuid(j.0, j.1),
          ])
        let row = rows[0]
        #expect(row.bool(0) == a && row.int16(1) == b && row.int32(2) == c && row.int64(3) == d)
        #expect(row.double(4).bitPattern == e.bitPattern && row.text(5) == f && row.bytes(6) == g)
        #expect(row.date(7) == h && row.instant(8) == i && row.uuid(9) == j)
        try rows.verify()
      }
    }
  }

  @Test("every list comes back as it went, empty ones too", arguments: [4, 5, 6])
  func listsRoundTrip(seed: UInt64) async throws {
    try await House().run { pool in
      var dice = Dice(state: seed)
      for _ in 0..<40 {
        let (a, b) = (dice.list { $0.next() & 1 == 0 }, dice.list { $0.number(Int16.self) })
        let (c, d) = (dice.list { $0.number(Int32.self) }, dice.list { $0.number(Int64.self) })
        let (e, f) = (dice.list { $0.double() }, dice.list { $0.text() })
        let g = dice.list { $0.list { UInt8(truncatingIfNeeded: $0.next()) } }
        let (h, i) = (dice.list { $0.date() }, dice.list { $0.instant() })
        let j = dice.list { ($0.next(), $0.next()) }
        let rows = try await pool.query(
          Self.lists,
          [
            .bools(a), .int16s(b), .int32s(c), .int64s(d), .doubles(e), .texts(f), .bytesList(g), .dates(h),
            .instants(i), .uuids(j),
          ])
        let row = rows[0]
        #expect(row.bools(0) == a && row.int16s(1) == b && row.int32s(2) == c && row.int64s(3) == d)
        #expect(row.doubles(4).map(\.bitPattern) == e.map(\.bitPattern) && row.texts(5) == f && row.bytesList(6) == g)
        #expect(row.dates(7) == h && row.instants(8) == i && row.uuids(9).elementsEqual(j, by: ==))
        try rows.verify()
      }
    }
  }

  @Test("lists with gaps keep their gaps")
  func gapsRoundTrip() async throws {
    try await House().run { pool in
      var dice = Dice(state: 7)
      for _ in 0..<40 {
        let (a, b, c) = (
          dice.gaps { $0.number(Int16.self) }, dice.gaps { $0.number(Int32.self) }, dice.gaps { $0.number(Int64.self) }
        )
        let (d, e, f) = (
          dice.gaps { Double($0.number(Int32.self)) }, dice.gaps { $0.text() }, dice.gaps { $0.instant() }
        )
        let rows = try await pool.query(
          Self.gaps,
          [
            .int16sOrNil(a), .int32sOrNil(b), .int64sOrNil(c), .doublesOrNil(d), .textsOrNil(e), .instantsOrNil(f),
          ])
        let row = rows[0]
        #expect(row.optionalInt16s(0) == a && row.optionalInt32s(1) == b && row.optionalInt64s(2) == c)
        #expect(row.optionalDoubles(3) == d && row.optionalTexts(4) == e && row.optionalInstants(5) == f)
        try rows.verify()
        if a.contains(nil) {
          #expect(row.int16s(0) == [])
          #expect(throws: PostgresError.self) { try rows.verify() }
        }
      }
    }
  }

  @Test("NULL is nil in every optional reader")
  func nulls() async throws {
    try await House().run { pool in
      let rows = try await pool.query(Self.scalars, [Parameter](repeating: .null, count: 10))
      let row = rows[0]
      #expect(row.optionalBool(0) == nil && row.optionalInt16(1) == nil && row.optionalInt32(2) == nil)
      #expect(row.optionalInt64(3) == nil && row.optionalDouble(4) == nil && row.optionalText(5) == nil)
      #expect(row.optionalBytes(6) == nil && row.optionalDate(7) == nil && row.optionalInstant(8) == nil)
      #expect(row.optionalUUID(9) == nil)
      try rows.verify()
    }
  }

  static let spoken = Statement(
    "ct_spoken",
    "SELECT $1::text, ($2 AT TIME ZONE 'UTC')::text, $3::text, $4::text, $5::text, $6::jsonb, $7::text",
    [.date, .instant, .uuid, .doubles, .bools, .json, .dates])

  @Test("the server understands what we mean")
  func meaning() async throws {
    try await House().run { pool in
      let rows = try await pool.query(
        Self.spoken,
        [
          .date(0), .instant(1_700_000_000_123_456), .uuid(0x0011_2233_4455_6677, 0x8899_aabb_ccdd_eeff),
          .doubles([1.5, .infinity, .nan]), .bools([true, false]), .json(#"{"a": [1, null, "ß"]}"#),
          .dates([19_723, .max]),
        ])
      let row = rows[0]
      #expect(row.text(0) == "1970-01-01")
      #expect(row.text(1) == "2023-11-14 22:13:20.123456")
      #expect(row.text(2) == "00112233-4455-6677-8899-aabbccddeeff")
      #expect(row.text(3) == "{1.5,Infinity,NaN}")
      #expect(row.text(4) == "{t,f}")
      #expect(row.text(5) == #"{"a": [1, null, "ß"]}"#)
      #expect(row.text(6) == "{2024-01-01,infinity}")
      try rows.verify()
    }
  }

  @Test("what the server cannot hold is refused, not bent")
  func outOfRange() async throws {
    let instant = Statement("ct_instant", "SELECT $1", [.instant])
    try await House().run { pool in
      for value in [Int64.min + 1, Int64.min + 2, -300_000_000_000_000_000] {
        let error = await #expect(throws: PostgresError.self) { _ = try await pool.query(instant, [.instant(value)]) }
        #expect(error?.state == "22008")
      }
      let zero = await #expect(throws: PostgresError.self) {
        _ = try await pool.query(.echo, [.int64(1), .text("a\0b")])
      }
      #expect(zero?.state == "22021")
    }
  }
}
