// Archive: packed and marked-up bytes, read as a stream with limits.
// It knows zip, gzip, XML and JSON as formats; it must never know what a step or a ring is.
// Everything here runs on a worker thread and blocks while it reads; nothing is Sendable.
// Memory is constant: one buffer per reader, whatever the size of the file.
// This is the one room of the platform that hands out bytes as `Span`, so that callers need no unsafe pointer.

/// What can go wrong while bytes are read or unpacked. `cut` is the soft one: what came before is good.
package enum ArchiveError: Error, Equatable {
  /// A system call failed with this errno.
  case unreadable(errno: Int32)
  /// The bytes are not of the format that was asked for.
  case notThisFormat
  /// The data ends or breaks in the middle.
  case cut
  /// A password would be needed.
  case encrypted
  /// More than a limit allows: packed size, unpacked size, ratio or number of entries.
  case tooLarge
  /// A document type declares entities; such a document is never expanded.
  case entityDeclaration
}
