import Templates

/// How a language writes numbers.
struct NumberWords: Sendable {
  let group: String
  let minus: String
  /// What stands where no number is known.
  let none: String
  let percent: Phrase

  init(_ texts: Texts) throws(TemplateError) {
    group = try texts.needed("number.group")
    minus = try texts.needed("number.minus")
    none = try texts.needed("number.none")
    percent = Phrase(try texts.needed("number.percent"))
  }
}

extension Words {
  /// `12,345`, `−80`.
  package func number(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var grouped = value < 0 ? numbers.minus : ""
    let count = digits.utf8.count
    guard count > 3 else { return grouped + digits }
    for (place, digit) in digits.enumerated() {
      if place > 0, (count - place) % 3 == 0 { grouped += numbers.group }
      grouped.append(digit)
    }
    return grouped
  }

  /// A measured value: rounded to a whole number. What cannot be printed is 0.
  package func number(rounded value: Double) -> String { number(Int(exactly: value.rounded()) ?? 0) }

  /// A value cut to whole units, so that a goal never looks reached before it is.
  package func number(floored value: Double) -> String {
    number(Int(exactly: (value + 1e-6).rounded(.down)) ?? 0)
  }

  /// `82 %`.
  package func percent(_ value: Int) -> String { numbers.percent.filled { _ in number(value) } }

  /// `+8 %`, `−6 %`, `0 %`.
  package func signedPercent(_ value: Int) -> String { (value > 0 ? "+" : "") + percent(value) }

  /// The dash for what is not known; a word for readers who cannot see it belongs beside it.
  package var none: String { numbers.none }
}
