import Activity
import Bytes
import HTTP

/// An error as programs read it: `application/problem+json` (RFC 9457) with the members of decisions.md "Upload JSON".
struct ProblemDocument: Error {
  let status: Status
  /// A word that a program may act on.
  let code: String
  /// A sentence for the person who looks at the program.
  let detail: String?
  /// The limit that was passed, and how much came, in the unit of the limit.
  var limit: Int?
  var received: Int?
  /// More fields of the answer.
  var fields: [(String, String)] = []

  init(
    _ status: Status, _ code: String, _ detail: String?, limit: Int? = nil, received: Int? = nil,
    fields: [(String, String)] = []
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.limit = limit
    self.received = received
    self.fields = fields
  }

  func response(number: UInt64) -> Response {
    var bytes: [UInt8] = []
    bytes.append("{\"title\":")
    bytes.append(jsonString: status.reason)
    bytes.append(",\"status\":")
    bytes.append(decimal: status.code)
    bytes.append(",\"code\":")
    bytes.append(jsonString: code)
    if let detail {
      bytes.append(",\"detail\":")
      bytes.append(jsonString: detail)
    }
    for case (let name, let value?) in [("limit", limit), ("received", received)] {
      bytes.append(utf8: ",\"\(name)\":")
      bytes.append(decimal: value)
    }
    bytes.append(",\"request\":\"")
    bytes.append(decimal: number)
    bytes.append("\"}")
    var response = Response(status, type: "application/problem+json", bytes)
    response.fields.append("cache-control", "no-store")
    for (name, value) in fields { response.fields.append(name, value) }
    return response
  }
}
