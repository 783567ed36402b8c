import Files
import Glibc
import Testing

/// A folder that goes with the object.
private final class Room: Sendable {
  let path: String
  init() throws { path = try Folder.makeTemporary("stepwell-files") }
  deinit { try? Folder.remove(path) }
  var names: Set<String> { Set(((try? Folder.entries(of: path)) ?? []).map(\.name)) }
}

@Suite("Files")
struct FilesTests {
  @Test("a file is replaced as a whole, and read back")
  func replace() throws {
    let room = try Room()
    try Disk.replace(room.path + "/a", with: [1, 2, 3])
    try Disk.replace(room.path + "/a", with: [UInt8](repeating: 7, count: 200_000))
    #expect(try Disk.read(room.path + "/a") == [UInt8](repeating: 7, count: 200_000))
    #expect(room.names == ["a"])
    #expect(throws: FileFault(path: room.path + "/a", number: EFBIG)) { try Disk.read(room.path + "/a", limit: 9) }
    #expect(throws: FileFault(path: room.path + "/b", number: ENOENT)) { try Disk.read(room.path + "/b") }
    #expect(FileFault(path: "x", number: ENOENT).description == "x: No such file or directory")
  }

  @Test("a part becomes the file when it is finished, and goes when it is not")
  func part() throws {
    let room = try Room()
    var part: PartFile? = try PartFile(for: room.path + "/a")
    try part?.write([1, 2])
    #expect(room.names == ["a.part"])
    try part?.write([3])
    try part?.finish()
    part?.discard()
    part = nil
    #expect(try Disk.read(room.path + "/a") == [1, 2, 3])
    part = try PartFile(for: room.path + "/b")
    part = nil
    #expect(room.names == ["a"])
  }

  @Test("a part that somebody writes is left alone; one whose writer is gone goes")
  func abandoned() throws {
    let room = try Room()
    let path = room.path + "/a"
    let part = try PartFile(for: path)
    #expect(try !PartFile.removeAbandoned(path + ".part"))
    try part.write([1])
    try part.finish()
    #expect(room.names == ["a"])
    try Disk.replace(path + ".part", with: [9])
    #expect(try PartFile.removeAbandoned(path + ".part"))
    #expect(room.names == ["a"])
  }

  @Test("a part that was left behind is begun anew")
  func leftBehind() throws {
    let room = try Room()
    try Disk.replace(room.path + "/a.part", with: [9, 9, 9])
    let part = try PartFile(for: room.path + "/a")
    try part.write([1])
    try part.finish()
    #expect(try Disk.read(room.path + "/a") == [1])
  }

  @Test("a copy has the bytes of its original")
  func copy() throws {
    let room = try Room()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Disk.replace(room.path + "/a", with: bytes)
    let part = try PartFile(for: room.path + "/b")
    #expect(try Disk.copy(room.path + "/a", into: part) == 3_000_000)
    try part.finish()
    #expect(try Disk.read(room.path + "/b") == bytes)
  }

  @Test("folders are made with those above them; a file in the way is a fault")
  func folders() throws {
    let room = try Room()
    try Folder.make(room.path + "/x/y")
    try Folder.make(room.path + "/x/y")
    try Disk.replace(room.path + "/x/y/file", with: [])
    #expect(throws: FileFault.self) { try Folder.make(room.path + "/x/y/file") }
    #expect(Folder.of("/a/b") == "/a" && Folder.of("/a") == "/" && Folder.of("a") == ".")
    #expect(try Folder.freeBytes(room.path) > 0)
    #expect(throws: FileFault.self) { try Folder.freeBytes(room.path + "/none") }
    try Folder.remove(room.path + "/x/y")
    #expect(rmdir(room.path + "/x") == 0)
  }
}
