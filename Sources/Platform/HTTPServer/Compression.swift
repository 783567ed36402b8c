import Archive
import Bytes
import HTTP
import HTTPWire

/// Which answers are sent as gzip: text above 4 KiB, if the client takes it. zlib costs about 200 µs for 20 KB.
enum Compression {
  static let threshold = 4096

  /// Whether a body may be compressed for clients that take it: a type of text, not coded already.
  static func suits(_ response: Response) -> Bool {
    isText(response.fields) && !response.fields.contains("content-encoding") && !response.status.hasNoBody
      && response.status.code != 206
  }

  /// Caches must know that the answer depends on what the client takes.
  static func markVaried(_ fields: inout HeaderFields) {
    if !fields.has(token: "accept-encoding", in: "vary") { fields.append("vary", "accept-encoding") }
  }

  /// The encoder of a stream; nil where it goes out as it is. Live pages are never compressed: each open one would
  /// hold 256 KB.
  static func stream(for response: Response, _ head: RequestHead?) -> GzipEncoder? {
    guard let head, head.method != .head, head.minorVersion == 1, suits(response),
      AcceptEncoding.allows("gzip", head.fields), let type = response.fields.bytes(of: "content-type"), isExport(type)
    else { return nil }
    let encoder = GzipEncoder(level: 1)
    return encoder.start() ? encoder : nil
  }

  /// The fields of the compressed answer. A strong tag belongs to the plain bytes: the compressed ones get a weak one.
  static func fields(of response: Response) -> HeaderFields {
    var fields = response.fields
    fields.append("content-encoding", "gzip")
    markVaried(&fields)
    if let tag = fields["etag"], !tag.hasPrefix("W/") { fields["etag"] = "W/" + tag }
    return fields
  }

  static func isText(_ fields: HeaderFields) -> Bool {
    guard let type = fields.bytes(of: "content-type") else { return false }
    return type.starts(with: "text/".utf8) || type.starts(with: "application/json".utf8)
      || type.starts(with: "application/problem+json".utf8) || type.starts(with: "application/x-ndjson".utf8)
      || type.starts(with: "application/javascript".utf8) || type.starts(with: "application/manifest+json".utf8)
      || type.starts(with: "image/svg+xml".utf8)
  }

  private static func isExport(_ type: ArraySlice<UInt8>) -> Bool {
    type.starts(with: "text/csv".utf8) || type.starts(with: "application/json".utf8)
      || type.starts(with: "application/x-ndjson".utf8)
  }
}
