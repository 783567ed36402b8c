/// Numbers as people type them into forms.
enum TypedNumber {
  /// A whole number, perhaps grouped in threes by one kind of sign: `12500`, `12,500`, `12.500`, `12 500`. Nil for all else,
  /// fractions included: `10.5` is not 105.
  static func whole(_ text: String) -> Int? {
    let trimmed = text.split(omittingEmptySubsequences: true) { $0 == " " }.joined(separator: " ")
    let signs = Set(trimmed.filter { !$0.isASCII || !$0.isNumber })
    guard let sign = signs.first else { return Int(trimmed) }
    guard signs.count == 1, separators.contains(sign) else { return nil }
    let groups = trimmed.split(separator: sign, omittingEmptySubsequences: false)
    guard let first = groups.first, (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 })
    else {
      return nil
    }
    return Int(groups.joined())
  }

  /// Comma, point, apostrophe, blank, and the blanks that do not break.
  private static let separators: Set<Character> = [",", ".", "'", "’", " ", "\u{A0}", "\u{202F}"]
}
