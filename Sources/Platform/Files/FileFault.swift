// Files: the file system as safe functions: by path, with typed errors and without a pointer in sight.
// For the program and the product floor, which may hold no unsafe pointer. Everything here blocks: off the loops, please.
// It must never know what a file is for. Archive reads its streams itself, and the embedded database keeps its own few
// calls, because they hand files to another user.

import Glibc

/// What the system said about a path.
package struct FileFault: Error, Equatable, CustomStringConvertible {
  package let path: String
  /// The system's number, as `ENOENT`.
  package let number: Int32

  package init(path: String, number: Int32) {
    self.path = path
    self.number = number
  }

  /// Right after a call that failed.
  static func last(_ path: String) -> FileFault { FileFault(path: path, number: errno) }

  /// No room for more: the disk, the person's share of it or the largest file is full.
  package var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

  /// The system's words, as "No such file or directory".
  package var reason: String { FileFault.reason(number) }

  package var description: String { "\(path): \(reason)" }

  /// The system's words for one of its error numbers.
  package static func reason(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
