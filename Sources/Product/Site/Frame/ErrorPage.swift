import Templates

/// What happened, what is safe, one way on.
struct ErrorPage: PageModel {
  enum Kind: String {
    case invalid, forbidden, wrongOrigin, notFound, wrongMethod, conflict, tooLarge, wrongType, misdirected, tooMany
    case broken, unavailable
  }

  let frame: Frame
  let title: String
  let heading: String
  let advice: String
  /// What this request adds to the general sentence.
  let facts: String?
  let primary: Way?
  let secondary: Way?
  let code: String
  /// The number that the log knows; only where something broke.
  let number: String?

  init(kind: Kind, status: Int, facts: String?, number: String?, words: Words, frame: Frame) {
    self.frame = frame
    let texts = ErrorText.of(kind)
    heading = words.text(texts.heading)
    title = heading + " (\(status))"
    advice = words.text(texts.advice)
    self.facts = facts
    primary = Way(name: words.text(ErrorText.toToday), address: Route.today.address)
    secondary =
      kind == .notFound
      ? Way(name: words.text(ErrorText.toHistory), address: Route.history(from: nil, to: nil).address) : nil
    code = words.text(ErrorText.code, ("n", String(status)))
    self.number = number
  }

  static let fields = Fields<ErrorPage>(
    .part("frame", \.frame), .text("title", \.title), .text("heading", \.heading), .text("advice", \.advice),
    .text("facts", \.facts), .optional("primary", \.primary), .optional("secondary", \.secondary),
    .text("code", \.code), .text("number", \.number))
}

/// A link that leads on.
struct Way: PageModel {
  let name: String
  let address: String

  static let fields = Fields<Way>(.text("name", \.name), .text("address", \.address))
}

/// A sentence that says what is wrong, and one that says what to do.
struct Notice: PageModel {
  let title: String
  let advice: String

  static let fields = Fields<Notice>(.text("title", \.title), .text("advice", \.advice))
}

/// One choice of a list.
struct Choice: PageModel {
  let value: String
  let label: String
  let isChosen: Bool

  static let fields = Fields<Choice>(
    .text("value", \.value), .text("label", \.label), .flag("isChosen", \.isChosen))
}

/// What stands in a field of a form, and what is wrong with it.
struct Entry: PageModel {
  let value: String
  let problem: String?

  static let fields = Fields<Entry>(.text("value", \.value), .text("problem", \.problem))
}

enum ErrorText: String, TextKeys {
  case code = "error.code"
  case toToday = "error.toToday"
  case toHistory = "error.toHistory"
  case originSeen = "error.originSeen"
  case answersFor = "error.answersFor"
  case invalid = "error.invalid", invalidAdvice = "error.invalidAdvice"
  case forbidden = "error.forbidden", forbiddenAdvice = "error.forbiddenAdvice"
  case wrongOrigin = "error.wrongOrigin", wrongOriginAdvice = "error.wrongOriginAdvice"
  case notFound = "error.notFound", notFoundAdvice = "error.notFoundAdvice"
  case wrongMethod = "error.wrongMethod", wrongMethodAdvice = "error.wrongMethodAdvice"
  case conflict = "error.conflict", conflictAdvice = "error.conflictAdvice"
  case tooLarge = "error.tooLarge", tooLargeAdvice = "error.tooLargeAdvice"
  case wrongType = "error.wrongType", wrongTypeAdvice = "error.wrongTypeAdvice"
  case misdirected = "error.misdirected", misdirectedAdvice = "error.misdirectedAdvice"
  case tooMany = "error.tooMany", tooManyAdvice = "error.tooManyAdvice"
  case broken = "error.broken", brokenAdvice = "error.brokenAdvice"
  case unavailable = "error.unavailable", unavailableAdvice = "error.unavailableAdvice"

  static func of(_ kind: ErrorPage.Kind) -> (heading: ErrorText, advice: ErrorText) {
    switch kind {
    case .invalid: (.invalid, .invalidAdvice)
    case .forbidden: (.forbidden, .forbiddenAdvice)
    case .wrongOrigin: (.wrongOrigin, .wrongOriginAdvice)
    case .notFound: (.notFound, .notFoundAdvice)
    case .wrongMethod: (.wrongMethod, .wrongMethodAdvice)
    case .conflict: (.conflict, .conflictAdvice)
    case .tooLarge: (.tooLarge, .tooLargeAdvice)
    case .wrongType: (.wrongType, .wrongTypeAdvice)
    case .misdirected: (.misdirected, .misdirectedAdvice)
    case .tooMany: (.tooMany, .tooManyAdvice)
    case .broken: (.broken, .brokenAdvice)
    case .unavailable: (.unavailable, .unavailableAdvice)
    }
  }
}
