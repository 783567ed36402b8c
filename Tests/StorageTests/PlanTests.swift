import Activity
import Testing

@testable import Storage

@Suite struct SnapshotKeysTests {
  private func key(_ high: UInt64) -> SampleKey { SampleKey(high: high, low: high &* 3) }

  @Test("it misses exactly the keys that were not there")
  func misses() {
    var keys = SnapshotKeys(pieceLength: 1_000, piecesKept: 1_000)
    for high in stride(from: 0, to: 300_000, by: 2) as StrideTo<UInt64> {
      keys.add(key(high &* 0x9e37_79b9_7f4a_7c15))
    }
    for high in 0..<3_000 as Range<UInt64> {
      let missed = keys.misses(key(high &* 0x9e37_79b9_7f4a_7c15))
      #expect(missed == (high % 2 == 1))
    }
    let another = keys.next()
    #expect(!another)
  }

  @Test("more keys than fit are looked at in several passes, each key in exactly one")
  func passes() {
    var keys = SnapshotKeys(pieceLength: 1_000, piecesKept: 2)
    let all = (0..<9_500 as Range<UInt64>).lazy.map { $0 &* 0x9e37_79b9_7f4a_7c15 }
    let strangers = (0..<1_000 as Range<UInt64>).map { ($0 &+ 9_500) &* 0x9e37_79b9_7f4a_7c15 }
    var missed: [UInt64] = []
    var passes = 0
    repeat {
      passes += 1
      for high in all { keys.add(key(high)) }
      missed += strangers.filter { keys.misses(key($0)) }
      for high in all.prefix(1_000) {
        let missed = keys.misses(key(high))
        #expect(!missed)
      }
    } while keys.next()
    #expect(passes > 1)
    #expect(missed.sorted() == strangers.sorted())
  }
}

@Suite struct NumberingTests {
  @Test("a source is its key and class; numbers go on from the largest")
  func numbers() throws {
    let phone = Source(key: "apple:iPhone", sourceClass: .phone, device: "iPhone")
    let app = Source(key: "apple:iPhone", sourceClass: .other, device: "An app")
    var numbering = Numbering(
      sources: [StoredSource(number: 4, source: phone, position: nil)], zones: [0: "Asia/Tokyo"])
    do {
      let number = try numbering.number(of: phone)
      #expect(number == 4)
    }
    do {
      let number = try numbering.number(of: app)
      #expect(number == 5)
    }
    do {
      let number = try numbering.number(of: app)
      #expect(number == 5)
    }
    do {
      let number = try numbering.number(ofZone: "Asia/Tokyo")
      #expect(number == 0)
    }
    do {
      let number = try numbering.number(ofZone: "+09:00")
      #expect(number == 1)
    }
    #expect(numbering.newSources.map(\.number) == [5])
    #expect(numbering.newZones.map(\.number) == [1])
  }

  @Test("more sources than numbers are refused, not a trap")
  func full() throws {
    let last = Source(key: "apple:last", sourceClass: .other, device: "")
    var numbering = Numbering(
      sources: [StoredSource(number: 32_767, source: last, position: nil)], zones: [:])
    let more = Source(key: "apple:one more", sourceClass: .other, device: "")
    #expect(throws: Problem.self) { _ = try numbering.number(of: more) }
  }
}
