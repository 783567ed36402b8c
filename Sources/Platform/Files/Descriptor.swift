import CLinux
import Glibc

/// An open file with its owner: closed when the object goes. One thread at a time.
final class Descriptor: Sendable {
  let number: Int32
  let path: String
  private let isOwn: Bool

  init(reading path: String) throws(FileFault) {
    number = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    isOwn = true
    guard number >= 0 else { throw .last(path) }
  }

  /// Makes the file when it is not there. `emptied`: whatever it held goes.
  init(writing path: String, mode: UInt32, emptied: Bool) throws(FileFault) {
    number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (emptied ? O_TRUNC : 0), mode)
    self.path = path
    isOwn = true
    guard number >= 0 else { throw .last(path) }
  }

  init(folder path: String) throws(FileFault) {
    number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.path = path
    isOwn = true
    guard number >= 0 else { throw .last(path) }
  }

  init(standard number: Int32) {
    self.number = number
    path = "/dev/fd/\(number)"
    isOwn = false
  }

  deinit { if isOwn, number >= 0 { close(number) } }

  /// At least one byte, none at the end of the file.
  func read(upTo count: Int) throws(FileFault) -> [UInt8] {
    var fault: FileFault?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        let got = Glibc.read(number, buffer.baseAddress, count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { fault = .last(path) }
        return filled = max(0, got)
      }
    }
    if let fault { throw fault }
    return bytes
  }

  func write(_ bytes: [UInt8]) throws(FileFault) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
      if count < 0, errno != EINTR { throw .last(path) }
      sent += max(count, 0)
    }
  }

  /// Returns when the bytes lie on the disk.
  func flush() throws(FileFault) {
    guard fsync(number) == 0 else { throw .last(path) }
  }

  func empty() throws(FileFault) {
    guard ftruncate(number, 0) == 0 else { throw .last(path) }
  }

  /// Takes the kernel's lock on the file, which ends with the process. Without `waiting` it answers false when another has it.
  func lock(waiting: Bool) throws(FileFault) -> Bool {
    while flock(number, LOCK_EX | (waiting ? 0 : LOCK_NB)) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw .last(path) }
    }
    return true
  }

  /// Whether the path still leads to this open file: another may have removed or replaced it.
  var isInPlace: Bool {
    var mine = stat()
    var there = stat()
    return fstat(number, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino
      && mine.st_dev == there.st_dev
  }
}
