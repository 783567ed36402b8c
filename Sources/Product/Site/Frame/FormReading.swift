import Activity
import Consent
import HTTP
import People
import Storage

extension Site {
  /// The fields of a form that a signed-in person sent, after the session and the form token were checked: nothing may
  /// be changed before both are known.
  func form(_ visit: Visit) async throws(Problem) -> (form: Form, opened: Opened<Void>) {
    let claim = try visit.claimed()
    let opened = try await store.session(claim).opened(by: claim, at: visit.now)
    let form = try await fields(of: visit.request)
    guard FormToken(key: opened.session.formKey).accepts(form[FormToken.field]) else {
      throw Problem(.forbidden, "This page was open for a long time. Load it again, then send it once more.")
    }
    return (form, opened)
  }

  /// Bytes.
  private static let formLimit = 64 << 10

  /// The fields of a form, at most `formLimit`.
  func fields(of request: Request) async throws(Problem) -> Form {
    do {
      return try await Form.read(request, limit: Self.formLimit)
    } catch {
      switch error {
      case .tooLarge:
        throw Problem(
          .tooLarge, "The form is too large. Shorten what you typed and send it again.", limit: Self.formLimit)
      case .tooManyFields: throw Problem(.tooLarge, "The form has too many fields.")
      case .malformed: throw Problem(.invalid, "The form could not be read. Load the page again.")
      case .wrongType: throw WrongType.problem
      case .body: throw Problem(.invalid, "The form did not arrive whole. Send it again.")
      }
    }
  }
}

/// 415 is told from other invalid requests by its cause.
enum WrongType {
  static let cause = "wrong content type"
  static let problem = Problem(.invalid, "The form was sent in a way that Stepwell does not read.", cause: cause)
}
