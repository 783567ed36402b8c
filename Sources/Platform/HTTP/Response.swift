/// The answer to a request. Framing fields (content-length, transfer-encoding, connection, date) are the wire's
/// business: what is set here under these names is replaced.
package struct Response {
  package var status: Status
  package var fields: HeaderFields
  package var body: ResponseBody
  /// For the access log, never sent: the template of the address (`/people/{id}/days/{day}`), without values.
  package var route = ""
  /// For the access log, never sent: a pseudonym of the account; empty for visitors.
  package var account = ""

  package init(_ status: Status, fields: HeaderFields = HeaderFields(), body: ResponseBody = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A body with its content type.
  package init(_ status: Status = .ok, type: String, _ bytes: [UInt8]) {
    self.init(status, fields: HeaderFields([("content-type", type)]), body: .bytes(bytes))
  }

  /// 303: look there with GET. `location` is a path of our own or a URL that the caller trusts.
  package static func seeOther(_ location: String) -> Response {
    Response(.seeOther, fields: HeaderFields([("location", location)]))
  }

  package mutating func add(_ cookie: SetCookie) { fields.append("set-cookie", cookie.text) }
}

/// What follows the head.
package enum ResponseBody {
  case empty
  case bytes([UInt8])
  /// Bytes that other answers of this loop send too, so that their compressed form is made once.
  case kept(KeptBody)
  /// A file that the server streams from disk; `length` is what it measured.
  case file(path: String, length: Int)
  /// Written piece by piece (chunked in HTTP/1.1): live pages, exports. The closure returns when all is written; it
  /// throws when the client went away.
  case stream((any BodyWriter) async throws -> Void)
}

extension ResponseBody {
  /// The body where it is here in one piece; nil for files and streams.
  package var whole: [UInt8]? {
    switch self {
    case .empty: []
    case .bytes(let bytes): bytes
    case .kept(let kept): kept.bytes
    case .file, .stream: nil
    }
  }
}

/// Where a streamed answer goes. `write` returns when the bytes were taken, so a slow client slows the writer down.
package protocol BodyWriter: AnyObject {
  /// Empty pieces are allowed and send nothing.
  func write(_ bytes: [UInt8]) async throws(BodyError)
}
