import CLinux
import Glibc
package import Postgres

/// A database server in a folder of its own below /tmp that cannot outlive this process: a small shell waits on a pipe
/// whose other end only we hold. However we end, the pipe closes, the shell stops the server and removes the folder.
package final class TemporaryServer: Sendable {
  package let folder: String
  private let pipe: Int32

  /// Makes the folder and the watch over it; no server runs yet.
  package init() throws {
    var template = Array("/tmp/stepwell-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileProblem(path: "/tmp", code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(folder, 0o711)
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw FileProblem(path: "pipe", code: errno) }
    pipe = ends[1]
    defer { close(ends[0]) }
    let script = """
      read _
      if [ -f "$1/postgres/postmaster.pid" ]; then kill -INT "$(head -1 "$1/postgres/postmaster.pid")"; fi
      n=0
      while [ -f "$1/postgres/postmaster.pid" ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done
      if [ -f "$1/postgres/postmaster.pid" ]; then kill -QUIT "$(head -1 "$1/postgres/postmaster.pid")"; sleep 1; fi
      rm -rf "$1"
      """
    _ = try ChildProcess.start(["/bin/sh", "-c", script, "watch", folder], input: ends[0], output: "/dev/null")
  }

  /// Stops the server and removes the folder, at the shell's leisure.
  deinit { close(pipe) }

  /// Starts (or adopts) the server. Blocks for about a second the first time.
  package func open() throws -> EmbeddedPostgres {
    try EmbeddedPostgres.open(folder, for: .trial)
  }

  /// The one server that all tests of this process share; started by the first that asks.
  package static func shared() throws -> EmbeddedPostgres { try sharedResult.get().postgres }

  private static let sharedResult = Result { try Shared() }

  private struct Shared: Sendable {
    let server: TemporaryServer
    let postgres: EmbeddedPostgres

    init() throws {
      server = try TemporaryServer()
      postgres = try server.open()
    }
  }
}

package struct FileProblem: Error {
  package let path: String
  package let code: Int32

  package init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }
}
