public import Foundation

/// Batches on their way, one file each, in the order of their numbers; and the anchor that belongs to them.
///
/// A batch is on disk before it is sent and leaves only when the server has answered for it. The anchor is written after the batches that it
/// covers: a phone that dies in between asks its health store again, and the server recognises what it has.
public actor BatchQueue {
  private let folder: URL
  private var numbers: [Int]

  /// Opens or makes the folder. Throws what the file system says.
  public init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    numbers = names.filter { $0.hasSuffix(".json") }.compactMap { Int($0.dropLast(5)) }.sorted()
  }

  public var anchor: Data? { try? Data(contentsOf: anchorFile) }
  public var count: Int { numbers.count }

  /// Stores batches and, after them, the anchor.
  public func append(_ batches: [UploadBatch], anchor: Data?) throws {
    for batch in batches {
      let number = (numbers.last ?? 0) + 1
      try JSONEncoder().encode(batch).write(to: file(number), options: .atomic)
      numbers.append(number)
    }
    if let anchor { try anchor.write(to: anchorFile, options: .atomic) }
  }

  /// The oldest batch. A file that cannot be read is put aside, never silently lost.
  public func first() throws -> (number: Int, batch: UploadBatch)? {
    while let number = numbers.first {
      if let batch = try? JSONDecoder().decode(UploadBatch.self, from: Data(contentsOf: file(number))) {
        return (number, batch)
      }
      try putAside(number)
    }
    return nil
  }

  /// The server has it.
  public func remove(_ number: Int) throws {
    try FileManager.default.removeItem(at: file(number))
    numbers.removeAll { $0 == number }
  }

  /// Replaces a batch by two, which go next. The new files are written before the old one goes: a death in between only repeats items.
  public func replace(_ number: Int, by halves: (UploadBatch, UploadBatch)) throws {
    try append([halves.0, halves.1], anchor: nil)
    try remove(number)
  }

  /// What the server refuses for good is kept as `refused-<number>.json` for whoever looks into it.
  public func putAside(_ number: Int) throws {
    try FileManager.default.moveItem(at: file(number), to: folder.appendingPathComponent("refused-\(number).txt"))
    numbers.removeAll { $0 == number }
  }

  private var anchorFile: URL { folder.appendingPathComponent("anchor") }
  private func file(_ number: Int) -> URL { folder.appendingPathComponent("\(number).json") }
}
