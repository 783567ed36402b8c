import CCurl
import HTTP

/// What has come of an answer.
final class Exchange {
  let limit: Int
  var fields = HeaderFields()
  var body: [UInt8] = []
  var isTooLarge = false

  init(limit: Int) { self.limit = limit }

  /// One line of the head with its end. A status line begins anew: what came before belonged to an interim answer.
  func takeLine(_ line: [UInt8]) {
    if line.starts(with: "HTTP/".utf8) { return fields = HeaderFields() }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = line[(colon + 1)...].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    fields.append(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value.trimmed, as: UTF8.self))
  }
}

let takeField: stepwell_curl_sink = { bytes, size, count, place in
  guard let bytes, let place else { return 0 }
  let exchange = Unmanaged<Exchange>.fromOpaque(place).takeUnretainedValue()
  exchange.takeLine(Array(UnsafeRawBufferPointer(start: bytes, count: size &* count)))
  return size &* count
}

let takeBody: stepwell_curl_sink = { bytes, size, count, place in
  guard let bytes, let place else { return 0 }
  let exchange = Unmanaged<Exchange>.fromOpaque(place).takeUnretainedValue()
  guard exchange.body.count &+ size &* count <= exchange.limit else {
    exchange.isTooLarge = true
    return 0
  }
  exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size &* count))
  return size &* count
}
