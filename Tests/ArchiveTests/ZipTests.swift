import Archive
import Glibc
import Support
import Testing

/// Everything that a source gives, in pieces of `size`.
private func drained(_ source: ByteSource, by size: Int = 1000) throws(ArchiveError) -> [UInt8] {
  var all: [UInt8] = []
  while true {
    let piece = try source.read(upTo: size)
    all += piece
    if piece.count < size { return all }
  }
}

private func rating(_ head: [UInt8]) -> Int? { String(decoding: head, as: UTF8.self).contains("<HealthData") ? 1 : nil }

private func path(_ name: String) -> String { Repository.root + "/Tests/Fixtures/" + name }

@Suite("Zip")
struct ZipTests {
  @Test(
    "the entry is found by its content in every kind of zip",
    arguments: ["zip-streamed", "zip-stored", "zip64", "zip-names", "zip-two-exports", "zip-behind-junk"])
  func kinds(name: String) throws {
    let source = try #require(try ZipArchive.open(path("cases-own/\(name)/export.zip"), rate: rating))
    let text = String(decoding: try drained(source), as: UTF8.self)
    #expect(text.hasPrefix("<?xml") && text.hasSuffix("</HealthData>\n") && text.contains("value=\"60\""))
    #expect(source.filePosition > 0 && source.filePosition <= source.fileBytes)
  }

  @Test("an entry that was not meant, an empty archive and a nested one give nothing")
  func nothing() throws {
    for name in ["zip-without-data", "zip-empty", "zip-in-zip"] {
      #expect(try ZipArchive.open(path("cases-own/\(name)/export.zip"), rate: rating) == nil)
    }
  }

  @Test("a password is said to be missing")
  func locked() {
    #expect(throws: ArchiveError.encrypted) {
      try ZipArchive.open(path("cases-own/zip-locked/export.zip"), rate: rating)
    }
  }

  @Test("what breaks off in the middle gives what came before, then says so")
  func cut() throws {
    let source = try #require(try ZipArchive.open(path("cases-own/zip-cut-in-data/export.zip"), rate: rating))
    #expect(try source.read(upTo: 10_000).count == 10_000)
    #expect(throws: ArchiveError.cut) { while try !source.read(upTo: 10_000).isEmpty {} }
  }

  @Test("packed size, unpacked size, ratio and number of entries have limits")
  func limits() throws {
    let export = path("cases-own/zip-cut-behind-data/export.zip")
    let changes: [(inout ZipLimits) -> Void] = [
      { $0.packedBytes = 100 }, { $0.unpackedBytes = 20_000 },
      {
        $0.ratio = 2
        $0.ratioFrom = 1000
      },
    ]
    for change in changes {
      var limits = ZipLimits()
      change(&limits)
      #expect(throws: ArchiveError.tooLarge) {
        guard let source = try ZipArchive.open(export, limits: limits, rate: rating) else { return }
        _ = try drained(source)
      }
    }
    var few = ZipLimits()
    few.entries = 1
    #expect(throws: ArchiveError.tooLarge) {
      try ZipArchive.open(path("cases-own/zip-without-data/export.zip"), limits: few, rate: rating)
    }
  }

  @Test("a file that is not there and a folder are unreadable, not empty")
  func unreadable() {
    #expect(throws: ArchiveError.unreadable(errno: ENOENT)) { try ByteSource.file(path("nowhere")) }
    #expect(throws: ArchiveError.unreadable(errno: EISDIR)) { try ByteSource.file(path("cases")) }
  }
}

@Suite("Gzip")
struct GzipTests {
  private let page = Array(String(repeating: "<p>10,234 steps</p>", count: 2000).utf8)

  @Test("what an encoder packs a decoder unpacks, again and again")
  func roundTrip() throws {
    let encoder = GzipEncoder()
    for bytes in [page, [], [1], Array(page[..<777])] {
      var packed: [UInt8] = [42]
      #expect(encoder.encode(bytes, into: &packed))
      #expect(packed.first == 42)
      #expect(try GzipDecoder.decode(Array(packed.dropFirst()), limit: 1 << 20) == bytes)
    }
  }

  @Test("a stream in pieces is one member")
  func stream() throws {
    let encoder = GzipEncoder()
    var packed: [UInt8] = []
    #expect(encoder.start())
    for start in stride(from: 0, to: page.count, by: 9000) {
      #expect(encoder.add(Array(page[start..<min(start + 9000, page.count)]), into: &packed))
    }
    #expect(encoder.finish(into: &packed))
    #expect(try GzipDecoder.decode(packed, limit: page.count) == page)
  }

  @Test("a bomb, a cut and something else are told apart")
  func faults() {
    var packed: [UInt8] = []
    #expect(GzipEncoder().encode([UInt8](repeating: 0, count: 5 << 20), into: &packed))
    #expect(throws: ArchiveError.tooLarge) { try GzipDecoder.decode(packed, limit: 1 << 20) }
    #expect(throws: ArchiveError.cut) { try GzipDecoder.decode(Array(packed.dropLast(9)), limit: 6 << 20) }
    #expect(throws: ArchiveError.notThisFormat) { try GzipDecoder.decode(Array("plain".utf8), limit: 100) }
    #expect(throws: ArchiveError.cut) { try GzipDecoder.decode([], limit: 100) }
  }

  @Test("members behind each other are one text")
  func members() throws {
    let encoder = GzipEncoder()
    var packed: [UInt8] = []
    #expect(encoder.encode(Array("ab".utf8), into: &packed) && encoder.encode(Array("cd".utf8), into: &packed))
    #expect(try GzipDecoder.decode(packed, limit: 10) == Array("abcd".utf8))
  }
}
