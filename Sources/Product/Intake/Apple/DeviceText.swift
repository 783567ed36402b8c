/// The `device` attribute of an Apple export: `<<HKDevice: 0x301a>, name:Apple Watch, manufacturer:Apple Inc., model:Watch,
/// hardware:Watch7,9, software:11.5, creation date:2025-01-02 08:00:00 +0000>`. Values hold commas and colons, so a field
/// begins only at a comma, blanks and a word with a colon. The address changes from record to record and says nothing.
struct DeviceText: Equatable {
  private(set) var manufacturer = ""
  private(set) var model = ""
  private(set) var software = ""

  init(_ text: String) {
    for field in DeviceText.fields(of: text) {
      guard let colon = field.firstIndex(of: ":") else { continue }
      let value = field[field.index(after: colon)...].drop { $0 == " " }
      switch field[..<colon] {
      case "manufacturer": manufacturer = String(value)
      case "model": model = String(value)
      case "software": software = String(value)
      default: break
      }
    }
  }

  /// Exports up to 2018 write `Apple`, later ones `Apple Inc.`.
  var isApples: Bool { manufacturer == "Apple Inc." || manufacturer == "Apple" }

  private static func fields(of text: String) -> [Substring] {
    var fields: [Substring] = []
    var rest = text[...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    if rest.last == ">" { rest.removeLast() }
    var start = rest.startIndex
    var place = rest.startIndex
    while place < rest.endIndex {
      if rest[place] == ",", let next = fieldStart(in: rest, behind: place) {
        fields.append(trimmed(rest[start..<place]))
        start = next
        place = next
      } else {
        place = rest.index(after: place)
      }
    }
    fields.append(trimmed(rest[start...]))
    return fields
  }

  /// The start of a field behind the comma at `comma`: blanks, then letters and blanks up to a colon.
  private static func fieldStart(in text: Substring, behind comma: Substring.Index) -> Substring.Index? {
    let behind = text[text.index(after: comma)...]
    let start = behind.firstIndex { $0 != " " } ?? behind.endIndex
    guard start > behind.startIndex, start < behind.endIndex, behind[start].isLetter else { return nil }
    let end = behind[start...].firstIndex { !($0.isLetter || $0 == " ") }
    return end.flatMap { behind[$0] == ":" ? start : nil }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
