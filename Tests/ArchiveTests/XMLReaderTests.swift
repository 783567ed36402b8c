import Testing

@testable import Archive

/// Elements a (counted, only with k="yes"), b (counted) and c of a document whose root is r.
private let interest: XMLInterest = {
  var interest = XMLInterest(root: "r")
  interest.add("a", counted: true, only: XMLInterest.Condition(attribute: "k", value: "yes"))
  interest.add("b", counted: true)
  interest.add("c")
  return interest
}()

/// What a document is to the reader, as words: element, number, attributes v and k.
private func events(_ text: [UInt8], chunk: Int = .max) throws(ArchiveError) -> [String] {
  var reader = XMLReader(.bytes(text, chunk: chunk), for: interest)
  var words: [String] = []
  while true {
    switch try reader.next() {
    case .start(let element, let empty):
      let values = ["v", "k"].map { name in
        reader.attribute(name == "v" ? "v" : "k") { text in
          String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
        } ?? "-"
      }
      words.append(
        "\("abc".map(String.init)[element])\(empty ? "/" : "")\(reader.number) \(values.joined(separator: "|"))")
    case .end(let element): words.append("/\("abc".map(String.init)[element])")
    case .paused: break
    case .finished(let whole):
      words.append(whole ? "whole" : "cut")
      return words
    }
  }
}

private func events(_ text: String, chunk: Int = .max) throws(ArchiveError) -> [String] {
  try events(Array(text.utf8), chunk: chunk)
}

private let odd = """
  \u{FEFF}<?xml version="1.0"?>
  <!DOCTYPE r [ <!-- ]> --> <!ATTLIST a k CDATA #IMPLIED <!ELEMENT b EMPTY> <?pi ]> ?> ] >
  <r x="1"><a k="yes" v="1"/> text > <a k="no" v="2"/><a v="3" k='yes'><c v="&lt;&#65;&#x42;&amp;amp;&no;&"/></a>
  <!-- <b v="9"/> --><![CDATA[<b v="9"/>]]><b A Name With Blanks="q" v = 'it > "is"' v="second" /><b v="a
  b\u{9}c"/><b v='x' k><b
  v="4"></b><d><b/></d><a k="ye&#115;" v=">"/><b v="it's > 2" k="=" z=">"/><b>
  </r><b v="after"/>
  """

@Suite("XML reader")
struct XMLReaderTests {
  @Test("tags, references, blanks in names, comments and a broken subset are read as they are meant")
  func oddDocument() throws {
    #expect(
      try events(odd) == [
        "a/1 1|yes", "a3 3|yes", "c/3 <AB&amp;&no;&|-", "/a", "b/4 it > \"is\"|-", "b/5 a b c|-", "b6 x|-",
        "b7 4|-", "/b", "b/8 -|-", "a/9 >|yes", "b/10 it's > 2|=", "b11 -|-", "whole",
      ])
  }

  @Test("the pieces in which a document arrives change nothing", arguments: 1...23)
  func everyChunk(chunk: Int) throws {
    #expect(try events(odd, chunk: chunk) == events(odd))
  }

  @Test("a document cut anywhere gives the events before the cut")
  func everyCut() throws {
    let bytes = Array(odd.utf8)
    let all = try events(bytes)
    let end = bytes.count - "<b v=\"after\"/>".utf8.count
    for length in 0..<end {
      let some = try events(Array(bytes[..<length]))
      #expect(some.last == "cut")
      #expect(all.starts(with: some.dropLast()), "cut at \(length)")
    }
  }

  @Test("a declared entity refuses the document, an undeclared one in a comment does not")
  func entities() throws {
    #expect(throws: ArchiveError.entityDeclaration) { try events("<!DOCTYPE r [<!ENTITY a \"b\">]><r/>") }
    #expect(throws: ArchiveError.entityDeclaration) { try events("<!DOCTYPE r [<!ELEMENT x <!ENTITY % a \"b\">]><r/>") }
    #expect(throws: ArchiveError.entityDeclaration) { try events("<r><!ENTITY a \"b\"></r>") }
    #expect(try events("<!DOCTYPE r [<!-- <!ENTITY a \"b\"> -->]><r><!-- <!ENTITY --></r>") == ["whole"])
  }

  @Test("a subset that never ends stops at the root element")
  func endlessSubset() throws {
    #expect(try events("<!DOCTYPE r [ <!ELEMENT r (x] <!ATTLIST <r><b v=\"1\"/></r>") == ["b/1 1|-", "whole"])
  }

  @Test("a tag above the limit is passed over")
  func longTag() throws {
    let long = String(repeating: "x", count: XMLReader.longestTag)
    #expect(try events("<r><b v=\"1\"/><b v=\"\(long)\"/><b v=\"2\"/></r>") == ["b/1 1|-", "b/2 2|-", "whole"])
    #expect(try events("<r><b v=\"1\"/><b v=\"\(long)", chunk: 4096) == ["b/1 1|-", "cut"])
  }

  @Test("a value that lost its quote takes what follows up to the next quote, and reading goes on")
  func lostQuote() throws {
    #expect(try events("<r><b v=\"1/><b v=\"2\"/><b v=\"3\"/></r>").suffix(2) == ["b/2 3|-", "whole"])
  }

  @Test("numeric references that are no characters become U+FFFD")
  func badReferences() throws {
    let words = try events("<r><b v='&#0;&#xD800;&#x110000;&#99999999999;&#;&#x;&#1a;'/></r>")
    #expect(words.first == "b/1 \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}&#;&#x;&#1a;|-")
  }

  @Test("the first element is found behind prolog and document type")
  func firstElement() throws {
    #expect(try XMLReader.firstElement(in: Array(odd.utf8)) == "r")
    #expect(try XMLReader.firstElement(in: Array("<?xml?><!-- <a> --><ClinicalDocument/>".utf8)) == "ClinicalDocument")
    #expect(try XMLReader.firstElement(in: Array("no markup".utf8)) == nil)
    #expect(try XMLReader.firstElement(in: []) == nil)
  }

  /// Documents whose makers want a reader to look for ever, of `length` bytes or a little more.
  static func hostile(_ length: Int) -> [(name: String, text: [UInt8])] {
    let units = [
      "<a=\"", "<a='\"", "<a=\"'", "<a", "<", ">", "<a b='", "<a b=' c=\"", "<!-", "]", "<!", "</", "</a b=\"", "<a =",
      "x",
      "<a b=\"c\" ", "\"<a b='\"<a b='\"", "<a b='<a c=\"' d=\"' e='\"", "<a b='x' c=\"",
      // Each `<` lies in a value, as seen from any earlier one: no tag ends, all the way.
      "<a=\"x\" b=' c=\"", "<a='x' b=\" c='",
    ]
    let endless = [
      "<!--", "<?", "<![CDATA[", "<!DOCTYPE r [", "<!DOCTYPE r \"", "<!DOCTYPE r [ ]", "<!DOCTYPE r [<!--", "<r>",
    ]
    let filled = endless.flatMap { front in
      [" ", "x", ">", "-", "]", "<b x='1'/>"].map { (front + $0 + "…", front, $0) }
    }
    return (units.map { ($0 + "…", "", $0) } + filled).map { name, front, unit in
      (name, Array(("<r>" + front + String(repeating: unit, count: length / unit.utf8.count + 1)).utf8))
    }
  }

  @Test("whatever a document holds, no call passes over more than its share, and no byte is looked at again and again")
  func hostile() throws {
    for (name, text) in Self.hostile(1 << 20) {
      var reader = XMLReader(.bytes(text), for: interest, bufferBytes: 100 << 10, mostPassed: 200 << 10)
      var before: Int64 = 0
      var pauses = 0
      while true {
        let event = try reader.next()
        #expect(reader.position - before <= 400 << 10, "\(name)")
        before = reader.position
        if case .finished = event { break }
        if event == .paused { pauses += 1 }
      }
      // One of each kind of quote for each stretch as long as the longest tag, and one each time the buffer is filled.
      #expect(reader.looksInVain <= 3 * (text.count / XMLReader.longestTag + 2) + 12, "\(name): \(reader.looksInVain)")
      #expect(reader.position == Int64(text.count) && pauses < 12, "\(name): \(pauses)")
    }
  }

  @Test("where a call stops changes nothing", arguments: 1...9)
  func pauses(share: Int) throws {
    for (name, text) in Self.hostile(1000) + [("odd", Array(odd.utf8))] {
      let text = text + Array(odd.utf8)
      let whole = try? events(text)
      var reader = XMLReader(.bytes(text, chunk: share), for: interest, mostPassed: share)
      var count = 0
      while let event = try? reader.next() {
        if event != .paused { count += 1 }
        if case .finished = event { break }
      }
      #expect(count == whole?.count ?? count, "\(name)")
    }
  }

  @Test("what is behind the document is thrown away in shares, too")
  func drain() throws {
    let text = Array("<r></r>".utf8) + [UInt8](repeating: 0x20, count: 1 << 20)
    var reader = XMLReader(.bytes(text), for: interest, bufferBytes: 100 << 10, mostPassed: 300 << 10)
    #expect(try reader.next() == .finished(whole: true))
    var calls = 0
    while try reader.drain() == nil { calls += 1 }
    #expect(calls == 3 && reader.position == Int64(text.count))
  }

  @Test("mangled documents neither trap nor depend on their pieces")
  func mangled() {
    var random = SplitMix(state: 1)
    let pieces = [
      "<", ">", "\"", "'", "=", "/", "]", "!", "&", "<!--", "<![CDATA[", "<!DOCTYPE ", "[", "<b v=", "\0", "é",
    ]
    for _ in 0..<400 {
      var text = Array(odd.utf8)
      for _ in 0...random.below(8) {
        let place = random.below(text.count)
        switch random.below(3) {
        case 0: text.remove(at: place)
        case 1: text.insert(contentsOf: pieces[random.below(pieces.count)].utf8, at: place)
        default: text[place] = UInt8(random.below(256))
        }
      }
      let whole = Result { () throws(ArchiveError) in try events(text) }
      let split = Result { () throws(ArchiveError) in try events(text, chunk: 1 + random.below(40)) }
      #expect(whole == split)
    }
  }
}

/// A small random source with a fixed seed (SplitMix64).
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
