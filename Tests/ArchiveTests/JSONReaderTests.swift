import Archive
import Testing

/// All tokens of a text fed in pieces of `size` bytes, as words.
private func tokens(_ text: [UInt8], by size: Int, longestString: Int = 1024) throws(JSONError) -> [String] {
  var reader = JSONReader(longestString: longestString)
  var rest = text[...]
  var words: [String] = []
  while true {
    switch try reader.next() {
    case .needsMore:
      if rest.isEmpty { reader.finish() }
      reader.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
    case .end: return words
    case .beginObject: words.append("{")
    case .endObject: words.append("}")
    case .beginArray: words.append("[")
    case .endArray: words.append("]")
    case .key: words.append("k:" + reader.string())
    case .string: words.append("s:" + reader.string())
    case .number: words.append("n:" + reader.string())
    case .yes: words.append("true")
    case .no: words.append("false")
    case .null: words.append("null")
    }
  }
}

private let sample =
  #" {"a":[1,-2.50e+3,"x\u00e9\n\"\\","\ud83d\ude00",true,false,null,{}],"long key, more than eight":{"β":"straße – ok"}, "e":[] } "#

@Test("every split of a text gives the same tokens")
func everySplit() throws {
  let text = Array(sample.utf8)
  let whole = try tokens(text, by: text.count)
  #expect(
    whole == [
      "{", "k:a", "[", "n:1", "n:-2.50e+3", "s:xé\n\"\\", "s:😀", "true", "false", "null", "{", "}", "]",
      "k:long key, more than eight", "{", "k:β", "s:straße – ok", "}", "k:e", "[", "]", "}",
    ])
  for size in 1...text.count { #expect(try tokens(text, by: size) == whole) }
}

@Test(
  "what is not JSON is refused, whatever the pieces",
  arguments: [
    "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{,}", "[1 2]", "01", "1.", ".5", "-", "1e", "+1", "tru", "nul", "truth",
    "\"a", "\"\\x\"",
    "\"\\u12g4\"", "[1]]", "{}{}", "{\"a\":1,}", "\"a\u{1}\"", "]", "[}", "{]", "NaN", "'a'", "[1],", "\u{FEFF}1",
  ])
func refused(text: String) {
  for size in [1, 2, 1000] {
    #expect(throws: JSONError.self) { try tokens(Array(text.utf8), by: size) }
  }
}

@Test("cut at any place, a text ends early or is complete only at its end")
func cutAnywhere() {
  let text = Array(sample.utf8)
  for length in 0..<text.count - 2 {
    #expect(throws: JSONError.self) { try tokens(Array(text.prefix(length)), by: 7) }
  }
}

@Test("depth and length have limits that are named")
func limits() throws {
  let deep = Array(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)).map { $0.asciiValue ?? 0 }
  #expect(try tokens(deep, by: 5).count == 64)
  #expect(throws: JSONError.tooDeep(limit: 32)) { try tokens(Array(String(repeating: "[", count: 33).utf8), by: 5) }
  let long = Array(("\"" + String(repeating: "x", count: 11) + "\"").utf8)
  #expect(throws: JSONError.stringTooLong(limit: 10)) { try tokens(long, by: 100, longestString: 10) }
  #expect(throws: JSONError.stringTooLong(limit: 10)) {
    try tokens(Array(repeating: 34, count: 1) + Array(repeating: 65, count: 99), by: 3, longestString: 10)
  }
}

@Test("invalid UTF-8 is an error; a lone surrogate becomes the replacement character")
func encodings() throws {
  #expect(throws: JSONError.self) { try tokens([34, 0xC3, 34], by: 9) }
  #expect(try tokens(Array(#""\ud83dx""#.utf8), by: 9) == ["s:\u{FFFD}x"])
}

@Test("a string ends at its quote and fails at a control character, wherever in eight bytes they stand")
func places() throws {
  for lead in 0..<20 {
    for tail in 0..<10 {
      let (front, back) = ([UInt8](repeating: 0x61, count: lead), [UInt8](repeating: 0x7E, count: tail))
      let word = String(decoding: front + back, as: UTF8.self)
      #expect(try tokens([0x22] + front + back + [0x22], by: 999) == ["s:" + word])
      // The byte behind a special one is marked, too, by a borrow: the first counts.
      #expect(
        try tokens(Array("[\"".utf8) + front + Array("\",\"!".utf8) + back + Array("\"]".utf8), by: 999).count == 4)
      #expect(throws: JSONError.unexpected(offset: 1 + lead)) {
        try tokens([0x22] + front + [0x1F, 0x20] + back + [0x22], by: 999)
      }
      #expect(try tokens([0x22] + front + [0x5C, 0x22, 0x23] + back + [0x22], by: 999).count == 1)
    }
  }
}

@Test("a text is told apart from names that are longer, shorter or begin alike, however it is written")
func names() throws {
  let texts = [
    "", "a", "ab", "end", "uuid", "unit", "start", "source", "metadat", "metadata", "metadatas", "recorded", "über",
  ]
  for lead in ["", "1,", "\"some\",         "] {
    for text in texts {
      var reader = JSONReader(whole: Array("[\(lead)\"\(text)\"]".utf8))
      var escaped = JSONReader(whole: Array("[\"\(text.replacing("a", with: "\\u0061"))\"]".utf8))
      for _ in 0..<(lead.isEmpty ? 2 : 3) { _ = try reader.next() }
      for _ in 0..<2 { _ = try escaped.next() }
      #expect(
        [reader.isText(""), reader.isText("end"), reader.isText("uuid")] == ["", "end", "uuid"].map { $0 == text })
      for read in [reader, escaped] {
        #expect(read.isText("metadata") == (text == "metadata") && read.isText("metadatas") == (text == "metadatas"))
        #expect(read.isText("ab") == (text == "ab") && read.isText("über") == (text == "über"), "\(text)")
      }
    }
  }
  var number = JSONReader(whole: Array("[12]".utf8))
  for _ in 0..<2 { _ = try number.next() }
  #expect(!number.isText("uuid") && !number.isText("12345678"))
}

@Test("skipping passes over whatever a key holds")
func skipping() throws {
  var reader = JSONReader()
  reader.feed(Array(#"{"a":{"b":[1,{"c":2}]},"d":3,"e":"f"}"#.utf8))
  reader.finish()
  var seen: [JSONReader.Token] = []
  while seen.last != .end {
    seen.append(try reader.next())
    if seen.last == .key, reader.isText("a") || reader.isText("d") { _ = try reader.skip(to: reader.level) }
    if seen.last == .string {
      let isLast = reader.isText("f")
      #expect(isLast)
    }
  }
  #expect(seen == [.beginObject, .key, .key, .key, .string, .endObject, .end])
}

@Test("an object written as one before is passed over in one step, and only where it is the same from brace to brace")
func knownObjects() throws {
  let known = Array(#"{"a":[1,{"b":"}"}]}"#.utf8)
  for (text, isKnown) in [
    (#"[{"a":[1,{"b":"}"}]},7]"#, true), (#"[{"a":[1,{"b":"}"}] },7]"#, false), (#"[{"a":[2,{"b":"}"}]},7]"#, false),
  ] {
    var reader = JSONReader(whole: Array(text.utf8))
    #expect(try reader.next() == .beginArray)
    #expect(try reader.next() == .beginObject)
    let skipped = reader.skipObject(writtenAs: known)
    #expect(skipped == isKnown, "\(text)")
    while reader.level > 1 { _ = try reader.next() }
    #expect(try reader.next() == .number)
    #expect(reader.string() == "7")
    #expect(try reader.next() == .endArray)
    #expect(try reader.next() == .end)
  }
  var cut = JSONReader(whole: Array(known.dropLast()))
  #expect(try cut.next() == .beginObject)
  let skipped = cut.skipObject(writtenAs: known)
  #expect(!skipped)
}
