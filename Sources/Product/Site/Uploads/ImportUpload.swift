import Activity
import Bytes
import EventLoop
import Files
import HTTP
import People

/// Where uploads are written before they are read.
package struct ImportRoom: Sendable {
  package let folder: String
  /// Bytes of the disk that are left to the database.
  package let reserve: Int64

  package init(folder: String, reserve: Int64 = 256 << 20) {
    self.folder = folder
    self.reserve = reserve
  }

  /// Under its own name a file is always whole.
  func path(of id: ImportID) -> String { folder + "/" + id.description }
}

/// Brings one uploaded file to disk as a `PartFile`, so that a file under its own name is always whole. The socket is read
/// only as fast as the disk takes the bytes.
final class ImportUpload {
  /// What arrived.
  struct File {
    let name: String
    let bytes: Int64
  }

  /// Zipped or not, a file may have so many bytes (security.md "Wire limits").
  static let largest: Int64 = 4 << 30
  /// Bytes handed to the worker thread at once.
  private static let block = 1 << 20
  /// After how many bytes the room on the disk is looked at again.
  private static let between: Int64 = 64 << 20

  private let room: ImportRoom
  private let path: String
  private let poller: Poller
  private var part: PartFile?
  private var written: Int64 = 0

  init(_ room: ImportRoom, id: ImportID, poller: Poller) {
    self.room = room
    path = room.path(of: id)
    self.poller = poller
  }

  /// Reads the form to its end. Nothing is written before the form token was found right.
  func receive(_ request: Request, token: FormToken) async throws(UploadFault) -> File {
    if let length = request.body.length {
      let size = Int64(length)
      if size > Self.largest + 65_536 { throw .tooLarge(limit: Self.largest, size: size) }
      if size > (await freeSpace()) { throw .diskFull }
    }
    let form = try await Self.translated { () throws(MultipartError) in try Multipart(request) }
    var isTrusted = false
    while let part = try await Self.translated({ () throws(MultipartError) in try await form.next() }) {
      if part.name == FormToken.field {
        let text = try await Self.translated { () throws(MultipartError) in try await form.text(limit: 256) }
        isTrusted = token.accepts(text)
      } else if part.name == "file" {
        guard isTrusted else { throw .stale }
        let file = try await store(form, name: part.fileName ?? "")
        // The rest of the form: a file that broke off is not kept.
        while try await Self.translated({ () throws(MultipartError) in try await form.next() }) != nil {}
        try await finish()
        return file
      }
    }
    throw isTrusted ? .noFile : .stale
  }

  /// Takes away what a failed upload left. Harmless afterwards and when nothing was written.
  /// `wholeToo`: also a file that had arrived, as its import is surely not recorded.
  func discard(wholeToo: Bool) async {
    let (part, path) = (part, path)
    self.part = nil
    if part == nil, written == 0 || !wholeToo { return }
    // What cannot be taken away now is taken by the hourly cleaning.
    _ = try? await poller.onWorker { if let part { part.discard() } else { try Disk.remove(path) } }
  }

  private func store(_ form: Multipart, name: String) async throws(UploadFault) -> File {
    var block: [UInt8] = []
    while let piece = try await Self.translated({ () throws(MultipartError) in try await form.read() }) {
      block.append(contentsOf: piece)
      if block.count >= Self.block {
        try await write(block)
        block.removeAll(keepingCapacity: true)
      }
    }
    try await write(block)
    if written == 0 { throw .noFile }
    return File(name: Self.shown(name), bytes: written)
  }

  private func write(_ block: [UInt8]) async throws(UploadFault) {
    if block.isEmpty { return }
    if written == 0 { try await begin(with: block) }
    written += Int64(block.count)
    if written > Self.largest { throw .tooLarge(limit: Self.largest, size: nil) }
    guard let part else { throw .cutOff }
    if written / Self.between != (written - Int64(block.count)) / Self.between, await freeSpace() < 0 {
      throw .diskFull
    }
    try await work { () throws(FileFault) in try part.write(block) }
  }

  /// Opens the file unless its first bytes are those of a picture, a film or a document: nobody waits for gigabytes of
  /// these. Everything else is looked into by the import itself.
  private func begin(with block: [UInt8]) async throws(UploadFault) {
    if Self.looksLikeSomethingElse(block) { throw .notAnExport }
    let path = path
    part = try await work { () throws(FileFault) in try PartFile(for: path) }
  }

  private func finish() async throws(UploadFault) {
    guard let part else { throw .noFile }
    try await work { () throws(FileFault) in try part.finish() }
    self.part = nil
  }

  private func work<T: Sendable>(
    _ body: @escaping @Sendable () throws(FileFault) -> T
  ) async throws(UploadFault) -> T {
    let result: Result<T, FileFault>
    do { result = try await poller.onWorker { Result(catching: body) } } catch {
      throw .problem(Problem(.unavailable, "The server is busy. Try again in a moment."))
    }
    do throws(FileFault) { return try result.get() } catch {
      if error.isFull { throw .diskFull }
      throw .problem(
        Problem(.internal, "The file could not be written to the server's disk.", cause: error.description))
    }
  }

  /// What may still be written; below 0 when the reserve is touched. Asked on a worker: a network disk may take its time. One
  /// that cannot be asked stops nobody: writing will tell.
  private func freeSpace() async -> Int64 {
    let folder = room.folder
    return ((try? await poller.onWorker { try Folder.freeBytes(folder) }) ?? .max) - room.reserve
  }

  private static func looksLikeSomethingElse(_ bytes: [UInt8]) -> Bool {
    let signs: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("%PDF".utf8), Array("GIF8".utf8), Array("RIFF".utf8),
      Array("Rar!".utf8), [0x37, 0x7A, 0xBC, 0xAF], [0x1F, 0x8B], Array("{".utf8), Array("[".utf8),
    ]
    return signs.contains { bytes.starts(with: $0) } || bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  /// The name as lists show it: without folders and control characters, at most 360 bytes.
  private static func shown(_ name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let clean = String(String.UnicodeScalarView(last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    return clean.isEmpty ? "export" : clean.cut(toBytes: 360)
  }

  private static func translated<T>(_ body: () async throws(MultipartError) -> T) async throws(UploadFault) -> T {
    do {
      return try await body()
    } catch {
      switch error {
      case .wrongType: throw .wrongForm
      case .malformed, .truncated, .body(.malformed), .body(.tooSlow), .body(.disconnected): throw .cutOff
      case .tooLarge: throw .wrongForm
      case .body(.tooLarge(let limit)): throw .tooLarge(limit: Int64(limit), size: nil)
      }
    }
  }
}
