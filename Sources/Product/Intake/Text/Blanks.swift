/// White space in UTF-8, as far as it surrounds what people and exporters write (Unicode White_Space).
enum Blanks {
  /// How many bytes the blank at `place` has; 0 if there is none.
  static func length(_ text: Span<UInt8>, at place: Int) -> Int {
    guard place < text.count else { return 0 }
    let byte = text[place]
    if byte == 0x20 || byte >= 0x09 && byte <= 0x0D { return 1 }
    guard byte >= 0xC2, place + 1 < text.count else { return 0 }
    let second = text[place + 1]
    if byte == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
    guard byte >= 0xE1, byte <= 0xE3, place + 2 < text.count else { return 0 }
    switch (byte, second, text[place + 2]) {
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
      (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
      return 3
    default: return 0
    }
  }

  /// Where the text is without the blanks around it.
  static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
    var start = 0
    while case let blank = length(text, at: start), blank > 0 { start += blank }
    var end = text.count
    while end > start {
      let blank = (1...3).first { end - $0 >= start && length(text, at: end - $0) == $0 }
      guard let blank else { break }
      end -= blank
    }
    return start..<end
  }
}

extension [UInt8] {
  /// A copy of the bytes.
  init(_ text: Span<UInt8>) {
    self.init()
    reserveCapacity(text.count)
    for place in text.indices { append(text[place]) }
  }
}

extension String {
  /// The bytes as text; what is no UTF-8 becomes U+FFFD.
  init(_ text: Span<UInt8>) { self = String(decoding: [UInt8](text), as: UTF8.self) }
}
