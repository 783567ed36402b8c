import CLinux
import Glibc

/// A program that we start, as another user where that is asked for.
package struct ChildProcess {
  package let identifier: Int32

  /// Starts it in a session of its own, so that Ctrl-C in our terminal does not reach it, without any of our
  /// descriptors but these two.
  package static func start(
    _ arguments: [String], input: Int32? = nil, output: String
  ) throws(FileError) -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // 0x80 is POSIX_SPAWN_SETSID. Blocked and ignored signals would be inherited and make the server deaf to them.
    posix_spawnattr_setflags(&attributes, Int16(0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var identifier = pid_t()
    // From "/", because the other user may not be allowed where we are.
    var words = (["/usr/bin/env", "-C", "/"] + arguments).map { strdup($0) } + [nil]
    var settings = environment.map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    let code = posix_spawn(&identifier, "/usr/bin/env", &actions, &attributes, &words, &settings)
    guard code == 0 else { throw FileError(path: arguments[0], code: code) }
    return ChildProcess(identifier: identifier)
  }

  /// Runs to the end; answers the exit status, 128 + signal if one ended it.
  static func run(_ arguments: [String], output: String) throws(FileError) -> Int32 {
    try start(arguments, output: output).wait()
  }

  /// PostgreSQL's programs need no more, and messages shall be English: we look at them.
  private static let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "LANG=C.UTF-8", "TZ=UTC"]

  /// Waits for its end; answers the exit status, 128 + signal if one ended it.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return Self.code(status)
  }

  /// The exit status if it has ended; nil while it runs or if it is no child of ours.
  func ended() -> Int32? {
    var status: Int32 = 0
    return waitpid(identifier, &status, WNOHANG) == identifier ? Self.code(status) : nil
  }

  private static func code(_ status: Int32) -> Int32 {
    status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }
}

/// Pauses the calling thread: only where a thread may block.
func pause(milliseconds: Int) { usleep(UInt32(milliseconds) * 1_000) }
