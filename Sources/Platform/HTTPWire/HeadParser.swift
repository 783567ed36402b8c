import HTTP

/// Reads one head, line by line as the lines come; nothing is read twice. Positions count from the head's first byte,
/// so the bytes before a position may be moved but never changed between calls.
struct HeadParser {
  enum Progress {
    case incomplete
    /// The whole head: `length` bytes including the empty line.
    case complete(length: Int)
    case refused(Refusal)
  }

  private var lineStart = 0
  private var scanned = 0
  private var fieldsStart = 0
  private var hasRequestLine = false

  private(set) var method = Method.get
  private(set) var layout = Target.Layout.none
  private(set) var minorVersion = 1
  private(set) var slots: [HeaderFields.Slot] = []
  private var host: Range<Int>?
  private var contentLength: Int?
  private var isChunked = false
  private var hasConnection = false
  private(set) var expectsContinue = false

  /// True when no byte of a request has come.
  var isUntouched: Bool { scanned == 0 && lineStart == 0 }

  /// `buffer` from `start` on is the head as far as it has come.
  mutating func parse(_ buffer: [UInt8], from start: Int, _ limits: WireLimits) -> Progress {
    parse(buffer.span.extracting(start..<buffer.count), limits)
  }

  private mutating func parse(_ bytes: Span<UInt8>, _ limits: WireLimits) -> Progress {
    while true {
      switch Scan.line(in: bytes, from: scanned) {
      case .refused(let refusal): return .refused(refusal)
      case .incomplete(let position):
        scanned = position
        return exceeded(position, limits).map { .refused($0) } ?? .incomplete
      case .complete(let end):
        if let refusal = exceeded(end, limits) { return .refused(refusal) }
        let line = lineStart..<end
        lineStart = end &+ 2
        scanned = lineStart
        do {
          if try take(line, bytes, limits) { return .complete(length: lineStart) }
        } catch { return .refused(error) }
      }
    }
  }

  var framing: BodyFraming {
    if isChunked { return .chunked }
    return contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
  }

  func keepsAlive(_ fields: HeaderFields) -> Bool {
    guard hasConnection else { return minorVersion == 1 }
    if fields.has(token: "close", in: "connection") { return false }
    return minorVersion == 1 || fields.has(token: "keep-alive", in: "connection")
  }

  private func exceeded(_ position: Int, _ limits: WireLimits) -> Refusal? {
    if hasRequestLine { return position &- fieldsStart > limits.header ? .headerTooLarge : nil }
    return position &- lineStart > limits.requestLine ? .requestLineTooLong : nil
  }

  /// True at the head's end.
  private mutating func take(_ line: Range<Int>, _ bytes: Span<UInt8>, _ limits: WireLimits) throws(Refusal) -> Bool {
    if hasRequestLine {
      if line.isEmpty {
        try finish(bytes)
        return true
      }
      if slots.count == limits.fields { throw .tooManyFields }
      try takeField(line, bytes)
    } else if line.isEmpty {
      // One empty line before the request is forgiven (RFC 9112 2.2).
      if line.lowerBound != 0 { throw .badRequestLine }
    } else {
      try takeRequestLine(line, bytes)
      hasRequestLine = true
      fieldsStart = lineStart
    }
    return false
  }

  private mutating func takeRequestLine(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Refusal) {
    var methodEnd = line.lowerBound
    while methodEnd < line.upperBound, bytes[methodEnd].isTokenCharacter { methodEnd &+= 1 }
    guard methodEnd > line.lowerBound, methodEnd < line.upperBound, bytes[methodEnd] == 32 else {
      throw .badRequestLine
    }
    // " HTTP/1.x" is nine bytes.
    let targetEnd = line.upperBound &- 9
    guard targetEnd > methodEnd &+ 1, bytes[targetEnd] == 32 else { throw .badRequestLine }
    minorVersion = try version(bytes, targetEnd &+ 1)
    method = try Self.method(bytes, line.lowerBound..<methodEnd)
    do throws(TargetError) {
      layout = try Target.check(bytes, (methodEnd &+ 1)..<targetEnd)
    } catch { throw .badTarget }
    if layout.isAsterisk, method != .options { throw .badTarget }
    slots.reserveCapacity(20)
  }

  private func version(_ bytes: Span<UInt8>, _ start: Int) throws(Refusal) -> Int {
    let isHTTP =
      bytes[start] == 0x48 && bytes[start &+ 1] == 0x54 && bytes[start &+ 2] == 0x54 && bytes[start &+ 3] == 0x50
      && bytes[start &+ 4] == 0x2F
    guard isHTTP, bytes[start &+ 5] == 0x31, bytes[start &+ 6] == 0x2E else { throw .badVersion }
    switch bytes[start &+ 7] {
    case 0x30: return 0
    case 0x31: return 1
    default: throw .badVersion
    }
  }

  private static func method(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> Method {
    let first = bytes[range.lowerBound]
    if range.count == 3, first == 0x47, bytes[range.lowerBound &+ 1] == 0x45, bytes[range.lowerBound &+ 2] == 0x54 {
      return .get
    }
    guard range.count <= 24 else { throw .badMethod }
    var token: [UInt8] = []
    for index in range { token.append(bytes[index]) }
    let method = Method(String(decoding: token, as: UTF8.self))
    if method == .other("CONNECT") { throw .connectRefused }
    if method == .other("TRACE") { throw .traceRefused }
    return method
  }

  private mutating func takeField(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Refusal) {
    if bytes[line.lowerBound] == 32 || bytes[line.lowerBound] == 9 { throw .foldedLine }
    let colon = Scan.nameEnd(in: bytes, from: line.lowerBound, to: line.upperBound)
    guard colon < line.upperBound else { throw .fieldWithoutColon }
    guard bytes[colon] == 58, colon > line.lowerBound else { throw .badFieldName }
    var start = colon &+ 1
    var end = line.upperBound
    while start < end, bytes[start] == 32 || bytes[start] == 9 { start &+= 1 }
    while end > start, bytes[end &- 1] == 32 || bytes[end &- 1] == 9 { end &-= 1 }
    let name = line.lowerBound..<colon
    slots.append(
      HeaderFields.Slot(name: name.lowerBound, nameLength: name.count, value: start, valueLength: end &- start))
    try note(name, start..<end, bytes)
  }

  /// Remembers the fields that frame the message.
  private mutating func note(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) throws(Refusal) {
    switch name.count {
    case 4 where Scan.equals(bytes, name, "host"):
      if host != nil { throw .repeatedHost }
      guard Host.isValid(bytes, value) else { throw .badHost }
      host = value
    case 6 where Scan.equals(bytes, name, "expect"):
      guard Scan.equals(bytes, value, "100-continue") else { throw .unknownExpectation }
      expectsContinue = true
    case 10 where Scan.equals(bytes, name, "connection"): hasConnection = true
    case 14 where Scan.equals(bytes, name, "content-length"):
      if contentLength != nil { throw .repeatedContentLength }
      contentLength = try Self.length(bytes, value)
    case 17 where Scan.equals(bytes, name, "transfer-encoding"):
      guard !isChunked, Scan.equals(bytes, value, "chunked") else { throw .badTransferEncoding }
      isChunked = true
    default: break
    }
  }

  private static func length(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(Refusal) -> Int {
    // Eighteen digits fit Int without a check for overflow and exceed any body.
    guard !value.isEmpty, value.count <= 18 else { throw .badContentLength }
    var length = 0
    for index in value {
      let digit = bytes[index] &- 48
      guard digit < 10 else { throw .badContentLength }
      length = length &* 10 &+ Int(digit)
    }
    return length
  }

  private mutating func finish(_ bytes: Span<UInt8>) throws(Refusal) {
    if isChunked {
      if contentLength != nil { throw .lengthAndChunks }
      if minorVersion == 0 { throw .chunksInOldVersion }
    }
    if host == nil, minorVersion == 1 { throw .missingHost }
    if let authority = layout.authority, let host {
      guard authority.count == host.count else { throw .hostDisagrees }
      for offset in 0..<host.count
      where bytes[authority.lowerBound &+ offset].lowercasedASCII != bytes[host.lowerBound &+ offset].lowercasedASCII {
        throw .hostDisagrees
      }
    }
    if framing == .none || minorVersion == 0 { expectsContinue = false }
  }
}

/// `host [":" port]` as it may stand in the Host field: a name, an IPv4 address or an IPv6 address in brackets.
enum Host {
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, range.count <= 261 else { return false }
    var index = range.lowerBound
    if bytes[index] == 0x5B {
      index &+= 1
      while index < range.upperBound, bytes[index].hexDigitValue != nil || bytes[index] == 58 || bytes[index] == 46 {
        index &+= 1
      }
      guard index > range.lowerBound &+ 1, index < range.upperBound, bytes[index] == 0x5D else { return false }
      index &+= 1
    } else {
      while index < range.upperBound, isNameCharacter(bytes[index]) { index &+= 1 }
      if index == range.lowerBound { return false }
    }
    if index == range.upperBound { return true }
    guard bytes[index] == 58, range.upperBound &- index <= 6 else { return false }
    for digit in (index &+ 1)..<range.upperBound where bytes[digit] &- 48 >= 10 { return false }
    return true
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 45, 46, 95: true
    default: false
    }
  }
}
