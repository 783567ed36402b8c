import Archive
import Bytes
import Glibc
package import HTTP

/// The files of one folder, read once at start and kept in memory, plain and as gzip. Each has an address with a hash
/// of its content in it (`/assets/3f9a…/stepwell.css`), so that browsers may keep it for ever and a new version has a
/// new address.
package struct StaticFiles: Sendable {
  /// Why the folder could not be read.
  package enum Problem: Error, Equatable {
    case unreadable(path: String, errno: Int32)
    /// Above 16 MiB: not what this is for.
    case tooLarge(path: String)
  }

  private struct File {
    let tag: EntityTag
    let plain: [UInt8]
    /// Nil where it would not be smaller.
    let packed: [UInt8]?
    let type: String
  }

  private let prefix: String
  private var files: [String: File] = [:]
  /// The address of each file by its name below the folder (`stepwell.css`, `icons/flame.svg`).
  package private(set) var addresses: [String: String] = [:]

  /// Reads every regular file below `folder`, hidden ones left out. `hash` gives at least 8 bytes (SHA-256).
  /// Blocks; for the start.
  package init(folder: String, prefix: String = "/assets", hash: ([UInt8]) -> [UInt8]) throws(Problem) {
    self.prefix = prefix
    for name in try Folder.files(below: folder) {
      let bytes = try Folder.read(folder + "/" + name)
      add(name, bytes, Hex.encode(hash(bytes).prefix(8)))
    }
  }

  /// From what is already in memory: for tests.
  package init(_ contents: [String: [UInt8]], prefix: String = "/assets", hash: ([UInt8]) -> [UInt8]) {
    self.prefix = prefix
    for (name, bytes) in contents { add(name, bytes, Hex.encode(hash(bytes).prefix(8))) }
  }

  /// The address of a file by its name; nil for one that was not there at start.
  package func address(of name: String) -> String? { addresses[name] }

  /// The answer to GET and HEAD of one of these addresses; nil for anything else, so that the caller can go on or
  /// answer 404.
  package func answer(to request: Request) -> Response? {
    guard request.target.pathBegins(with: prefix), request.method == .get || request.method == .head,
      let file = files[request.path]
    else { return nil }
    return answer(file, request.fields)
  }

  /// The answer for a file at an address without a hash (`/favicon.ico`, `/robots.txt`): kept for a day.
  package func answer(named name: String, to request: Request) -> Response? {
    guard request.method == .get || request.method == .head, let file = addresses[name].flatMap({ files[$0] }) else {
      return nil
    }
    var response = answer(file, request.fields)
    response.fields["cache-control"] = "public, max-age=86400"
    return response
  }

  private func answer(_ file: File, _ asked: HeaderFields) -> Response {
    var response = Response(.ok)
    response.route = prefix + "/{hash}/{name}"
    response.fields.append("cache-control", "public, max-age=31536000, immutable")
    let packed = file.packed.flatMap { AcceptEncoding.allows("gzip", asked) ? $0 : nil }
    let tag = packed == nil ? file.tag : EntityTag(file.tag.value + "-gzip")
    response.fields.append("etag", tag.text)
    response.fields.append("vary", "accept-encoding")
    if tag.isNamed(by: asked) {
      response.status = .notModified
      return response
    }
    response.fields.append("content-type", file.type)
    response.fields.append("x-content-type-options", "nosniff")
    if packed != nil { response.fields.append("content-encoding", "gzip") }
    response.body = .bytes(packed ?? file.plain)
    return response
  }

  private mutating func add(_ name: String, _ bytes: [UInt8], _ hash: String) {
    let type = ContentTypes.type(of: name)
    var packed: [UInt8] = []
    let isSmaller = GzipEncoder(level: 9).encode(bytes, into: &packed) && packed.count < bytes.count &* 9 / 10
    let address = "\(prefix)/\(hash)/\(name)"
    files[address] = File(tag: EntityTag(hash), plain: bytes, packed: isSmaller ? packed : nil, type: type)
    addresses[name] = address
  }
}

/// Types by the end of a name.
enum ContentTypes {
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last ?? "" {
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "html": "text/html; charset=utf-8"
    case "txt": "text/plain; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "webp": "image/webp"
    case "woff2": "font/woff2"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}

/// Reading a folder of small files.
private enum Folder {
  static func files(below folder: String, _ path: String = "") throws(StaticFiles.Problem) -> [String] {
    let place = path.isEmpty ? folder : folder + "/" + path
    guard let directory = opendir(place) else { throw .unreadable(path: place, errno: errno) }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      let below = path.isEmpty ? name : path + "/" + name
      var facts = stat()
      guard stat(folder + "/" + below, &facts) == 0 else { continue }
      switch facts.st_mode & S_IFMT {
      case S_IFREG: found.append(below)
      case S_IFDIR: found += try files(below: folder, below)
      default: continue
      }
    }
    return found.sorted()
  }

  static func read(_ path: String) throws(StaticFiles.Problem) -> [UInt8] {
    let limit = 16 << 20
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: piece[..<count])
      if bytes.count > limit { throw .tooLarge(path: path) }
    }
  }
}
