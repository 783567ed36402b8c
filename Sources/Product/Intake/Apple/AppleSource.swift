import Activity

/// Which class a source of an Apple export has (merge.md 3.3). Entries typed by hand are told apart before.
enum AppleSource {
  static func sourceClass(name: String, version: String, device: String) -> SourceClass {
    guard device.contains(where: { !$0.isWhitespace }) else { return byName(name) }
    let device = DeviceText(device)
    guard device.isApples, !device.software.isEmpty, device.software == version else { return .other }
    if device.model.hasPrefix("Watch") { return .watch }
    return ["iPhone", "iPad", "iPod"].contains(where: device.model.hasPrefix) ? .phone : .other
  }

  /// `/apple\s*watch/i` is a watch, `/\b(iphone|ipad|ipod)\b/i` a phone.
  static func byName(_ name: String) -> SourceClass {
    let letters = Array(name.lowercased().unicodeScalars)
    if namesWatch(letters) { return .watch }
    return ["iphone", "ipad", "ipod"].contains { hasWord(Array($0.unicodeScalars), letters) } ? .phone : .other
  }

  private static func namesWatch(_ letters: [Unicode.Scalar]) -> Bool {
    let apple = Array("apple".unicodeScalars)
    let watch = Array("watch".unicodeScalars)
    return letters.indices.contains { start in
      guard letters[start...].starts(with: apple) else { return false }
      return letters[(start + apple.count)...].drop { $0.properties.isWhitespace }.starts(with: watch)
    }
  }

  private static func hasWord(_ word: [Unicode.Scalar], _ letters: [Unicode.Scalar]) -> Bool {
    letters.indices.contains { start in
      guard letters[start...].starts(with: word) else { return false }
      let before = start > 0 ? letters[start - 1] : " "
      let after = start + word.count < letters.count ? letters[start + word.count] : " "
      return !isWordLetter(before) && !isWordLetter(after)
    }
  }

  private static func isWordLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
