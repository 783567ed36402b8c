import Templates

struct SignInPage: PageModel {
  enum Fault {
    /// One sentence for both fields: it does not tell whether the name exists.
    case mismatch
    case tooMany(milliseconds: Int64)
    /// The form was open longer than its token holds.
    case stale
  }

  let frame: Frame
  let form: String
  let action: String
  let lead: String
  let returnTo: String?
  let login: String
  let problem: Notice?

  init(frame: Frame, form: String, returnTo: String?, login: String, problem: Fault?, words: Words) {
    self.frame = frame
    self.form = form
    action = Route.signIn(returnTo: nil).address
    lead = words.text(SignInText.to, ("host", frame.host))
    self.returnTo = returnTo
    self.login = String(login.prefix(64))
    self.problem = problem.map { Self.notice($0, words) }
  }

  static func notice(_ fault: Fault, _ words: Words) -> Notice {
    switch fault {
    case .mismatch:
      Notice(title: words.text(SignInText.mismatch), advice: words.text(SignInText.mismatchAdvice))
    case .stale: Notice(title: words.text(SignInText.stale), advice: words.text(SignInText.staleAdvice))
    case .tooMany(let wait):
      Notice(title: words.text(SignInText.tooMany), advice: waiting(wait, words))
    }
  }

  private static func waiting(_ milliseconds: Int64, _ words: Words) -> String {
    let seconds = Int(clamping: (milliseconds + 999) / 1000)
    return seconds < 60
      ? words.count(SignInText.waitSeconds, max(1, seconds)) : words.count(SignInText.waitMinutes, (seconds + 59) / 60)
  }

  static let fields = Fields<SignInPage>(
    .part("frame", \.frame), .text("form", \.form), .text("action", \.action), .text("lead", \.lead),
    .text("returnTo", \.returnTo), .text("login", \.login), .optional("problem", \.problem))
}

enum SignInText: String, TextKeys {
  case to = "signIn.to"
  case mismatch = "signIn.mismatch"
  case mismatchAdvice = "signIn.mismatchAdvice"
  case stale = "signIn.stale"
  case staleAdvice = "signIn.staleAdvice"
  case tooMany = "signIn.tooMany"
  case waitSeconds = "signIn.waitSeconds"
  case waitMinutes = "signIn.waitMinutes"
}
