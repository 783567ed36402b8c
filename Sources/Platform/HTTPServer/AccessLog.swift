import Bytes
import EventLoop
import Glibc
import HTTP
import HTTPWire

/// The lines of the access log: event, route template, status, µs, request number, account pseudonym. No names, no
/// values, no query strings, no addresses (security.md, "Logs and secrets").
enum LogLine {
  static func request(
    _ head: RequestHead, _ response: Response, status: Status, number: UInt64, microseconds: Int64,
    into log: inout [UInt8]
  ) {
    log.append("{\"event\":\"request\",\"method\":")
    switch head.method {
    case .get: log.append("\"GET\"")
    case .post: log.append("\"POST\"")
    case .other: log.append("\"other\"")
    default: log.append(jsonString: head.method.token)
    }
    log.append(",\"route\":")
    log.append(jsonString: response.route)
    log.append(",\"status\":")
    log.append(decimal: status.code)
    log.append(",\"us\":")
    log.append(decimal: microseconds)
    log.append(",\"request\":")
    log.append(decimal: number)
    if !response.account.isEmpty {
      log.append(",\"account\":")
      log.append(jsonString: response.account)
    }
    log.append("}\n")
  }

  /// Bytes that were no request.
  static func refusal(_ reason: String, status: Status, into log: inout [UInt8]) {
    log.append("{\"event\":\"refused\",\"reason\":")
    log.append(jsonString: reason)
    log.append(",\"status\":")
    log.append(decimal: status.code)
    log.append("}\n")
  }

  /// The answer function threw. Only the error's type is told: its text may hold values.
  static func failure(_ error: any Error, number: UInt64, into log: inout [UInt8]) {
    log.append("{\"event\":\"failed\",\"error\":")
    log.append(jsonString: String(reflecting: type(of: error)))
    log.append(",\"request\":")
    log.append(decimal: number)
    log.append("}\n")
  }
}

/// Where log lines go without holding up a loop: a thread of its own writes them, in order. When it cannot follow,
/// lines are dropped and their loss is said.
package final class LogFile: Sendable {
  private let descriptor: Int32
  private let thread = WorkerPool(threads: 1, queue: 256, named: "log")

  /// Standard output by default. The descriptor stays the caller's.
  package init(descriptor: Int32 = 1) {
    self.descriptor = descriptor
  }

  /// Queues whole lines. From any thread; never blocks.
  package func write(_ lines: [UInt8]) {
    let descriptor = descriptor
    _ = thread.submit {
      var start = 0
      while start < lines.count {
        let count = lines.withUnsafeBytes {
          Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
        }
        if count > 0 { start += count } else if errno != EINTR { return }
      }
    }
  }
}
