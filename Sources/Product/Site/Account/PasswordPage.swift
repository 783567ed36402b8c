import People
import Templates

struct PasswordPage: PageModel {
  enum Fault {
    case current, tooMany
    case new(PasswordRules.Refusal)
  }

  let frame: Frame
  let form: String
  let action: String
  let settings: String
  let problem: String?
  let currentProblem: String?
  let newProblem: String?

  init(frame: Frame, form: String, fault: Fault?, words: Words) {
    self.frame = frame
    self.form = form
    action = Route.password.address
    settings = Route.settings.address
    switch fault {
    case nil: (problem, currentProblem, newProblem) = (nil, nil, nil)
    case .current: (problem, currentProblem, newProblem) = (nil, words.text(PasswordText.wrong), nil)
    case .tooMany: (problem, currentProblem, newProblem) = (words.text(PasswordText.tooMany), nil, nil)
    case .new(let refusal): (problem, currentProblem, newProblem) = (nil, nil, words.text(SetUpText.of(refusal)))
    }
  }

  static let fields = Fields<PasswordPage>(
    .part("frame", \.frame), .text("form", \.form), .text("action", \.action), .text("settings", \.settings),
    .text("problem", \.problem), .text("currentProblem", \.currentProblem), .text("newProblem", \.newProblem))
}

enum PasswordText: String, TextKeys {
  case wrong = "password.wrong"
  case tooMany = "password.tooMany"
}
