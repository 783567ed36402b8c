import Activity
import Glibc
import EventLoop
import HTTP
import People

/// Brings one uploaded file to disk: written as `<id>.part` beside its final place, flushed, then renamed, so that a
/// file under its own name is always whole. The socket is read only as fast as the disk takes the bytes.
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

  private let path: String
  private let poller: Poller
  private var descriptor: Int32 = -1
  private var written: Int64 = 0

  init(folder: String, id: ImportID, poller: Poller) {
    path = folder + "/" + id.description
    self.poller = poller
  }

  /// Reads the form to its end. Nothing is written before the form token was found right.
  func receive(_ request: Request, token: FormToken) async throws(UploadFault) -> File {
    if let length = request.body.length {
      let size = Int64(length)
      if size > Self.largest + 65_536 { throw .tooLarge(limit: Self.largest, size: size) }
      if size > freeSpace() { throw .diskFull }
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
  func discard() async {
    let (descriptor, path) = (descriptor, path + ".part")
    self.descriptor = -1
    guard descriptor >= 0 else { return }
    _ = try? await poller.onWorker {
      close(descriptor)
      unlink(path)
    }
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
    let descriptor = descriptor
    let failure = try await work { Self.writeAll(block, to: descriptor) }
    try check(failure)
  }

  /// Opens the file unless its first bytes are those of a picture, a film or a document: nobody waits for gigabytes of
  /// these. Everything else is looked into by the import itself.
  private func begin(with block: [UInt8]) async throws(UploadFault) {
    if Self.looksLikeSomethingElse(block) { throw .notAnExport }
    let part = path + ".part"
    let opened = try await work { () -> (Int32, Int32) in
      let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      return (descriptor, descriptor < 0 ? errno : 0)
    }
    descriptor = opened.0
    try check(opened.1)
  }

  private func finish() async throws(UploadFault) {
    let (descriptor, path) = (descriptor, path)
    self.descriptor = -1
    let failure = try await work { () -> Int32 in
      guard fsync(descriptor) == 0 else {
        defer {
          close(descriptor)
          unlink(path + ".part")
        }
        return errno
      }
      close(descriptor)
      return rename(path + ".part", path) == 0 && Self.syncFolder(of: path) ? 0 : errno
    }
    try check(failure)
  }

  private func work<T: Sendable>(_ body: @escaping @Sendable () -> T) async throws(UploadFault) -> T {
    do {
      return try await poller.onWorker(body)
    } catch {
      throw .problem(Problem(.unavailable, "The server is busy. Try again in a moment."))
    }
  }

  private func check(_ failure: Int32) throws(UploadFault) {
    switch failure {
    case 0: return
    case ENOSPC, EDQUOT, EFBIG: throw .diskFull
    default:
      throw .problem(
        Problem(.internal, "The file could not be written to the server's disk.", cause: "errno \(failure) at \(path)"))
    }
  }

  private func freeSpace() -> Int64 {
    var facts = statvfs()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard statvfs(folder, &facts) == 0 else { return .max }
    return Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
  }

  private static func writeAll(_ block: [UInt8], to descriptor: Int32) -> Int32 {
    var sent = 0
    while sent < block.count {
      let count = block[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return errno }
      sent += max(count, 0)
    }
    return 0
  }

  private static func syncFolder(of path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private static func looksLikeSomethingElse(_ bytes: [UInt8]) -> Bool {
    let signs: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("%PDF".utf8), Array("GIF8".utf8), Array("RIFF".utf8),
      Array("Rar!".utf8), [0x37, 0x7A, 0xBC, 0xAF], [0x1F, 0x8B], Array("{".utf8), Array("[".utf8),
    ]
    return signs.contains { bytes.starts(with: $0) } || bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  /// The name as lists show it: without folders and control characters, at most 120 characters.
  private static func shown(_ name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let clean = String(String.UnicodeScalarView(last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    return clean.isEmpty ? "export" : String(clean.prefix(120))
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
