/// The forms that a text may have; the raw value ends its key.
enum PluralForm: String, CaseIterable, Sendable {
  case one, few, many, other
}

/// Which form of a text a whole number takes (CLDR, cardinal plural rules, integers only).
enum PluralRule: Sendable {
  /// 1 against the rest: English, German, Dutch, Swedish, Spanish, Italian …
  case oneOther
  /// 0 and 1 against the rest: French, Portuguese of Brazil.
  case zeroOneOther
  /// Russian, Ukrainian.
  case eastSlavic
  case polish
  case czech
  /// One form for all: Japanese, Chinese, Korean, Turkish in running text.
  case other

  init(language: String) {
    switch language.prefix(while: { $0 != "-" }) {
    case "fr", "pt": self = .zeroOneOther
    case "ru", "uk": self = .eastSlavic
    case "pl": self = .polish
    case "cs", "sk": self = .czech
    case "ja", "zh", "ko", "th", "vi", "id": self = .other
    default: self = .oneOther
    }
  }

  func form(for number: Int) -> PluralForm {
    let (last, lastTwo) = (number % 10, number % 100)
    let isFew = (2...4).contains(last) && !(12...14).contains(lastTwo)
    switch self {
    case .oneOther: return number == 1 ? .one : .other
    case .zeroOneOther: return number == 0 || number == 1 ? .one : .other
    case .eastSlavic: return last == 1 && lastTwo != 11 ? .one : isFew ? .few : .many
    case .polish: return number == 1 ? .one : isFew ? .few : .many
    case .czech: return number == 1 ? .one : (2...4).contains(number) ? .few : .other
    case .other: return .other
    }
  }
}
