import Archive
import EventLoop
import HTTP

/// The body of a phone's upload: JSON, as it is or as gzip, within the limits of security.md "Wire limits".
enum PhoneBody {
  static let mostOnWire = 8 << 20
  static let mostUnpacked = 64 << 20
  /// How many times its packed size a body may unfold to; small bodies may always reach a megabyte.
  static let mostRatio = 100
  private static let alwaysUnpacked = 1 << 20
  /// Above this many bytes the work goes to a worker thread, so that other answers do not wait for it.
  static let longWork = 128 << 10

  /// The unpacked bytes.
  static func read(_ request: Request, on poller: Poller) async throws(ProblemDocument) -> [UInt8] {
    guard ContentType.parse(request.fields)?.essence == "application/json" else {
      throw ProblemDocument(
        .unsupportedMediaType, "wrong_type", "Send JSON with the content type application/json.",
        fields: [("accept-post", "application/json")])
    }
    let isPacked = try isPacked(request)
    let sent = try await collect(request.body)
    guard isPacked else { return sent }
    let limit = min(mostUnpacked, max(alwaysUnpacked, sent.count * mostRatio))
    let unpacked: Result<[UInt8], ArchiveError>
    do {
      unpacked = try await poller.onWorker {
        do throws(ArchiveError) { return .success(try GzipDecoder.decode(sent, limit: limit)) } catch {
          return .failure(error)
        }
      }
    } catch { throw ProblemDocument.busy }
    switch unpacked {
    case .success(let bytes): return bytes
    case .failure(.tooLarge):
      throw ProblemDocument(
        .contentTooLarge, "unpacked_too_large", "The unpacked body is too large. Send it in smaller parts.",
        limit: limit)
    case .failure: throw ProblemDocument(.badRequest, "bad_gzip", "The body is not gzip, or not all of it.")
    }
  }

  private static func isPacked(_ request: Request) throws(ProblemDocument) -> Bool {
    switch request.fields["content-encoding"]?.lowercased() {
    case nil, "", "identity": return false
    case "gzip", "x-gzip": return true
    default:
      throw ProblemDocument(
        .unsupportedMediaType, "wrong_encoding", "Send the body as it is or as gzip.",
        fields: [("accept-encoding", "gzip, identity")])
    }
  }

  private static func collect(_ body: RequestBody) async throws(ProblemDocument) -> [UInt8] {
    do throws(BodyError) { return try await body.collect(limit: mostOnWire) } catch {
      switch error {
      case .tooLarge(let limit):
        throw ProblemDocument(
          .contentTooLarge, "body_too_large", "The body is too large. Send it in smaller parts.", limit: limit,
          received: body.length)
      case .tooSlow: throw ProblemDocument(.requestTimeout, "too_slow", "The body came too slowly. Send it again.")
      case .malformed, .disconnected:
        throw ProblemDocument(.badRequest, "cut_off", "The body did not arrive whole. Send it again.")
      }
    }
  }
}

extension ProblemDocument {
  static var busy: ProblemDocument {
    ProblemDocument(
      .serviceUnavailable, "unavailable", "The server is busy. Send the same batch again in a moment.",
      fields: [("retry-after", "5")])
  }
}
