import Bytes
import HTTP

/// The answers that the server gives by itself: plain sentences that say what to do. `own`: the fields that each carries
/// (`ServerSettings.ownFields`).
struct Refused {
  let own: HeaderFields

  static let plainHTTP = Array(
    """
    HTTP/1.1 400 Bad Request\r
    content-type: text/plain; charset=utf-8\r
    connection: close\r
    \r
    This port speaks HTTPS. Write https:// in front of the address.\n
    """.utf8)

  var tooManyConnections: Response {
    var response = text(.serviceUnavailable, "Too many connections from here. Please try again in a moment.")
    response.fields.append("retry-after", "5")
    return response
  }

  var wrongHost: Response {
    text(.misdirectedRequest, "This server is not known by that name. Please use the address that its owner gave you.")
  }

  var tookTooLong: Response {
    text(.serviceUnavailable, "This took too long. Please try again.")
  }

  func failed(_ number: UInt64) -> Response {
    text(.internalServerError, "Something went wrong on our side. If you report it, name request \(number).")
  }

  func badRequest(_ status: Status, _ reason: String) -> Response {
    text(status, "The request could not be understood (\(reason)).")
  }

  private func text(_ status: Status, _ sentence: String) -> Response {
    var response = Response(status, type: "text/plain; charset=utf-8", Array((sentence + "\n").utf8))
    response.fields.append("cache-control", "no-store")
    for (name, value) in own where !response.fields.contains(name) { response.fields.append(name, value) }
    return response
  }
}
