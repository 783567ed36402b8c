import Files

/// The files of the program, by path; what goes wrong is told in words for the person at the terminal.
enum File {
  /// The whole file. For small files only.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    do throws(FileFault) { return try Disk.read(path) } catch {
      throw Failure("\(path) cannot be read: \(error.reason).")
    }
  }

  /// The file is whole or absent afterwards.
  static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Failure) {
    do throws(FileFault) { try Disk.replace(path, with: bytes, mode: mode) } catch {
      throw Failure("\(path) cannot be written: \(error.reason).")
    }
  }

  /// Refuses a file that could not be read later.
  static func checkReadable(_ path: String) throws(Failure) {
    do throws(FileFault) { try Disk.checkReadable(path) } catch {
      throw Failure("\(path) cannot be read: \(error.reason).")
    }
  }

  /// Makes the folder and those above it.
  static func makeFolder(_ path: String) throws(Failure) {
    do throws(FileFault) { try Folder.make(path) } catch {
      throw Failure("The folder \(path) cannot be made: \(error.reason).")
    }
  }
}

/// Why the program cannot go on, in words for the person at the terminal.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
