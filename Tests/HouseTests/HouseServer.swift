import Foundation
import HTTP
import HTTPClient
import Postgres
import Support

/// The real program in a folder of its own, on a free port.
final class HouseServer {
  static let binary =
    ProcessInfo.processInfo.environment["STEPWELL_BINARY"] ?? Repository.root + "/.build/debug/stepwell"

  let home: TemporaryServer
  private(set) var process: ChildProcess
  private(set) var base = ""
  private let settings: [String]
  private var log: String
  private var starts = 0
  private var isRunning = true

  struct NotReady: Error, CustomStringConvertible { let description: String }

  init(_ settings: [String] = []) throws {
    home = try TemporaryServer()
    self.settings = settings
    log = home.folder + "/../" + home.folder.split(separator: "/").last! + "-0.log"
    process = try Self.start(settings, home.folder, log)
    try waitUntilReady()
  }

  deinit {
    if isRunning { kill(process.identifier, SIGKILL) }
    for number in 0...starts { unlink(logPath(number)) }
  }

  /// What the program has printed since its last start.
  var output: String { (try? Repository.text(log)) ?? "" }

  /// Ends the program like a power cut, and starts it again on the same data.
  func killAndStartAgain() throws {
    kill(process.identifier, SIGKILL)
    _ = process.wait()
    try startAgain()
  }

  func startAgain() throws {
    starts += 1
    log = logPath(starts)
    process = try Self.start(settings, home.folder, log)
    isRunning = true
    try waitUntilReady()
  }

  /// Asks it to end; answers the exit status.
  func stop() -> Int32 {
    kill(process.identifier, SIGTERM)
    isRunning = false
    return process.wait()
  }

  /// The postmaster of its database.
  func databaseProcess() throws -> Int32 {
    let file = try Repository.text(home.folder + "/postgres/postmaster.pid")
    guard let number = file.split(separator: "\n").first.flatMap({ Int32($0) }), number > 1 else {
      throw NotReady(description: file)
    }
    return number
  }

  /// A figure of the program's memory in /proc, in KiB: `VmRSS` now, `VmHWM` the most so far.
  func memory(_ name: String) throws -> Int {
    let status = try Repository.text("/proc/\(process.identifier)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
  }

  func signal(_ number: Int32) { kill(process.identifier, number) }

  /// Waits until the output holds a text.
  func wait(for text: String) throws {
    for _ in 0..<2_400 {
      if output.contains(text) { return }
      usleep(25_000)
    }
    throw NotReady(description: "no \"\(text)\" in:\n\(output)")
  }

  /// The value behind a word of the output, as in `Set-up code: …`.
  func word(after mark: String) -> String? {
    guard let range = output.range(of: mark) else { return nil }
    return output[range.upperBound...].split(whereSeparator: \.isWhitespace).first.map(String.init)
  }

  private func waitUntilReady() throws {
    for _ in 0..<2_400 {
      if let address = word(after: "\nReady at ") ?? (output.hasPrefix("Ready at ") ? word(after: "Ready at ") : nil) {
        base = address
        return
      }
      if process.hasEnded { break }
      usleep(25_000)
    }
    throw NotReady(description: output)
  }

  private func logPath(_ number: Int) -> String { "/tmp/" + home.folder.split(separator: "/").last! + "-\(number).log" }

  private static func start(_ settings: [String], _ folder: String, _ log: String) throws -> ChildProcess {
    try ChildProcess.start(
      [
        "STEPWELL_DATA=\(folder)", "STEPWELL_PORT=0", "STEPWELL_LISTEN=127.0.0.1",
        "STEPWELL_RESOURCES=\(Repository.root)",
      ]
        + settings + [binary, "serve"], output: log)
  }

  /// Runs a command of the program to its end.
  static func run(_ settings: [String], _ arguments: [String]) throws -> (status: Int32, output: String) {
    let log = "/tmp/stepwell-command-\(UUID().uuidString).log"
    defer { unlink(log) }
    let process = try ChildProcess.start(settings + [binary] + arguments, output: log)
    let status = process.wait()
    return (status, (try? Repository.text(log)) ?? "")
  }
}

extension ChildProcess {
  /// Whether it has ended; it is waited for afterwards all the same.
  var hasEnded: Bool {
    var facts = siginfo_t()
    return waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_signo == SIGCHLD
  }
}

/// A person's browser over real TLS: it trusts the certificate that the server made for itself, and nothing else.
final class HouseBrowser {
  private let server: HouseServer
  private let client: HTTPClient
  private var cookies: [String: String] = [:]

  struct Page {
    let status: Int
    let fields: HeaderFields
    let text: String
    var location: String? { fields["location"] }
    var formToken: String? {
      text.firstMatch(of: /name="form" value="([^"]+)"/).map { String($0.1) }
    }
  }

  init(_ server: HouseServer) throws {
    self.server = server
    var settings = ClientSettings()
    settings.trust = .only(pem: try Repository.bytes(server.home.folder + "/certificate.pem"))
    settings.compressAbove = .max
    client = HTTPClient(settings)
  }

  /// What it sends along.
  var cookie: String { cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }

  func get(_ address: String) throws -> Page { try send(.get, address, type: nil, body: []) }

  func submit(_ address: String, on page: String, _ pairs: [(String, String)]) throws -> Page {
    let token = try get(page).formToken ?? ""
    return try send(
      .post, address, type: "application/x-www-form-urlencoded",
      body: Array(Form([("form", token)] + pairs).encoded.utf8))
  }

  /// Adds a device that may send everything; its token.
  func addDevice(_ name: String) throws -> String {
    let page = try submit(
      "/devices", on: "/devices/new", [("name", name), ("type", "stepCount"), ("type", "activitySummary")])
    guard let token = page.text.firstMatch(of: /id="tok">(swu_[0-9A-Za-z]+)</)?.1 else {
      throw HouseServer.NotReady(description: "\(page.status) \(page.text)")
    }
    return String(token)
  }

  func upload(_ file: [UInt8]) throws -> Page {
    let token = try get("/imports").formToken ?? ""
    var body = Array("--b\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n\(token)\r\n--b\r\n".utf8)
    body += Array("Content-Disposition: form-data; name=\"file\"; filename=\"export.zip\"\r\n\r\n".utf8) + file
    return try send(
      .post, "/imports", type: "multipart/form-data; boundary=b", body: body + Array("\r\n--b--\r\n".utf8))
  }

  private func send(_ method: HTTP.Method, _ address: String, type: String?, body: [UInt8]) throws -> Page {
    var fields: [(name: String, value: String)] = [("origin", server.base)]
    if !cookies.isEmpty { fields.append(("cookie", cookie)) }
    if let type { fields.append(("content-type", type)) }
    let reply = try client.perform(ClientRequest(method, server.base + address, fields: fields, body: body))
    for cookie in reply.fields.values("set-cookie") {
      let pair = cookie.split(separator: ";")[0].split(separator: "=", maxSplits: 1).map(String.init)
      cookies[pair[0]] = pair.count == 2 ? pair[1] : nil
    }
    return Page(status: reply.status.code, fields: reply.fields, text: String(decoding: reply.body, as: UTF8.self))
  }

  /// Makes the first administrator with the code that the server printed; signed in afterwards.
  func setUp() throws -> Page {
    try submit(
      "/setup", on: "/setup",
      [
        ("code", server.word(after: "Set-up code: ") ?? ""), ("name", "Ada"), ("email", "ada"),
        ("password", "ada walks down to the water"), ("zone", "Europe/Berlin"), ("week", "0"),
      ])
  }

  /// Waits for the end of an import.
  func waitUntilDone(_ address: String) throws -> Page {
    for _ in 0..<2_400 {
      let page = try get(address)
      if !page.text.contains(" data-poll=") { return page }
      usleep(50_000)
    }
    return try get(address)
  }
}
