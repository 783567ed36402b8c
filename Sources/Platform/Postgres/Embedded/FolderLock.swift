import CLinux
import Glibc

/// Holds a data folder for one server: two on the same folder would share its traffic and its files in silence. The
/// kernel gives the lock back when the process ends, however it ends.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes `<folder>/lock`. Answers nil and the holder's process id if another process has it.
  package static func take(_ folder: String) throws(EmbeddedError) -> (lock: FolderLock?, holder: Int32) {
    let path = "\(folder)/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .folder(path: path, reason: String(cString: strerror(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      let text = SmallFiles.read(path)?.split(separator: "\n").first
      return (nil, text.flatMap { Int32($0) } ?? 0)
    }
    _ = ftruncate(descriptor, 0)
    let text = [UInt8]("\(getpid())\n".utf8)
    _ = write(descriptor, text, text.count)
    return (FolderLock(descriptor), 0)
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
