import Archive
import CCurl
import Glibc
import HTTP
import Synchronization

/// One easy handle of libcurl with its connection. One request at a time, from any thread.
final class EasyHandle {
  private let curl: UnsafeMutableRawPointer
  private let words: UnsafeMutablePointer<CChar>

  /// Once per process. SIGPIPE is ignored: OpenSSL writes to sockets without asking for that.
  private static let isStarted: Bool = {
    signal(SIGPIPE, SIG_IGN)
    return stepwell_curl_start() == CURLE_OK
  }()

  /// Nil if libcurl cannot be used.
  init?() {
    guard Self.isStarted, let curl = curl_easy_init() else { return nil }
    self.curl = curl
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(curl)
    words.deallocate()
  }

  func perform(_ request: ClientRequest, _ settings: ClientSettings) throws(HTTPClientError) -> ClientReply {
    curl_easy_reset(curl)  // keeps connections and TLS sessions
    words.pointee = 0
    let (body, isPacked) = pack(request.body, above: settings.compressAbove)
    let lines = try fieldLines(request, isPacked: isPacked)
    defer { curl_slist_free_all(lines) }
    set(settings)
    stepwell_curl_set_text(curl, CURLOPT_URL, request.address)
    stepwell_curl_set_pointer(curl, CURLOPT_HTTPHEADER, lines)
    let exchange = Exchange(limit: settings.largestAnswer)
    let code = withExtendedLifetime(exchange) {
      let place = Unmanaged.passUnretained(exchange).toOpaque()
      stepwell_curl_set_sink(curl, CURLOPT_HEADERFUNCTION, takeField)
      stepwell_curl_set_pointer(curl, CURLOPT_HEADERDATA, place)
      stepwell_curl_set_sink(curl, CURLOPT_WRITEFUNCTION, takeBody)
      stepwell_curl_set_pointer(curl, CURLOPT_WRITEDATA, place)
      return body.withUnsafeBytes { bytes in
        set(request.method, body: bytes)
        return curl_easy_perform(curl)
      }
    }
    guard code == CURLE_OK else { throw problem(code, exchange) }
    return ClientReply(
      status: Status(stepwell_curl_status(curl)), fields: exchange.fields, body: exchange.body)
  }

  private func pack(_ body: [UInt8], above limit: Int) -> (bytes: [UInt8], isPacked: Bool) {
    guard body.count > limit else { return (body, false) }
    var packed: [UInt8] = []
    guard GzipEncoder(level: 1).encode(body, into: &packed), packed.count < body.count else { return (body, false) }
    return (packed, true)
  }

  /// The caller frees the list. `Expect` is taken out: it would cost a round trip, or a second with a server that does not
  /// know it.
  private func fieldLines(
    _ request: ClientRequest, isPacked: Bool
  ) throws(HTTPClientError) -> UnsafeMutablePointer<curl_slist>? {
    guard !request.address.utf8.contains(where: { $0 <= 32 || $0 == 127 }) else {
      throw .badRequest("a blank in the address")
    }
    for (name, value) in request.fields where !isToken(name) || !isLine(value) {
      throw .badRequest("the field \(name)")
    }
    // A field without value is written with a semicolon, else libcurl takes it for one to leave out.
    var texts = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if isPacked { texts.append("Content-Encoding: gzip") }
    // What libcurl would add by itself.
    texts.append("Expect:")
    if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) { texts.append("Content-Type:") }
    var lines: UnsafeMutablePointer<curl_slist>?
    for text in texts { lines = curl_slist_append(lines, text) ?? lines }
    return lines
  }

  /// A name of RFC 9110 5.6.2.
  private func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  private func isLine(_ value: String) -> Bool { !value.utf8.contains { $0 < 32 && $0 != 9 || $0 == 127 } }

  private func set(_ settings: ClientSettings) {
    stepwell_curl_set_number(curl, CURLOPT_NOSIGNAL, 1)
    stepwell_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, words)
    stepwell_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "https,http")
    stepwell_curl_set_text(curl, CURLOPT_PROXY, "")
    stepwell_curl_set_number(curl, CURLOPT_FOLLOWLOCATION, 0)
    stepwell_curl_set_text(curl, CURLOPT_ACCEPT_ENCODING, "gzip")
    stepwell_curl_set_number(curl, CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout)
    stepwell_curl_set_number(curl, CURLOPT_TIMEOUT_MS, settings.timeout)
    stepwell_curl_set_number(curl, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if case .only(let pem) = settings.trust {
      stepwell_curl_set_pointer(curl, CURLOPT_CAINFO, nil)
      stepwell_curl_set_pointer(curl, CURLOPT_CAPATH, nil)
      stepwell_curl_set_bytes(curl, CURLOPT_CAINFO_BLOB, pem, pem.count)
    }
  }

  /// `body` must stay where it is until the request is over.
  private func set(_ method: Method, body: UnsafeRawBufferPointer) {
    switch method {
    case .get where body.isEmpty: stepwell_curl_set_number(curl, CURLOPT_HTTPGET, 1)
    case .head: stepwell_curl_set_number(curl, CURLOPT_NOBODY, 1)
    default:
      stepwell_curl_set_number(curl, CURLOPT_POST, 1)
      stepwell_curl_set_size(curl, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
      stepwell_curl_set_pointer(curl, CURLOPT_POSTFIELDS, body.baseAddress)
      stepwell_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, method.token)
    }
  }

  private func problem(_ code: CURLcode, _ exchange: Exchange) -> HTTPClientError {
    if exchange.isTooLarge { return .tooLarge }
    let said = String(cString: words)
    let detail = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: return .badRequest(detail)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: return .unreachable(detail)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: return .untrusted(detail)
    case CURLE_OPERATION_TIMEDOUT: return .timedOut
    default: return .broken(detail)
    }
  }
}

/// Handles that nobody uses just now, with their connections.
final class IdleHandles: Sendable {
  /// Whoever has taken a handle is alone with it.
  private struct Kept: @unchecked Sendable { let handle: EasyHandle }

  private let kept = Mutex<[Kept]>([])

  func take() -> EasyHandle? { kept.withLock { $0.popLast() }?.handle }

  func put(_ handle: EasyHandle) {
    let one = Kept(handle: handle)
    kept.withLock { $0.append(one) }
  }
}
