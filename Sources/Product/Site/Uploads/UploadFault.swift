import Activity
import HTTP

/// Why a file was not taken in. Shown on the import page beside the form.
enum UploadFault: Error {
  /// Another import of the same person is under way.
  case another
  case tooLarge(limit: Int64, size: Int64?)
  case diskFull
  /// The form held no file, or an empty one.
  case noFile
  /// Neither a zip nor an XML file, by its first bytes.
  case notAnExport
  /// Not sent by the form of the import page.
  case wrongForm
  /// The form token was missing or old.
  case stale
  /// The connection broke off in the middle.
  case cutOff
  case problem(Problem)

  var status: Status {
    switch self {
    case .another: .conflict
    case .tooLarge: .contentTooLarge
    case .diskFull: .insufficientStorage
    case .noFile, .notAnExport: .unprocessableContent
    case .wrongForm: .unsupportedMediaType
    case .stale: .forbidden
    case .cutOff: .badRequest
    case .problem: .internalServerError
    }
  }
}
