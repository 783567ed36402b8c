import HTTP

/// The line before a chunk (RFC 9112 7.1): hexadecimal size, extensions that are read over, CRLF. Stricter than the
/// RFC: no blanks before or after the size.
enum ChunkLine {
  case incomplete
  /// `length` bytes of the line with CRLF; `extensions` of them are extension.
  case size(Int, length: Int, extensions: Int)
  case refused(Refusal)

  /// Sizes have at most 15 digits: they cannot overflow.
  private static let digitLimit = 15

  static func parse(_ buffer: [UInt8], from start: Int, _ limits: WireLimits) -> ChunkLine {
    parse(buffer.span.extracting(start..<buffer.count), limits)
  }

  private static func parse(_ bytes: Span<UInt8>, _ limits: WireLimits) -> ChunkLine {
    var index = 0
    var size = 0
    while index < bytes.count, let digit = bytes[index].hexDigitValue {
      if index == digitLimit { return .refused(.badChunkSize) }
      size = size << 4 | Int(digit)
      index &+= 1
    }
    guard index < bytes.count else { return .incomplete }
    if index == 0 { return .refused(.badChunkSize) }
    guard bytes[index] == 59 || bytes[index] == 13 else {
      return .refused(bytes[index] == 10 ? .badLineEnd : .badChunkSize)
    }
    switch Scan.line(in: bytes, from: index) {
    case .refused(let refusal): return .refused(refusal)
    case .incomplete(let scanned):
      return scanned &- index > limits.chunkExtension ? .refused(.chunkExtensionTooLong) : .incomplete
    case .complete(let end):
      let extensions = end &- index
      if extensions > limits.chunkExtension { return .refused(.chunkExtensionTooLong) }
      return .size(size, length: end &+ 2, extensions: extensions)
    }
  }
}

/// The fields after the last chunk: their form is checked, then they are dropped, since none of them may change what
/// the head has said.
struct TrailerParser {
  private var lineStart = 0
  private var scanned = 0
  private var count = 0

  mutating func parse(_ buffer: [UInt8], from start: Int, _ limits: WireLimits) -> HeadParser.Progress {
    parse(buffer.span.extracting(start..<buffer.count), limits)
  }

  private mutating func parse(_ bytes: Span<UInt8>, _ limits: WireLimits) -> HeadParser.Progress {
    while true {
      let line = Scan.line(in: bytes, from: scanned)
      switch line {
      case .refused(let refusal): return .refused(refusal)
      case .incomplete(let position):
        scanned = position
        return position > limits.trailer ? .refused(.trailerTooLarge) : .incomplete
      case .complete(let end):
        let start = lineStart
        lineStart = end &+ 2
        scanned = lineStart
        if start == end { return .complete(length: lineStart) }
        if end > limits.trailer || count == limits.fields { return .refused(.trailerTooLarge) }
        count &+= 1
        if let refusal = Self.check(bytes, start..<end) { return .refused(refusal) }
      }
    }
  }

  private static func check(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Refusal? {
    if bytes[line.lowerBound] == 32 || bytes[line.lowerBound] == 9 { return .foldedLine }
    let colon = Scan.nameEnd(in: bytes, from: line.lowerBound, to: line.upperBound)
    if colon == line.upperBound { return .fieldWithoutColon }
    return bytes[colon] == 58 && colon > line.lowerBound ? nil : .badFieldName
  }
}
