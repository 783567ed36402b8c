import Glibc
import Postgres

/// A person's browser for the seeds: curl with a cookie jar, over real TLS. What it sends is what a browser sends.
struct Curl {
  struct Answer {
    let status: Int
    /// Where a 303 leads.
    let location: String?
    let body: String
    /// Whether the page asks to be loaded again: something is still under way.
    let refreshes: Bool

    /// The masked form token of the page's forms.
    var formToken: String? {
      guard let start = body.firstRange(of: "name=\"form\" value=\"") else { return nil }
      return body[start.upperBound...].split(separator: "\"").first.map(String.init)
    }
  }

  let base: String
  /// PEM file of the server's own certificate; nil when a public authority signed it.
  let trusted: String?
  /// Folder for the jar and the answers.
  let folder: String
  let name: String

  func get(_ address: String) throws(Failure) -> Answer { try run([], address) }

  /// Sends a form with the token of `page`.
  func submit(_ address: String, on page: String, _ pairs: [(String, String)]) throws(Failure) -> Answer {
    let token = try get(page).formToken ?? ""
    let fields = ([("form", token)] + pairs).flatMap { ["--data-urlencode", "\($0.0)=\($0.1)"] }
    return try run(["-H", "Origin: \(base)"] + fields, address)
  }

  /// Sends the import form with a file.
  func upload(_ file: String) throws(Failure) -> Answer {
    let token = try get("/imports").formToken ?? ""
    let form = ["-F", "form=\(token)", "-F", "file=@\(file);filename=export.zip;type=application/zip"]
    return try run(["-H", "Origin: \(base)"] + form, "/imports")
  }

  private func run(_ arguments: [String], _ address: String) throws(Failure) -> Answer {
    let (head, body, log) = (file("head"), file("body"), file("log"))
    for old in [head, body, log] { unlink(old) }
    let trust = trusted.map { ["--cacert", $0] } ?? []
    let common = [
      "/usr/bin/curl", "--silent", "--show-error", "--max-time", "300", "--noproxy", "*", "-b", file("jar"), "-c",
      file("jar"), "-D", head, "-o", body,
    ]
    let status: Int32
    do throws(Postgres.FileError) {
      status = try ChildProcess.start(common + trust + arguments + [base + address], output: log).wait()
    } catch {
      throw Failure("curl could not be started: \(error)")
    }
    guard status == 0 else { throw Failure("curl \(address) ended with \(status): \(read(log))") }
    return answer(head: read(head), body: read(body))
  }

  private func answer(head: String, body: String) -> Answer {
    // An interim answer (100 Continue) stands before the final one.
    let final = head.split(separator: "\r\n\r\n").last.map(String.init) ?? head
    let lines = final.split(separator: "\r\n")
    let status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    var location: String?
    var refreshes = false
    for line in lines.dropFirst() {
      let lower = line.lowercased()
      if lower.hasPrefix("location: ") { location = String(line.dropFirst("location: ".count)) }
      if lower.hasPrefix("refresh: ") { refreshes = true }
    }
    return Answer(status: status, location: location, body: body, refreshes: refreshes)
  }

  private func file(_ kind: String) -> String { "\(folder)/\(name).\(kind)" }

  private func read(_ path: String) -> String { String(decoding: File.read(path) ?? [], as: UTF8.self) }
}
