import HTTP
import HTTPWire
import Testing

/// What a reader said about some bytes, as text that tests can compare.
struct Reading: Equatable, CustomStringConvertible {
  var lines: [String] = []
  var description: String { lines.joined(separator: "\n") }

  var refusal: Refusal? {
    lines.last.flatMap { $0.hasPrefix("refuse ") ? Refusal(rawValue: String($0.dropFirst(7))) : nil }
  }

  /// Feeds `pieces` one after the other, as the server would.
  static func of(_ pieces: [[UInt8]], limits: WireLimits = WireLimits()) -> Reading {
    var reader = RequestReader(limits: limits)
    var reading = Reading()
    var body: [UInt8] = []
    for piece in pieces {
      reader.receive(piece)
      loop: while true {
        switch reader.next() {
        case .wait: break loop
        case .head(let head): reading.lines.append(describe(head))
        case .body(let bytes): body += bytes
        case .end:
          reading.lines.append("end \(String(decoding: body, as: UTF8.self).debugDescription)")
          body = []
        case .refuse(let refusal):
          reading.lines.append("refuse \(refusal.rawValue)")
          return reading
        }
      }
    }
    if !body.isEmpty { reading.lines.append("body \(String(decoding: body, as: UTF8.self).debugDescription)") }
    return reading
  }

  static func of(_ text: String, limits: WireLimits = WireLimits()) -> Reading {
    of([Array(text.utf8)], limits: limits)
  }

  static func describe(_ head: RequestHead) -> String {
    var line = "\(head.method.token) \(head.target.path)"
    if !head.target.query.isEmpty { line += "?\(head.target.query.encoded)" }
    line += " 1.\(head.minorVersion) \(head.body)"
    if head.keepsAlive { line += " keep" }
    if head.expectsContinue { line += " expect" }
    return line + " " + head.fields.map { "\($0)=\($1)" }.joined(separator: "|")
  }
}
