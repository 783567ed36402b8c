/// What the client asks to be done. Methods are case-sensitive: `get` is `.other("get")`.
package enum Method: Hashable, Sendable {
  case get, head, post, put, patch, delete, options
  case other(String)

  package init(_ token: String) {
    switch token {
    case "GET": self = .get
    case "HEAD": self = .head
    case "POST": self = .post
    case "PUT": self = .put
    case "PATCH": self = .patch
    case "DELETE": self = .delete
    case "OPTIONS": self = .options
    default: self = .other(token)
    }
  }

  package var token: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other(let token): token
    }
  }
}
