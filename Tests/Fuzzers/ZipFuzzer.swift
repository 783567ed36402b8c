// rooms: Bytes Archive
import Archive
import Glibc

/// Zip files and gzip, through our glue over libarchive and zlib: limits hold, damaged files are told, nothing stops.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let unpacked = try? GzipDecoder.decode(bytes, limit: 1 << 16) { check(unpacked.count <= 1 << 16) }
  withFile(bytes) { path in
    var limits = ZipLimits()
    limits.unpackedBytes = 1 << 18
    limits.ratioFrom = 1 << 16
    limits.entries = 64
    _ = ZipArchive.beginsLikeZip(bytes)
    _ = try? ZipArchive.hasDirectory(path)
    guard let source = try? ZipArchive.open(path, limits: limits, rate: { head in head.first.map { Int($0) % 3 } })
    else { return }
    var total = 0
    while let piece = try? source.read(upTo: 4096), !piece.isEmpty { total += piece.count }
    check(total <= 1 << 18)
  }
  return 0
}

/// One file in memory for all runs, with these bytes and nothing else.
private func withFile(_ bytes: [UInt8], _ body: (String) -> Void) {
  let descriptor = file
  guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
    fatalError("no file")
  }
  body("/proc/self/fd/\(descriptor)")
}

private let file: CInt = {
  var template = Array("/dev/shm/stepwell-fuzz-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  unlink(template)
  return descriptor
}()
