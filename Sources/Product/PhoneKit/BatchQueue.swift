#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Batches on their way, one file each, in order; and the anchor that belongs to them.
///
/// A batch is on disk, flushed, before it is sent and leaves only when the server has answered for it. The anchor is written after the batches
/// that it covers: a phone that dies in between asks its health store again, and the server recognises what it has. A file holds the batch's id
/// in its first line and then the very bytes that are sent, so that a repeat is the same to the byte, even by a newer version of the app.
public actor BatchQueue {
  /// Where a batch stands. What one is replaced by stands in its place: 12, 12-1, 12-2, 13.
  public struct Ticket: Hashable, Comparable, Sendable {
    var path: [Int]

    var name: String { path.map(String.init).joined(separator: "-") }

    init(path: [Int]) { self.path = path }

    init?(name: Substring) {
      path = []
      for part in name.split(separator: "-", omittingEmptySubsequences: false) {
        guard let number = Int(part) else { return nil }
        path.append(number)
      }
    }

    public static func < (one: Ticket, other: Ticket) -> Bool { one.path.lexicographicallyPrecedes(other.path) }
  }

  /// A batch as it is sent.
  public struct Waiting: Sendable, Equatable {
    public var ticket: Ticket
    public var id: String
    public var body: Data
  }

  private let folder: URL
  private var tickets: [Ticket]
  private var lastNumber: Int
  /// Batches that the server refused for good; they are kept as `refused-….txt` for whoever looks into it.
  public private(set) var refused: Int

  /// Opens or makes the folder. Throws what the file system says.
  public init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    tickets = names.filter { $0.hasSuffix(".json") }.compactMap { Ticket(name: $0.dropLast(5)) }.sorted()
    let aside = names.filter { $0.hasPrefix("refused-") }
    refused = aside.count
    let numbers = tickets + aside.compactMap { Ticket(name: $0.dropFirst(8).dropLast(4)) }
    lastNumber = numbers.compactMap(\.path.first).max() ?? 0
  }

  public var anchor: Data? { try? Data(contentsOf: anchorFile) }
  public var count: Int { tickets.count }

  /// Stores batches and, after them, the anchor.
  public func append(_ batches: [UploadBatch], anchor: Data?) throws {
    for batch in batches {
      try store(batch, at: Ticket(path: [lastNumber + 1]))
      lastNumber += 1
    }
    if let anchor { try DurableFile.write(anchor, to: anchorFile) }
  }

  /// The oldest batch. A file that cannot be read is put aside, never silently lost.
  public func first() throws -> Waiting? {
    while let ticket = tickets.first {
      let bytes = (try? Data(contentsOf: file(ticket))) ?? Data()
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > bytes.startIndex {
        let id = String(decoding: bytes[..<end], as: UTF8.self)
        return Waiting(ticket: ticket, id: id, body: Data(bytes[(end + 1)...]))
      }
      try putAside(ticket)
    }
    return nil
  }

  /// The server has it.
  public func remove(_ ticket: Ticket) throws {
    try FileManager.default.removeItem(at: file(ticket))
    tickets.removeAll { $0 == ticket }
  }

  /// The same items under another id, in the same place.
  public func rename(_ ticket: Ticket, as batch: UploadBatch) throws { try store(batch, at: ticket) }

  /// Puts others in a batch's place. They are on disk before it goes: a death in between only repeats items.
  public func replace(_ ticket: Ticket, by batches: [UploadBatch]) throws {
    for (place, batch) in batches.enumerated() { try store(batch, at: Ticket(path: ticket.path + [place + 1])) }
    try remove(ticket)
  }

  /// The server refuses it for good.
  public func putAside(_ ticket: Ticket) throws {
    let place = folder.appendingPathComponent("refused-\(ticket.name).txt")
    try? FileManager.default.removeItem(at: place)  // of a life before: a queue that was copied back
    try FileManager.default.moveItem(at: file(ticket), to: place)
    tickets.removeAll { $0 == ticket }
    refused += 1
  }

  private func store(_ batch: UploadBatch, at ticket: Ticket) throws {
    try DurableFile.write(Data("\(batch.batch)\n".utf8) + batch.body(), to: file(ticket))
    guard !tickets.contains(ticket) else { return }
    tickets.append(ticket)
    tickets.sort()
  }

  private var anchorFile: URL { folder.appendingPathComponent("anchor") }
  private func file(_ ticket: Ticket) -> URL { folder.appendingPathComponent(ticket.name + ".json") }
}

/// Files that a loss of power leaves whole: old or new.
enum DurableFile {
  /// Atomic, and flushed to the disk when this returns: what is written after it cannot be there without it.
  static func write(_ data: Data, to url: URL) throws {
    try data.write(to: url, options: .atomic)
    try flush(url.path, O_RDWR)
    try flush(url.deletingLastPathComponent().path, O_RDONLY)
  }

  private static func flush(_ path: String, _ mode: Int32) throws {
    let descriptor = open(path, mode | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
