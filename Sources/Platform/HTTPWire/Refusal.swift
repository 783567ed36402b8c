package import HTTP

/// Why the wire refuses a request. The server answers with `status`, closes, and logs the name.
package enum Refusal: String, Error, Sendable, CaseIterable {
  case requestLineTooLong, headerTooLarge, tooManyFields
  case badRequestLine, badVersion, badMethod, badTarget
  case connectRefused, traceRefused
  /// A line that ends with LF alone, a CR without LF, or NUL and other controls inside a line.
  case badLineEnd, controlCharacter
  case fieldWithoutColon, badFieldName, foldedLine
  case missingHost, repeatedHost, badHost, hostDisagrees
  case badContentLength, repeatedContentLength, lengthAndChunks
  case badTransferEncoding, chunksInOldVersion
  case unknownExpectation
  case badChunkSize, chunkExtensionTooLong, badChunkEnd
  case trailerTooLarge

  package var status: Status {
    switch self {
    case .requestLineTooLong: .uriTooLong
    case .headerTooLarge, .tooManyFields, .trailerTooLarge: .fieldsTooLarge
    case .connectRefused: .notImplemented
    case .traceRefused: .methodNotAllowed
    case .unknownExpectation: .expectationFailed
    default: .badRequest
    }
  }
}
