import Bytes
import Templates

/// How a language writes numbers.
struct NumberWords: Sendable {
  let group: String
  /// The separator when it is one plain byte, else 0.
  let groupByte: UInt8
  let minus: String
  /// What stands where no number is known.
  let none: String
  let percent: Phrase

  init(_ texts: Texts) throws(TemplateError) {
    group = try texts.needed("number.group")
    groupByte = group.utf8.count == 1 && group != "&" && group != "'" ? group.utf8.first ?? 0 : 0
    minus = try texts.needed("number.minus")
    none = try texts.needed("number.none")
    percent = Phrase(try texts.needed("number.percent"))
  }
}

extension Words {
  /// `12,345`, `−80`.
  package func number(_ value: Int) -> String {
    let magnitude = value.magnitude
    let sign = value < 0 ? numbers.minus : ""
    guard magnitude >= 1_000 else { return sign + String(magnitude) }
    var grouped = threeDigits(magnitude % 1_000)
    var rest = magnitude / 1_000
    while rest >= 1_000 {
      grouped = threeDigits(rest % 1_000) + numbers.group + grouped
      rest /= 1_000
    }
    return sign + String(rest) + numbers.group + grouped
  }

  private func threeDigits(_ number: UInt) -> String {
    let digits = String(number)
    return number < 10 ? "00" + digits : number < 100 ? "0" + digits : digits
  }

  /// The same straight into a page.
  func append(_ value: Int, to out: inout [UInt8]) {
    guard value >= 0, numbers.groupByte != 0 else { return out.append(escaped: number(value)) }
    if value < 1_000 { return out.append(decimal: value) }
    if value < 1_000_000 {
      out.append(decimal: value / 1_000)
      out.append(numbers.groupByte)
      return out.append(padded: value % 1_000, width: 3)
    }
    out.append(escaped: number(value))
  }

  /// A measured value: rounded to a whole number. What cannot be printed is 0.
  package func number(rounded value: Double) -> String { number(Words.rounded(value)) }

  static func rounded(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? 0 }

  static func floored(_ value: Double) -> Int { Int(exactly: (value + 1e-6).rounded(.down)) ?? 0 }

  /// A value cut to whole units, so that a goal never looks reached before it is.
  package func number(floored value: Double) -> String { number(Words.floored(value)) }

  /// `82 %`.
  package func percent(_ value: Int) -> String { numbers.percent.filled { _ in number(value) } }

  /// `+8 %`, `−6 %`, `0 %`.
  package func signedPercent(_ value: Int) -> String { (value > 0 ? "+" : "") + percent(value) }

  /// The dash for what is not known; a word for readers who cannot see it belongs beside it.
  package var none: String { numbers.none }
}
