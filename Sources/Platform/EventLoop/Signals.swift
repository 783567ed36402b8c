import CLinux
import Glibc

/// Signals for a synchronous main: blocked in every thread, taken one by one by the main thread.
package enum Signals {
  /// What a process is told from outside.
  package enum Signal: Sendable {
    /// SIGTERM or SIGINT: finish what is under way and end.
    case end
    /// SIGHUP: read certificate, time zones and templates again.
    case reload
  }

  /// Blocks the signals and ignores SIGPIPE. Call it first in main, before any other thread exists: threads inherit it.
  package static func block() {
    signal(SIGPIPE, SIG_IGN)
    var set = handled()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Blocks the calling thread until a signal comes.
  package static func wait() -> Signal {
    var set = handled()
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number == SIGHUP ? .reload : .end
  }

  private static func handled() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
    return set
  }
}
