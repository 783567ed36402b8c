/// The parts of an uploaded form, pulled one after the other from a request's body: the socket is read only as fast as
/// the content is taken, and a file of any size passes through in pieces.
///
///     let form = try Multipart(request)
///     while let part = try await form.next() {
///       if part.name == "file" { while let piece = try await form.read() { … } }
///     }
package final class Multipart {
  private let body: RequestBody
  private var reader: MultipartReader
  private var isInPart = false

  /// Throws `.wrongType` for anything but a form with files.
  package init(_ request: Request) throws(MultipartError) {
    guard let type = ContentType.parse(request.fields), type.essence == "multipart/form-data",
      let boundary = type.parameters["boundary"], let reader = MultipartReader(boundary: boundary)
    else { throw .wrongType }
    self.reader = reader
    body = request.body
  }

  /// The next part; what is left of the one before is read over. nil after the closing boundary.
  package func next() async throws(MultipartError) -> Part? {
    while try await read() != nil {}
    switch try await action() {
    case .part(let part):
      isInPart = true
      return part
    default: return nil
    }
  }

  /// The next piece of the current part's content, never empty; nil at its end.
  package func read() async throws(MultipartError) -> [UInt8]? {
    guard isInPart else { return nil }
    if case .content(let piece) = try await action() { return piece }
    isInPart = false
    return nil
  }

  /// The rest of a plain field. `limit` in bytes; bytes that are not UTF-8 are malformed.
  package func text(limit: Int = 64 * 1024) async throws(MultipartError) -> String {
    var bytes: [UInt8] = []
    while let piece = try await read() {
      if piece.count > limit - bytes.count { throw .tooLarge(limit: limit) }
      bytes += piece
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
    return text
  }

  private func action() async throws(MultipartError) -> MultipartReader.Action {
    while true {
      switch reader.next() {
      case .wait: reader.receive(try await more())
      case .refuse(let error): throw error
      case let action: return action
      }
    }
  }

  private func more() async throws(MultipartError) -> [UInt8] {
    do throws(BodyError) {
      if let piece = try await body.read() { return piece }
    } catch { throw .body(error) }
    throw .truncated
  }
}
