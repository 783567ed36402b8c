import Activity
import Bytes
import Glibc

/// Causes of problems, one JSON line each on the standard error output. What is shown to people is not repeated here.
enum ProblemLog {
  /// A line of the jobs.
  static func say(_ text: String) {
    var line = Array("{\"event\":\"job\",\"text\":".utf8)
    line.append(jsonString: text)
    line.append("}\n")
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }

  static func write(_ problem: Problem, request: UInt64) {
    var line = Array("{\"event\":\"problem\",\"code\":".utf8)
    line.append(jsonString: problem.code.rawValue)
    line.append(",\"cause\":")
    line.append(jsonString: problem.cause ?? "")
    line.append(",\"request\":")
    line.append(decimal: request)
    line.append("}\n")
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
