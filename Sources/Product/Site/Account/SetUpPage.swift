import People
import Templates

struct SetUpPage: PageModel {
  let frame: Frame
  let form: String
  let action: String
  let problem: Notice?
  let code: Entry
  let name: Entry
  let login: Entry
  let passwordProblem: String?
  let zones: [Choice]
  let weekStarts: [Choice]

  init(
    frame: Frame, form: String, entries: SetUpEntries, problem: SignInPage.Fault?, zones: [String], words: Words
  ) {
    self.frame = frame
    self.form = form
    action = Route.setUp.address
    self.problem = problem.map { SignInPage.notice($0, words) }
    let sentence = { (faults: [SetUpEntries.Fault]) in
      entries.faults.first { faults.contains($0) }.map { words.text(SetUpText.of($0)) }
    }
    code = Entry(value: entries.code, problem: sentence([.wrongCode]))
    name = Entry(value: entries.name, problem: sentence([.name]))
    login = Entry(value: entries.login, problem: sentence([.login]))
    passwordProblem = sentence([.tooShort, .tooLong, .common, .sameAsLogin])
    self.zones = zones.map { Choice(value: $0, label: $0, isChosen: $0 == entries.zone) }
    weekStarts = WeekStart.choices(chosen: entries.weekStart, words: words)
  }

  static let fields = Fields<SetUpPage>(
    .part("frame", \.frame), .text("form", \.form), .text("action", \.action), .optional("problem", \.problem),
    .part("code", \.code), .part("name", \.name), .part("login", \.login),
    .text("passwordProblem", \.passwordProblem), .list("zones", \.zones), .list("weekStarts", \.weekStarts))
}

extension WeekStart {
  static func choices(chosen: WeekStart, words: Words) -> [Choice] {
    [WeekStart.monday, .sunday, .saturday].map {
      Choice(value: String($0.rawValue), label: words.weekday(Int($0.rawValue)), isChosen: $0 == chosen)
    }
  }
}

enum SetUpText: String, TextKeys {
  case wrongCode = "setUp.wrongCode"
  case badName = "setUp.badName"
  case badLogin = "setUp.badLogin"
  case tooShort = "setUp.tooShort"
  case tooLong = "setUp.tooLong"
  case common = "setUp.common"
  case sameAsLogin = "setUp.sameAsLogin"

  static func of(_ fault: SetUpEntries.Fault) -> SetUpText {
    switch fault {
    case .wrongCode: .wrongCode
    case .name: .badName
    case .login: .badLogin
    case .tooShort: .tooShort
    case .tooLong: .tooLong
    case .common: .common
    case .sameAsLogin: .sameAsLogin
    }
  }

  static func of(_ refusal: PasswordRules.Refusal) -> SetUpText {
    switch refusal {
    case .tooShort: .tooShort
    case .tooLong: .tooLong
    case .common: .common
    case .sameAsLogin: .sameAsLogin
    }
  }
}
