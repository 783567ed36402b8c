import Activity
package import Archive

/// Finds the health data of an Apple export: the file itself, or the one entry of a zip that holds it. Judged by content,
/// never by name: the name follows the language of the phone.
package enum AppleExport {
  /// The bytes of the XML document in the file at `path`. Blocks; throws what makes the whole file useless.
  package static func open(_ path: String, limits: ZipLimits = ZipLimits()) throws(IntakeProblem) -> ByteSource {
    let document: ByteSource?
    do throws(ArchiveError) { document = try find(path, limits) } catch { throw problem(error) }
    guard let document else {
      throw .refused(.notAHealthExport, detail: "no HealthData in the first 64 KiB")
    }
    return document
  }

  /// Nil if the file is neither a health export nor a zip file.
  private static func find(_ path: String, _ limits: ZipLimits) throws(ArchiveError) -> ByteSource? {
    let head = try ByteSource.file(path).read(upTo: ZipArchive.headBytes)
    // First the zip: an entry that is not compressed would look like the document itself.
    if !ZipArchive.beginsLikeZip(head) {
      if rating(head) != nil { return try .file(path) }
      guard try ZipArchive.hasDirectory(path) else { return nil }
    }
    guard let entry = try ZipArchive.open(path, limits: limits, rate: rating) else { throw .notThisFormat }
    return entry
  }

  /// What a failure of the archive means for the file.
  static func problem(_ error: ArchiveError) -> IntakeProblem {
    switch error {
    case .unreadable(let errno): .unreadable(errno: errno)
    case .entityDeclaration: .refused(.entityDeclaration, detail: "the document type declares entities")
    case .tooLarge: .refused(.tooLarge, detail: "more than the limits of an archive allow")
    case .encrypted: .refused(.noHealthDataInZip, detail: "the zip file needs a password")
    case .cut: .refused(.noHealthDataInZip, detail: "the zip file is damaged")
    case .notThisFormat: .refused(.noHealthDataInZip, detail: "no entry of the zip file holds HealthData")
    }
  }

  /// 2 if the first element is HealthData, 1 if it is only mentioned in the front of the bytes, nil otherwise.
  static func rating(_ head: [UInt8]) -> Int? {
    let marks = [Array("<!DOCTYPE HealthData".utf8), Array("<HealthData".utf8)]
    guard marks.contains(where: { contains($0, in: head) }) else { return nil }
    do throws(ArchiveError) { return try XMLReader.firstElement(in: head) == "HealthData" ? 2 : 1 } catch { return 2 }
  }

  private static func contains(_ mark: [UInt8], in bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: mark[0]) {
      rest = rest[start...]
      if rest.starts(with: mark) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
